import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { RuntimeError } from '../core/errors.ts';
import { PROGRAM } from '../program.ts';
import { noRoomIn } from '../storage/disk.ts';
import { isNewer } from './inspect.ts';
import {
  FORMAT,
  formatSchema,
  MANIFEST_FILE,
  MAX_MANIFEST_BYTES,
  type Manifest,
  type ManifestEntry,
  manifestSchema,
} from './manifest.ts';

export interface UnpackOptions {
  file: string;
  /** An empty directory. */
  directory: string;
  /** How much of the file is read, in bytes. */
  onProgress: (read: number) => void;
}

/**
 * Unpacks a backup, every entry held to the size and hash that the manifest gives. Memory stays constant. Throws what is
 * wrong with the file; `unavailable` when there is no room for what is in it.
 */
export async function unpack(options: UnpackOptions): Promise<Manifest> {
  const { file, directory, onProgress } = options;
  const entries = readEntries(file, onProgress)[Symbol.asyncIterator]();
  let manifest: Manifest | undefined;
  try {
    const first = await entries.next();
    if (first.done || first.value.header.name !== MANIFEST_FILE) throw noBackup(file);
    manifest = readManifest(file, await textOf(first.value));
    refuseWithoutRoom(directory, manifest);
    const missing = new Map(manifest.entries.map((entry) => [entry.name, entry]));
    for (let next = await entries.next(); !next.done; next = await entries.next()) {
      const { name } = next.value.header;
      const expected = missing.get(name);
      if (!expected || !(await writeEntry(next.value, expected, join(directory, name)))) throw damaged(file, name);
      missing.delete(name);
    }
    if (missing.size > 0) throw cutOff(file);
    return manifest;
  } catch (error) {
    throw explain(options, error, manifest === undefined);
  } finally {
    // It fails with what is thrown above.
    await entries.return?.().catch(() => undefined);
  }
}

function readEntries(file: string, onProgress: (read: number) => void): ReadableStream<ParsedTarEntry> {
  let read = 0;
  const input = createReadStream(file, { highWaterMark: 256 * 1024 }).on('data', (chunk) => {
    read += chunk.length;
    onProgress(read);
  });
  const tar = createGunzip();
  // A failure reaches whoever reads the entries.
  pipeline(input, tar).catch(() => undefined);
  return (Readable.toWeb(tar) as ReadableStream<Uint8Array>).pipeThrough(
    createTarDecoder({ strict: true }) as unknown as {
      readable: ReadableStream<ParsedTarEntry>;
      writable: WritableStream<Uint8Array>;
    },
  );
}

function readManifest(file: string, content: string): Manifest {
  const json = JSON.parse(content) as unknown;
  const { format, program } = formatSchema.parse(json);
  const newer = `was made by a newer agent-runtime (${program.version}); this is ${PROGRAM.version}. Restore it with that version.`;
  if (format > FORMAT) throw badBackup(file, newer);
  const manifest = manifestSchema.parse(json);
  if (isNewer(manifest.schema)) throw badBackup(file, newer);
  return manifest;
}

async function textOf({ header, body }: ParsedTarEntry): Promise<string> {
  if (header.size > MAX_MANIFEST_BYTES) throw new Error('The manifest is too large.');
  return text(Readable.fromWeb(body as ReadableStream<Uint8Array>));
}

/** Whether it was what the manifest says. */
async function writeEntry(entry: ParsedTarEntry, { size, sha256 }: ManifestEntry, path: string): Promise<boolean> {
  // There is room for what the manifest says, and perhaps for no more.
  if (entry.header.size !== size) return false;
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const content = Readable.fromWeb(entry.body as ReadableStream<Uint8Array>);
  await pipeline(content, hashed, createWriteStream(path, { mode: 0o600, flush: true }));
  return hash.digest('hex') === sha256;
}

function refuseWithoutRoom(directory: string, { entries }: Manifest): void {
  const needed = entries.reduce((sum, { size }) => sum + size, 0);
  const { bavail, bsize } = statfsSync(directory);
  if (needed <= bavail * bsize) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en-US')} MB`;
  const message = `There is not enough room in ${directory}: the backup needs ${megabytes(needed)}, ${megabytes(bavail * bsize)} are free.`;
  throw new RuntimeError('unavailable', message);
}

/** What the libraries' errors mean for whoever has only the file. */
function explain({ file, directory }: UnpackOptions, error: unknown, atBeginning: boolean): unknown {
  if (error instanceof RuntimeError) return error;
  const noRoom = noRoomIn(directory, error);
  if (noRoom !== error) return noRoom;
  const { code = '', message } = error as NodeJS.ErrnoException;
  // Of the system, a directory that may not be read for example: not the backup's fault.
  if (/^E[A-Z]+$/.test(code)) return error;
  if (code === 'Z_BUF_ERROR') return cutOff(file, error);
  if (atBeginning) return noBackup(file, error);
  if (message === 'Tar archive is truncated.') return cutOff(file, error);
  return badBackup(file, 'is damaged: it cannot be read to its end. Use another backup.', error);
}

/** What is wrong with a backup file; nothing has been changed. */
export function badBackup(file: string, problem: string, cause?: unknown): RuntimeError {
  return new RuntimeError('unprocessable', `${file} ${problem}`, { cause });
}

function noBackup(file: string, cause?: unknown): RuntimeError {
  return badBackup(file, 'is not a backup of agent-runtime.', cause);
}

function damaged(file: string, name: string): RuntimeError {
  return badBackup(file, `is damaged: ${name} is not what was packed. Use another backup.`);
}

function cutOff(file: string, cause?: unknown): RuntimeError {
  return badBackup(file, 'is cut off: its end is missing. Copy it again, or use another backup.', cause);
}
