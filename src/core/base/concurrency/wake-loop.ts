import { realTimers, type Timers } from './timers.ts';

export interface WakeLoopParts {
  /** Does what is due. Returns the milliseconds until something is due again. */
  pass(): Promise<number>;
  timers?: Timers | undefined;
  onError(error: unknown): void;
}

/** Bounds the sleep: the clock may jump. */
const MAX_SLEEP_MS = 60_000;
const AFTER_ERROR_MS = 5_000;

/**
 * Runs a pass whenever it is woken, one at a time, and sleeps until the time that the pass named.
 */
export class WakeLoop {
  private readonly parts: WakeLoopParts;
  private readonly timers: Timers;
  private running: Promise<void> | null = null;
  private isWoken = false;
  private cancelSleep: () => void = () => undefined;
  private closed = false;

  constructor(parts: WakeLoopParts) {
    this.parts = parts;
    this.timers = parts.timers ?? realTimers;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** There may be something due. Starts the loop. */
  wake(): void {
    this.isWoken = true;
    if (this.closed) return;
    this.running ??= this.run().finally(() => {
      this.running = null;
      if (this.isWoken) this.wake();
    });
  }

  /** Resolves once no pass is under way. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  /** Lets a pass under way end. */
  async close(): Promise<void> {
    this.closed = true;
    this.cancelSleep();
    await this.running;
  }

  private async run(): Promise<void> {
    this.cancelSleep();
    try {
      while (this.isWoken && !this.closed) {
        this.isWoken = false;
        this.sleep(await this.parts.pass());
      }
    } catch (error) {
      this.parts.onError(error);
      this.sleep(AFTER_ERROR_MS);
    }
  }

  private sleep(ms: number): void {
    if (this.closed) return;
    this.cancelSleep();
    this.cancelSleep = this.timers.after(Math.min(ms, MAX_SLEEP_MS), () => this.wake());
  }
}
