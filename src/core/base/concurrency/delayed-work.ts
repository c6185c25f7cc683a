import { Alarm } from './timers.ts';

export interface DelayedWorkParts {
  /** All that comes within it is done together. */
  pauseMs: number;
  /** Does all there is. The signal is aborted when no more is to begin. */
  run(closing: AbortSignal): Promise<void>;
  onError(error: unknown): void;
}

const RETRY_MS = 5_000;

/** Work that is done soon after it came, one run at a time; a failed run is repeated. */
export class DelayedWork {
  private readonly parts: DelayedWorkParts;
  private readonly alarm = new Alarm(() => void this.run());
  private readonly closing = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(parts: DelayedWorkParts) {
    this.parts = parts;
  }

  /** There may be some. */
  wake(): void {
    this.plan(this.parts.pauseMs);
  }

  /** Resolves once all that came before is done, or failed. Never rejects. */
  run(): Promise<void> {
    this.running = this.running.then(() => this.once());
    return this.running;
  }

  /** The next start does the rest. */
  async close(): Promise<void> {
    this.closing.abort();
    this.alarm.cancel();
    await this.running;
  }

  private plan(ms: number): void {
    if (!this.closing.signal.aborted) this.alarm.set(ms);
  }

  private async once(): Promise<void> {
    this.alarm.cancel();
    try {
      await this.parts.run(this.closing.signal);
    } catch (error) {
      this.parts.onError(error);
      this.plan(RETRY_MS);
    }
  }
}
