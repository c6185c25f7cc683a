import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { backlogIsFull } from '../../shared/append-queue.ts';

export interface BacklogSize {
  batches: number;
  /** Bytes of JSON. */
  bytes: number;
  /** Epoch milliseconds of the oldest batch by the database's clock, null if there is none. */
  oldest: number | null;
  /** How long the oldest batch waits. */
  ageMs: number;
}

/** Older measurements are repeated before the next append. */
const VALID_MS = 1_000;

/** Backpressure: what all nodes have accepted and none has flushed. */
export class Backlog {
  readonly limit: number;
  private readonly pool: PostgresClient;
  private bytes = 0;
  private measuredAt = Number.NEGATIVE_INFINITY;
  private measuring: Promise<unknown> | null = null;

  constructor(pool: PostgresClient, limit: number) {
    this.pool = pool;
    this.limit = limit;
  }

  async measure(): Promise<BacklogSize> {
    const { rows } = await this.pool.query<BacklogSize>(
      `SELECT count(*) AS batches, coalesce(sum(size), 0) AS bytes, min(arrived_at) AS oldest,
        coalesce((extract(epoch FROM clock_timestamp()) * 1000)::bigint - min(arrived_at), 0) AS "ageMs" FROM event_spool`,
    );
    this.bytes = rows[0]!.bytes;
    this.measuredAt = performance.now();
    return rows[0]!;
  }

  /** Appends of this node until the next measurement. */
  add(bytes: number): void {
    this.bytes += bytes;
  }

  async refuseIfFull(): Promise<void> {
    if (performance.now() - this.measuredAt > VALID_MS) {
      this.measuring ??= this.measure().finally(() => {
        this.measuring = null;
      });
      // An append waits for a measurement only when the last one would refuse it.
      if (this.bytes >= this.limit || this.measuredAt === Number.NEGATIVE_INFINITY) await this.measuring;
      else this.measuring.catch(() => undefined);
    }
    if (this.bytes >= this.limit) throw backlogIsFull();
  }
}
