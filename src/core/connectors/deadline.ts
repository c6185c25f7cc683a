import { setTimeout as sleep } from 'node:timers/promises';
import type { CallFault } from './failure.ts';

/** Until when a call may go on: it is stopped when its time is over, or when whoever called leaves. */
export class Deadline {
  readonly signal: AbortSignal;
  /** Whether the time is what the connector has, and not less because a caller wanted it so. */
  readonly isOfConnector: boolean;
  private readonly timeoutMs: number;
  private readonly endsAt: number;
  private readonly caller: AbortSignal;
  private readonly timer: NodeJS.Timeout;

  constructor({
    timeoutMs,
    isOfConnector,
    caller,
  }: { timeoutMs: number; isOfConnector: boolean; caller: AbortSignal }) {
    const late = new AbortController();
    this.timer = setTimeout(() => late.abort(), timeoutMs);
    this.signal = AbortSignal.any([caller, late.signal]);
    this.timeoutMs = timeoutMs;
    this.isOfConnector = isOfConnector;
    this.caller = caller;
    this.endsAt = performance.now() + timeoutMs;
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

  /** Settles as the work does, or rejects when it has passed before; the work is told by the signal. */
  async race<Result>(work: Promise<Result>): Promise<Result> {
    let leave = () => {};
    const passed = new Promise<never>((_, reject) => {
      leave = () => reject(this.signal.reason);
      if (this.signal.aborted) leave();
      else this.signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([work, passed]);
    } finally {
      this.signal.removeEventListener('abort', leave);
    }
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
  }
}
