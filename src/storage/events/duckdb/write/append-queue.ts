import { setImmediate as restOfTick } from 'node:timers/promises';
import type { AppendResult } from '../../../../core/analytics/events/store.ts';
import { RuntimeError } from '../../../../core/base/shared/errors.ts';
import type { PackedBatch } from '../../shared/packed-batch.ts';
import { DEFAULT_DELAY_MS } from './flush-scheduler.ts';
import type { Spool, SpoolResult } from './spool.ts';

export interface AppendLimits {
  /** How long a caller's event id is remembered. */
  dedupWindowMs: number;
  /** Backpressure: with a larger backlog, in bytes of JSON, appends are refused. */
  backlogLimit: number;
}

interface AppendHandlers {
  appended: (withinMs: number) => void;
  fault: (error: unknown) => void;
}

interface PendingAppend {
  batch: PackedBatch;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}

/** Group commit: the appends of one tick of the event loop share one transaction. */
export class AppendQueue {
  private readonly spool: Spool;
  private readonly limits: AppendLimits;
  private readonly on: AppendHandlers;
  private pending: PendingAppend[] = [];
  private last: number;
  private committing: Promise<void> | null = null;
  private closed = false;

  constructor(spool: Spool, limits: AppendLimits, on: AppendHandlers) {
    this.spool = spool;
    this.limits = limits;
    this.on = on;
    this.last = spool.lastPosition();
  }

  get lastPosition(): number {
    return this.last;
  }

  append(batch: PackedBatch): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(stopping());
      this.pending.push({ batch, resolve, reject });
      this.committing ??= this.commitAll();
    });
  }

  /** Throws `invalid` for a text that is not a receipt. */
  positionOf(receipt: string): number {
    const [spoolId, position] = Buffer.from(receipt, 'base64url').toString().split(':');
    if (!spoolId || !/^\d+$/.test(position ?? '')) {
      throw new RuntimeError(
        'invalid',
        'waitFor: not a receipt; send the `receipt` of an ingest (over REST in the header x-wait-for)',
      );
    }
    // The receipt of a replaced spool (restored backup): its events are in the tables or lost.
    return spoolId === this.spool.id ? Math.min(Number(position), this.last) : 0;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.committing;
  }

  private async commitAll(): Promise<void> {
    while (this.pending.length > 0) {
      await restOfTick();
      await this.appendAll(this.pending.splice(0));
    }
    // At once: an append that follows would find a loop that has ended.
    this.committing = null;
  }

  private async appendAll(pending: PendingAppend[]): Promise<void> {
    try {
      this.refuseIfFull();
      const batches = pending.map((append) => append.batch);
      const results = await this.spool.append(batches, Date.now(), this.limits.dedupWindowMs);
      for (const [index, append] of pending.entries()) append.resolve(this.acknowledge(results[index]!));
      this.on.appended(Math.min(...batches.map(({ visibleWithinMs = DEFAULT_DELAY_MS }) => visibleWithinMs)));
    } catch (error) {
      if (!isExpected(error)) this.on.fault(error);
      for (const append of pending) append.reject(error);
    }
  }

  private refuseIfFull(): void {
    if (this.spool.backlog.bytes < this.limits.backlogLimit) return;
    throw new RuntimeError(
      'unavailable',
      'Events arrive faster than they can be made queryable, and no more may wait; nothing was stored. Try again.',
      { retryAfter: 5 },
    );
  }

  private acknowledge({ duplicates, position }: SpoolResult): AppendResult {
    this.last = Math.max(this.last, position);
    return { duplicates, receipt: Buffer.from(`${this.spool.id}:${position}`).toString('base64url') };
  }
}

function stopping(): RuntimeError {
  return new RuntimeError('unavailable', 'The server is stopping. Try again.', { retryAfter: 1 });
}

function isExpected(error: unknown): boolean {
  return error instanceof RuntimeError && error.cause === undefined;
}
