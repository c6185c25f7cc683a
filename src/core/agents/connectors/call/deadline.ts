import { setTimeout as sleep } from 'node:timers/promises';
import type { CallFault } from './faults.ts';

export interface DeadlineOptions {
  timeoutMs: number;
  /** False when the caller set a shorter timeout. */
  isOfConnector: boolean;
  /** Aborted when the caller disconnects. */
  caller: AbortSignal;
}

export class Deadline {
  readonly isOfConnector: boolean;
  private readonly timeoutMs: number;
  private readonly endsAt: number;
  private readonly caller: AbortSignal;
  private readonly timer: NodeJS.Timeout;
  private readonly controller = new AbortController();
  private readonly onCallerAbort = () => this.controller.abort(this.caller.reason);

  constructor({ timeoutMs, isOfConnector, caller }: DeadlineOptions) {
    this.timer = setTimeout(() => this.controller.abort(), timeoutMs);
    this.timeoutMs = timeoutMs;
    this.isOfConnector = isOfConnector;
    this.caller = caller;
    this.endsAt = performance.now() + timeoutMs;
    // `AbortSignal.any` takes 60 microseconds, a listener 5.
    if (caller.aborted) this.onCallerAbort();
    else caller.addEventListener('abort', this.onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get hasPassed(): boolean {
    return this.signal.aborted;
  }

  get remainingMs(): number {
    return this.endsAt - performance.now();
  }

  /** Resolves early at the deadline. */
  async sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  fault(connector: string): CallFault {
    if (this.caller.aborted)
      return { code: 'unavailable', message: 'The call was given up before it ended.', retryAfter: 1 };
    return { code: 'timeout', message: `"${connector}" did not answer within ${this.timeoutMs} ms.` };
  }

  end(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.onCallerAbort);
  }
}
