import { performance } from 'node:perf_hooks';
import { PeriodicTask } from '../../../core/base/concurrency/timers.ts';
import type { PostgresPool } from './pool.ts';

const SYNCHRONIZE_MS = 30_000;
/** A slow answer tells the time badly: the former one is kept. */
const SLOW_MS = 1_000;

/**
 * The database's clock: all nodes have one time, whatever their own clocks say. Exact to half of
 * the time that an answer takes; between two answers it goes on with the monotonic clock of this
 * machine.
 */
export class DatabaseClock {
  private readonly pool: Pick<PostgresPool, 'query'>;
  private readonly synchronizing: PeriodicTask;
  /** The database's time when the monotonic clock was 0. */
  private origin = 0;

  private constructor(pool: Pick<PostgresPool, 'query'>) {
    this.pool = pool;
    // While the database is away the clock goes on.
    this.synchronizing = new PeriodicTask({ everyMs: SYNCHRONIZE_MS, run: () => this.synchronize() });
  }

  static async start(pool: Pick<PostgresPool, 'query'>): Promise<DatabaseClock> {
    const clock = new DatabaseClock(pool);
    await clock.synchronize(Number.POSITIVE_INFINITY);
    return clock;
  }

  /** Epoch milliseconds. */
  readonly now = (): number => Math.floor(this.origin + performance.now());

  stop(): void {
    void this.synchronizing.close();
  }

  private async synchronize(slowMs = SLOW_MS): Promise<void> {
    const asked = performance.now();
    const { rows } = await this.pool.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    const answered = performance.now();
    if (answered - asked <= slowMs) this.origin = rows[0]!.now - (asked + answered) / 2;
  }
}
