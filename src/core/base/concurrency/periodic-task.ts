import { realTimers, type Timers } from './timers.ts';

export interface PeriodicTaskParts {
  everyMs: number;
  /** Until the first run; by default `everyMs`. */
  firstMs?: number;
  run(): unknown;
  timers?: Timers | undefined;
  /** By default a failed run is forgotten: the next one tries again. */
  onError?(error: unknown): void;
}

/**
 * Runs work again and again, one run at a time: a time at which one is under way is left out. Does
 * not keep the process alive.
 */
export class PeriodicTask {
  private readonly parts: PeriodicTaskParts;
  private cancel: () => void = () => undefined;
  private running: Promise<void> | null = null;

  constructor(parts: PeriodicTaskParts) {
    this.parts = parts;
    this.plan(parts.firstMs ?? parts.everyMs);
  }

  /** No run begins any more. Resolves once the one under way has ended. */
  async close(): Promise<void> {
    this.cancel();
    await this.running;
  }

  private plan(ms: number): void {
    const { everyMs, timers = realTimers } = this.parts;
    this.cancel = timers.after(ms, () => {
      this.plan(everyMs);
      this.running ??= this.run().finally(() => {
        this.running = null;
      });
    });
  }

  private async run(): Promise<void> {
    try {
      await this.parts.run();
    } catch (error) {
      this.parts.onError?.(error);
    }
  }
}
