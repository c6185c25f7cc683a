import { setTimeout as sleep } from 'node:timers/promises';
import type { CallFault } from './failure.ts';

export interface DeadlineOptions {
  timeoutMs: number;
  /** Whether the time is what the connector has, and not less because a caller wanted it so. */
  isOfConnector: boolean;
  /** Aborted when whoever called leaves. */
  caller: AbortSignal;
}

/** Until when a call may go on: it is stopped when its time is over, or when whoever called leaves. */
export class Deadline {
  /** Whether the time is what the connector has, and not less because a caller wanted it so. */
  readonly isOfConnector: boolean;
  private readonly timeoutMs: number;
  private readonly endsAt: number;
  private readonly caller: AbortSignal;
  private readonly timer: NodeJS.Timeout;
  private readonly passing = new AbortController();
  private readonly leave = () => this.passing.abort(this.caller.reason);

  constructor({ timeoutMs, isOfConnector, caller }: DeadlineOptions) {
    this.timer = setTimeout(() => this.passing.abort(), timeoutMs);
    this.timeoutMs = timeoutMs;
    this.isOfConnector = isOfConnector;
    this.caller = caller;
    this.endsAt = performance.now() + timeoutMs;
    // By hand: with `AbortSignal.any` it took 60 microseconds, and takes 5.
    if (caller.aborted) this.leave();
    else caller.addEventListener('abort', this.leave, { once: true });
  }

  /** Ends what goes on when it has passed. */
  get signal(): AbortSignal {
    return this.passing.signal;
  }

  get hasPassed(): boolean {
    return this.signal.aborted;
  }

  get remainingMs(): number {
    return this.endsAt - performance.now();
  }

  /** Waits, or until it has passed. */
  async sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  /** What is said once it has passed. */
  fault(connector: string): CallFault {
    if (this.caller.aborted)
      return { code: 'unavailable', message: 'The call was given up before it ended.', retryAfter: 1 };
    return { code: 'timeout', message: `"${connector}" did not answer within ${this.timeoutMs} ms.` };
  }

  /** Nobody waits any more. */
  end(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.leave);
  }
}
