import type { AppendResult } from '../../../core/analytics/events/store.ts';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import type { PackedBatch } from './packed-batch.ts';
import { receiptOf } from './receipts.ts';

/** A batch in the spool: its position, or a later one if all of its events were duplicates. */
export interface SpooledAppend {
  duplicates: number;
  position: number;
}

interface QueueParts {
  spoolId: string;
  /** Stores all or none. */
  store(batches: PackedBatch[]): Promise<SpooledAppend[]>;
  /** Groups on their way at once: while one waits for its commit, the next is read. */
  atOnce: number;
  /** No limit if they are left out. */
  groupBatches?: number;
  groupBytes?: number;
}

interface PendingAppend {
  batch: PackedBatch;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}

/** Group commit: the appends of a tick, and those that wait for others, are stored together. */
export class AppendQueue {
  private readonly parts: QueueParts;
  private pending: PendingAppend[] = [];
  private readonly running = new Set<Promise<void>>();
  private closed = false;

  constructor(parts: QueueParts) {
    this.parts = parts;
  }

  append(batch: PackedBatch): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(stopping());
      this.pending.push({ batch, resolve, reject });
      if (this.pending.length === 1) setImmediate(() => this.send());
    });
  }

  /** Resolves when all earlier appends are answered. */
  async close(): Promise<void> {
    this.closed = true;
    this.send();
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private send(): void {
    while (this.running.size < this.parts.atOnce && this.pending.length > 0) {
      const running = this.store(this.nextGroup()).then(() => {
        this.running.delete(running);
        this.send();
      });
      this.running.add(running);
    }
  }

  private nextGroup(): PendingAppend[] {
    const { atOnce, groupBatches = Number.POSITIVE_INFINITY, groupBytes = Number.POSITIVE_INFINITY } = this.parts;
    // Shared among those that may be on their way: each costs a commit, whatever its size.
    const share = Math.ceil(this.pending.length / (atOnce - this.running.size));
    let bytes = 0;
    const end = this.pending.findIndex(({ batch }, index) => {
      bytes += batch.text.length;
      return index >= Math.min(share, groupBatches) || (index > 0 && bytes > groupBytes);
    });
    return this.pending.splice(0, end === -1 ? this.pending.length : end);
  }

  private async store(group: PendingAppend[]): Promise<void> {
    const { store, spoolId } = this.parts;
    try {
      const spooled = await store(group.map(({ batch }) => batch));
      for (const [index, { resolve }] of group.entries()) {
        const { duplicates, position } = spooled[index]!;
        resolve({ duplicates, receipt: receiptOf(spoolId, position) });
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

function stopping(): RuntimeError {
  return new RuntimeError('unavailable', 'The server is stopping. Try again.', { retryAfter: 1 });
}

/** Backpressure. */
export function backlogIsFull(): RuntimeError {
  return new RuntimeError(
    'unavailable',
    'Events arrive faster than they can be made queryable, and no more may wait; nothing was stored. Try again.',
    { retryAfter: 5 },
  );
}
