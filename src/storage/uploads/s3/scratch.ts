import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { abortable } from '../../../core/base/concurrency/timers.ts';
import type { OpenUpload } from '../../../core/knowledge/uploads.ts';
import { diskFullError } from '../../installation/disk.ts';

/** A job that lets another tenant's go first returns within seconds. */
const IDLE_MS = 300_000;

export interface ScratchOptions {
  /** A directory of this process alone: it is emptied. */
  directory: string;
  /** The size of all copies. A larger file waits until it is alone. */
  maxBytes: number;
  idleMs?: number;
}

interface Copy {
  id: string;
  directory: string;
  bytes: number;
  isObsolete: boolean;
  timer?: NodeJS.Timeout;
}

/** Copies of uploads on this machine, each in a directory of its own with its derived files. */
export class Scratch {
  private readonly directory: string;
  private readonly maxBytes: number;
  private readonly idleMs: number;
  private readonly used = new Set<Copy>();
  /** The longest idle one first. */
  private readonly idle = new Map<string, Copy>();
  private readonly waiting = new Set<() => void>();

  constructor({ directory, maxBytes, idleMs = IDLE_MS }: ScratchOptions) {
    this.directory = directory;
    this.maxBytes = maxBytes;
    this.idleMs = idleMs;
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** An idle copy, else a new one. */
  async open(id: string, bytes: number, signal: AbortSignal, read: () => Readable): Promise<OpenUpload> {
    const copy = this.takeIdle(id) ?? (await this.makeCopy(id, bytes, signal, read));
    return { path: join(copy.directory, id), close: () => this.close(copy) };
  }

  /** An open copy goes when it is closed. */
  async remove(id: string): Promise<void> {
    for (const copy of this.used) if (copy.id === id) copy.isObsolete = true;
    const copy = this.takeIdle(id);
    if (copy) await this.drop(copy);
  }

  async clear(): Promise<void> {
    for (const id of [...this.idle.keys()]) await this.remove(id);
  }

  private async makeCopy(id: string, bytes: number, signal: AbortSignal, read: () => Readable): Promise<Copy> {
    const copy: Copy = { id, directory: '', bytes, isObsolete: false };
    await this.room(copy, signal);
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      copy.directory = await mkdtemp(join(this.directory, 'copy-'));
      await pipeline(read(), createWriteStream(join(copy.directory, id), { flags: 'wx', mode: 0o600 }), { signal });
      return copy;
    } catch (error) {
      await this.drop(copy);
      throw diskFullError(this.directory, error);
    }
  }

  /** Resolves once the copy is among the used ones. */
  private async room(copy: Copy, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const idle = this.idle.values().next().value;
      if (this.used.size + this.idle.size === 0 || this.bytes() + copy.bytes <= this.maxBytes) {
        this.used.add(copy);
        return;
      }
      if (idle) {
        this.takeIdle(idle.id);
        await this.drop(idle);
      } else await this.change(signal);
    }
  }

  private bytes(): number {
    return [...this.used, ...this.idle.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  private async change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.add(resolve);
    await abortable(promise, signal).finally(() => this.waiting.delete(resolve));
  }

  /** The copy is used until it is closed or dropped. */
  private takeIdle(id: string): Copy | undefined {
    const copy = this.idle.get(id);
    if (copy === undefined) return undefined;
    clearTimeout(copy.timer);
    this.idle.delete(id);
    this.used.add(copy);
    return copy;
  }

  private async close(copy: Copy): Promise<void> {
    if (!this.used.has(copy)) return;
    // Derived files count from now on.
    copy.bytes = await sizeOf(copy.directory).catch(() => copy.bytes);
    if (copy.isObsolete || this.idle.has(copy.id)) return this.drop(copy);
    this.used.delete(copy);
    this.idle.set(copy.id, copy);
    copy.timer = setTimeout(() => void this.remove(copy.id).catch(() => undefined), this.idleMs).unref();
    this.wake();
  }

  /** A copy that cannot be removed goes with the next start. */
  private async drop(copy: Copy): Promise<void> {
    if (copy.directory !== '') await rm(copy.directory, { recursive: true, force: true }).catch(() => undefined);
    this.used.delete(copy);
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.waiting) resolve();
  }
}

async function sizeOf(directory: string): Promise<number> {
  const sizes = await Promise.all((await readdir(directory)).map((name) => stat(join(directory, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
