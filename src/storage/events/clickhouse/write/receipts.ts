import { RuntimeError } from '../../../../core/base/shared/errors.ts';
import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { firstPosition } from './spool.ts';

interface Waiter {
  position: number;
  settle: (visible: boolean) => void;
}

const POLL_MS = 20;

/**
 * Receipts name positions of the spool, so that every node can wait for them: a batch is visible
 * when no batch up to its position is left. One statement for all who wait.
 */
export class Receipts {
  private readonly pool: PostgresClient;
  private readonly storeId: string;
  private readonly onWait: () => void;
  private waiters: Waiter[] = [];
  private polling = false;
  private closed = false;

  constructor(pool: PostgresClient, storeId: string, onWait: () => void) {
    this.pool = pool;
    this.storeId = storeId;
    this.onWait = onWait;
  }

  get isAwaited(): boolean {
    return this.waiters.length > 0;
  }

  of(position: number): string {
    return Buffer.from(`${this.storeId}:${position}`).toString('base64url');
  }

  /** Throws `invalid` for a text that is not a receipt. */
  positionOf(receipt: string): number {
    const [storeId, position] = Buffer.from(receipt, 'base64url').toString().split(':');
    if (!storeId || !/^\d{1,15}$/.test(position ?? '')) {
      throw new RuntimeError(
        'invalid',
        'waitFor: not a receipt; send the `receipt` of an ingest (over REST in the header x-wait-for)',
      );
    }
    // A receipt of a database that was replaced: its events are in the tables or lost.
    return storeId === this.storeId ? Number(position) : 0;
  }

  wait(position: number, timeoutMs: number): Promise<boolean> {
    if (position === 0 || this.closed) return Promise.resolve(position === 0);
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), timeoutMs);
      const settle = (visible: boolean) => {
        clearTimeout(timer);
        this.waiters = this.waiters.filter((waiter) => waiter.settle !== settle);
        resolve(visible);
      };
      this.waiters.push({ position, settle });
      this.onWait();
      if (!this.polling) void this.poll();
    });
  }

  close(): void {
    this.closed = true;
    for (const { settle } of this.waiters) settle(false);
  }

  private async poll(): Promise<void> {
    this.polling = true;
    while (this.waiters.length > 0) {
      // A statement that began before an append committed does not see it.
      const asking = this.waiters;
      try {
        const first = await firstPosition(this.pool);
        for (const { position, settle } of asking) if (position < first) settle(true);
      } catch {
        // The database is away: those who wait may time out.
      }
      if (this.waiters.length > 0) await new Promise((next) => setTimeout(next, POLL_MS));
    }
    this.polling = false;
  }
}
