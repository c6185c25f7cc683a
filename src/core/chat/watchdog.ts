import { ProviderFault } from './provider.ts';

/** One error for all: creating one for each request would cost more than the abort. */
const NOT_WANTED = new Error('The answer is not wanted any more.');

/**
 * Ends an upstream request on disconnect, after too long a silence, or when its answer is no longer
 * needed. Has one timer and resets it: a timer for each event would cost more than the event.
 */
export class Watchdog {
  private readonly controller = new AbortController();
  private readonly caller: AbortSignal;
  private readonly onAbort = () => this.abort(this.caller.reason);
  private timer: NodeJS.Timeout | undefined;
  /** Rejects the pending wait. Null while the reader works: its slowness is not the provider's. */
  private rejectWait: ((reason: unknown) => void) | null = null;

  constructor(caller: AbortSignal) {
    this.caller = caller;
    if (caller.aborted) this.onAbort();
    else caller.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** From now on, each wait must end within this time. */
  expect(limitMs: number, what: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.rejectWait) this.abort(new ProviderFault('timeout', what));
      else this.timer?.refresh();
    }, limitMs).unref();
  }

  /** Settles like the work, or rejects as soon as the request is ended: an SDK may not notice. */
  wait<Result>(work: Promise<Result>): Promise<Result> {
    this.timer?.refresh();
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) reject(this.signal.reason);
      this.rejectWait = reject;
      // The result of work is ignored once its request has ended.
      work.then(
        (result) => {
          this.rejectWait = null;
          resolve(result);
        },
        (error: unknown) => {
          this.rejectWait = null;
          reject(error);
        },
      );
    });
  }

  /** The answer is complete: stops the timer. */
  finish(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.onAbort);
  }

  /** The answer is not needed: aborts the request as well. */
  abortRequest(): void {
    this.finish();
    if (!this.signal.aborted) this.controller.abort(NOT_WANTED);
  }

  /** The fault that made the watchdog end the request, or the error itself. */
  explain(error: unknown): unknown {
    const { signal } = this;
    return signal.aborted && signal.reason instanceof ProviderFault ? signal.reason : error;
  }

  private abort(reason: unknown): void {
    this.controller.abort(reason);
    this.rejectWait?.(reason);
  }
}
