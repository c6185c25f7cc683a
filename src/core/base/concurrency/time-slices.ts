import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other work waits for at most about so long. */
const SLICE_MS = 10;

/**
 * For long work on the thread that answers everybody: `pause` between its parts lets other work
 * run.
 */
export class TimeSlices {
  private since = performance.now();

  /** Returns immediately while the slice lasts. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    await nextTurn();
    this.since = performance.now();
  }

  get isOver(): boolean {
    return performance.now() - this.since >= SLICE_MS;
  }
}
