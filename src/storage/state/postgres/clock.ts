import { performance } from 'node:perf_hooks';
import { PeriodicTask } from '../../../core/base/concurrency/timers.ts';
import type { PostgresPool } from './pool.ts';

/** The clock of the database, in epoch milliseconds. */
export const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const SYNCHRONIZE_MS = 30_000;

export interface DatabaseClock {
  /** Epoch milliseconds. */
  now(): number;
  stop(): void;
}

/**
 * The database's clock: all nodes have one time, whatever their own clocks say. Exact to half of
 * the time that an answer takes; between two answers, and while the database is away, it goes on
 * with the monotonic clock of this machine.
 */
export async function startClock(pool: Pick<PostgresPool, 'query'>): Promise<DatabaseClock> {
  /** The database's time when the monotonic clock was 0. */
  const origin = async () => {
    const asked = performance.now();
    const { rows } = await pool.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    return rows[0]!.now - (asked + performance.now()) / 2;
  };
  let found = await origin();
  // While the database is away the clock goes on.
  const synchronizing = new PeriodicTask({
    everyMs: SYNCHRONIZE_MS,
    run: async () => {
      found = await origin();
    },
  });
  return { now: () => Math.floor(found + performance.now()), stop: () => void synchronizing.close() };
}

/** Runs a task at most once in `intervalMs`, beside what called for it. */
export class Occasionally {
  private readonly intervalMs: number;
  private ranAt = Number.NEGATIVE_INFINITY;

  constructor(intervalMs: number) {
    this.intervalMs = intervalMs;
  }

  /** A task that fails is tried again next time. */
  run(task: () => Promise<unknown>): void {
    const now = performance.now();
    if (now - this.ranAt < this.intervalMs) return;
    this.ranAt = now;
    task().catch(() => undefined);
  }
}
