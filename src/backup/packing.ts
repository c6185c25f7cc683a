import { Worker } from 'node:worker_threads';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { StagedBackup } from '../core/services.ts';
import { fromWire, siblingModule, type WireError } from '../threads/call-thread.ts';
import type { Sealing } from './sealing.ts';

export interface PackingTask {
  dataDir: string;
  staged: StagedBackup;
  sealing: Sealing;
}

export type PackingReply =
  | { prepared: { events: number; size: number } }
  /** `packed` of the bytes to be packed are in this piece and earlier ones. */
  | { chunk: Uint8Array<ArrayBuffer>; packed: number }
  | { end: true }
  | { error: WireError };

/**
 * Checks and packs a staged copy in a thread of its own: both take long, and sealing takes 128 MB
 * for a moment. The thread works no further ahead than its pieces are taken.
 */
export class PackingThread {
  private readonly worker: Worker;
  private asked: PromiseWithResolvers<PackingReply>;
  private isPreparing = true;
  private isOver = false;
  private readonly exited: Promise<void>;

  constructor(task: PackingTask) {
    this.asked = waiting();
    this.worker = new Worker(siblingModule(import.meta.url, 'pack-entry'), { workerData: task });
    this.worker.on('message', (reply: PackingReply) => {
      if ('error' in reply) this.asked.reject(fromWire(reply.error));
      else this.asked.resolve(reply);
    });
    this.worker.on('error', (error) => this.asked.reject(error));
    this.exited = new Promise((resolve) => {
      this.worker.on('exit', () => {
        this.isOver = true;
        this.asked.reject(brokenOff());
        resolve();
      });
    });
  }

  /** How many events the copy has, and the bytes to be packed. Throws for a damaged copy. */
  async prepared(): Promise<{ events: number; size: number }> {
    const reply = await this.asked.promise;
    this.isPreparing = false;
    if ('prepared' in reply) return reply.prepared;
    throw new Error('The thread sent another reply.');
  }

  /** The next piece; null at the end. One call at a time. */
  async next(): Promise<{ chunk: Uint8Array; packed: number } | null> {
    // It may have been closed while the last piece was sent: no reply would ever come.
    if (this.isOver) throw brokenOff();
    this.asked = waiting();
    this.worker.postMessage('next');
    const reply = await this.asked.promise;
    return 'chunk' in reply ? reply : null;
  }

  /**
   * Also while it packs. The databases are read to the end of a step before: a thread that is
   * terminated in their native code, or while that is loaded, takes the whole process with it.
   */
  async close(): Promise<void> {
    if (this.isPreparing) this.worker.postMessage('close');
    else await this.worker.terminate();
    await this.exited;
  }
}

function brokenOff(): RuntimeError {
  return new RuntimeError('unavailable', 'The backup was broken off.');
}

/** A thread may end while nobody waits for it. */
function waiting(): PromiseWithResolvers<PackingReply> {
  const resolvers = Promise.withResolvers<PackingReply>();
  resolvers.promise.catch(() => undefined);
  return resolvers;
}
