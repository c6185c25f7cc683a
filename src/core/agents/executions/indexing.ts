import { Alarm } from '../../base/concurrency/timers.ts';
import type { ExecutionWords } from './store.ts';

/** Many executions are indexed together. */
const PAUSE_MS = 300;
const RETRY_MS = 5_000;

/** Lets searches find the words of executions soon after these were recorded. */
export class ExecutionIndexing {
  private readonly store: ExecutionWords;
  private readonly onError: (error: unknown) => void;
  private readonly alarm = new Alarm(() => void this.run());
  private running: Promise<void> | null = null;
  private isClosed = false;

  constructor(store: ExecutionWords, onError: (error: unknown) => void) {
    this.store = store;
    this.onError = onError;
  }

  /** Contents may have changed. */
  wake(): void {
    if (!this.isClosed) this.alarm.set(PAUSE_MS);
  }

  /** Resolves once nothing is left, or it failed. Never rejects. */
  run(): Promise<void> {
    this.running ??= this.index().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** Executions that are left are indexed after the next start. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.alarm.cancel();
    await this.running;
  }

  private async index(): Promise<void> {
    try {
      while (!this.isClosed && (await this.store.indexSome()) > 0);
    } catch (error) {
      this.onError(error);
      if (!this.isClosed) this.alarm.set(RETRY_MS);
    }
  }
}
