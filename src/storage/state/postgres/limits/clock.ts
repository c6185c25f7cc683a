/** The clock of the database, in epoch milliseconds. */
export const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Runs a task at most once in `intervalMs`, beside what called for it. */
export class Occasionally {
  private readonly intervalMs: number;
  private ranAt = Number.NEGATIVE_INFINITY;

  constructor(intervalMs: number) {
    this.intervalMs = intervalMs;
  }

  /** What fails is tried again next time. */
  run(task: () => Promise<unknown>): void {
    const now = performance.now();
    if (now - this.ranAt < this.intervalMs) return;
    this.ranAt = now;
    task().catch(() => undefined);
  }
}
