import type { AppendResult } from '../../../../core/analytics/events/store.ts';
import { RuntimeError } from '../../../../core/base/shared/errors.ts';
import type { PostgresClient } from '../../../state/postgres/pool.ts';
import type { PackedBatch } from '../../shared/packed-batch.ts';
import { notAcknowledged } from '../faults.ts';
import type { Backlog } from './backlog.ts';
import type { Receipts } from './receipts.ts';
import { appendBatches, type Spooled } from './spool.ts';

interface QueueParts {
  pool: PostgresClient;
  receipts: Receipts;
  backlog: Backlog;
  dedupWindowMs: number;
  onAppended: () => void;
}

interface PendingAppend {
  batch: PackedBatch;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}

/** Statements on their way at once: while one waits for its commit, the next is read. */
const STATEMENTS = 4;
const GROUP_BATCHES = 50;
const GROUP_BYTES = 2_000_000;

/** Group commit: appends that wait for a free connection share one statement and one fsync. */
export class AppendQueue {
  private readonly parts: QueueParts;
  private pending: PendingAppend[] = [];
  private running = 0;
  private closed = false;

  constructor(parts: QueueParts) {
    this.parts = parts;
  }

  append(batch: PackedBatch): Promise<AppendResult> {
    const refusal = this.refusal();
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.pending.push({ batch, resolve, reject });
      // With the other appends of this tick.
      if (this.pending.length === 1) setImmediate(() => this.send());
    });
  }

  /** Resolves when all earlier appends are answered. */
  async close(): Promise<void> {
    this.closed = true;
    this.send();
    while (this.running > 0 || this.pending.length > 0) await new Promise((next) => setTimeout(next, 5));
  }

  private send(): void {
    while (this.running < STATEMENTS && this.pending.length > 0) {
      this.running += 1;
      void this.store(this.nextGroup()).finally(() => {
        this.running -= 1;
        this.send();
      });
    }
  }

  private nextGroup(): PendingAppend[] {
    let bytes = 0;
    // Shared among the free connections: each statement costs a commit, whatever its size.
    const share = Math.ceil(this.pending.length / (STATEMENTS - this.running + 1));
    const end = this.pending.findIndex(({ batch }, index) => {
      bytes += batch.text.length;
      return index >= Math.min(share, GROUP_BATCHES) || (index > 0 && bytes > GROUP_BYTES);
    });
    return this.pending.splice(0, end === -1 ? this.pending.length : end);
  }

  private async store(group: PendingAppend[]): Promise<void> {
    const { pool, receipts, backlog, dedupWindowMs, onAppended } = this.parts;
    let spooled: Spooled[];
    try {
      await backlog.refuseIfFull();
      spooled = await appendBatches(
        pool,
        group.map(({ batch }) => batch),
        dedupWindowMs,
      );
    } catch (error) {
      for (const { reject } of group) reject(asRefusal(error));
      return;
    }
    backlog.add(group.reduce((sum, { batch }) => sum + batch.text.length, 0));
    for (const [index, { resolve }] of group.entries()) {
      const { duplicates, position } = spooled[index]!;
      resolve({ duplicates, receipt: receipts.of(position) });
    }
    onAppended();
  }

  private refusal(): RuntimeError | null {
    if (!this.closed) return null;
    return new RuntimeError('unavailable', 'The server is stopping. Try again.', { retryAfter: 1 });
  }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof RuntimeError && error.code === 'unavailable' && error.cause === undefined) return error;
  return notAcknowledged(error);
}
