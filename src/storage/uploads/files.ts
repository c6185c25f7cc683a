import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, type Stats, statSync } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { realEffects } from '../../core/base/shared/effects.ts';
import { RuntimeError } from '../../core/base/shared/errors.ts';
import { type OpenUpload, UNNEEDED_AFTER_MS, type Upload, type UploadStore } from '../../core/knowledge/uploads.ts';
import { diskFullError } from '../installation/disk.ts';
import { damaged } from '../installation/unusable.ts';

const PART = '.part';

export interface FileUploadStoreOptions {
  /** It must hold nothing else. */
  directory: string;
  /** No other process uses the directory: what has no job is of a crash, however new it is. */
  isExclusive?: boolean;
  newId?: () => string;
}

/** `<id>`, `<id>.part` while receiving, and `<id>.<what>`, which readers derive. */
export class FileUploadStore implements UploadStore {
  private readonly directory: string;
  private readonly isExclusive: boolean;
  private readonly newId: () => string;
  private readonly coming = new Set<string>();

  constructor({ directory, isExclusive = false, newId = realEffects.newId }: FileUploadStoreOptions) {
    this.directory = directory;
    this.isExclusive = isExclusive;
    this.newId = newId;
    refuseAsUploads(directory);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  async receive(content: Readable, signal: AbortSignal): Promise<Upload> {
    const id = this.newId();
    const path = this.pathOf(id);
    this.coming.add(id);
    try {
      const written = await writeDurably(path + PART, content, signal);
      await rename(path + PART, path);
      await syncNames(this.directory);
      // An abort during the write would go unnoticed.
      signal.throwIfAborted();
      return { id, ...written };
    } catch (error) {
      // A disk that fails may refuse this, too; then the next start removes them.
      await Promise.allSettled([path + PART, path].map((one) => rm(one, { force: true })));
      signal.throwIfAborted();
      throw writeFault(diskFullError(this.directory, error));
    } finally {
      this.coming.delete(id);
    }
  }

  async open(id: string): Promise<OpenUpload | null> {
    const path = this.pathOf(id);
    const stats = await statOrNull(path);
    return stats?.isFile() ? { path, close: async () => undefined } : null;
  }

  async remove(id: string): Promise<void> {
    const path = this.pathOf(id);
    const companions = (await this.files()).filter((name) => name.startsWith(`${id}.`));
    // The file goes last, so that an interrupted removal can be repeated.
    await Promise.all(companions.map((name) => rm(join(this.directory, name), { force: true })));
    await rm(path, { force: true });
  }

  async removeUnneeded(needed: ReadonlySet<string>): Promise<void> {
    const unneeded = (await this.files()).filter((name) => {
      const [id = ''] = name.split('.', 1);
      if (this.coming.has(id)) return false;
      return !needed.has(id) || name === id + PART;
    });
    await Promise.all(unneeded.map((name) => this.removeIfOld(join(this.directory, name))));
  }

  private async removeIfOld(path: string): Promise<void> {
    const changedAt = this.isExclusive ? 0 : ((await statOrNull(path))?.mtimeMs ?? 0);
    if (Date.now() - changedAt > UNNEEDED_AFTER_MS) await rm(path, { force: true });
  }

  private pathOf(id: string): string {
    return join(this.directory, checkedId(id));
  }

  private async files(): Promise<string[]> {
    const entries = await readdir(this.directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }
}

/** As `syncDirectory`, which holds the event loop. */
async function syncNames(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using names = await open(directory, 'r');
  await names.sync();
}

/** An empty id matches every file, and one with a slash leaves the place. */
export function isUploadId(id: string): boolean {
  return /^[\w-]+$/.test(id);
}

export function checkedId(id: string): string {
  if (!isUploadId(id)) throw new Error(`not the id of an upload: ${JSON.stringify(id)}`);
  return id;
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export function refuseAsUploads(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw damaged(directory, 'is not a directory');
  }
}

/** The cause is for the log alone. */
export function writeFault(error: unknown): unknown {
  if (error instanceof RuntimeError || (error as NodeJS.ErrnoException).syscall === undefined) return error;
  const message = 'The file cannot be stored at the moment: the disk fails. Nothing was stored. Try again.';
  return new RuntimeError('unavailable', message, { cause: error, retryAfter: 30 });
}

/** Resolves once the file is durable, rejects once it is closed. */
async function writeDurably(path: string, content: Readable, signal: AbortSignal): Promise<Omit<Upload, 'id'>> {
  const hash = createHash('sha256');
  let size = 0;
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  const writer = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const closed = new Promise<void>((resolve) => writer.once('close', resolve));
  try {
    await pipeline(content, measure, writer, { signal });
  } finally {
    // A stream destroyed while opening still creates its file.
    await closed;
  }
  return { size, sha256: hash.digest('hex') };
}
