import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { positionOf, Waiters } from '../../shared/receipts.ts';
import { firstPosition } from './spool.ts';

const POLL_MS = 20;

/**
 * Receipts name positions of the spool, so that every node can wait for them: a batch is visible
 * when no batch up to its position is left. One statement for all who wait.
 */
export class Receipts {
  private readonly pool: PostgresClient;
  private readonly storeId: string;
  private readonly onWait: () => void;
  private readonly waiters = new Waiters();
  private polling = false;
  private closed = false;

  constructor(pool: PostgresClient, storeId: string, onWait: () => void) {
    this.pool = pool;
    this.storeId = storeId;
    this.onWait = onWait;
  }

  get isAwaited(): boolean {
    return !this.waiters.isEmpty;
  }

  async waitFor(receipt: string, timeoutMs: number): Promise<boolean> {
    return this.wait(positionOf(receipt, this.storeId), timeoutMs);
  }

  wait(position: number, timeoutMs: number): Promise<boolean> {
    if (position === 0 || this.closed) return Promise.resolve(position === 0);
    const visible = this.waiters.wait(position, timeoutMs);
    this.onWait();
    if (!this.polling) void this.poll();
    return visible;
  }

  close(): void {
    this.closed = true;
    this.waiters.giveUp();
  }

  private async poll(): Promise<void> {
    this.polling = true;
    while (this.isAwaited) {
      // A statement that began before an append committed does not see it.
      const asking = this.waiters.all();
      try {
        const first = await firstPosition(this.pool);
        for (const { position, settle } of asking) if (position < first) settle(true);
      } catch {
        // The database is away: those who wait may time out.
      }
      if (this.isAwaited) await new Promise((next) => setTimeout(next, POLL_MS));
    }
    this.polling = false;
  }
}
