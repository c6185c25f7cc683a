import { ProviderFault } from './provider.ts';

/** Shared: an error per request would cost more than the abort. */
const NOT_WANTED = new Error('The answer is not wanted any more.');

/** Ends a request on disconnect or silence. One timer: one per event costs more than the event. */
export class Watchdog {
  private readonly controller = new AbortController();
  private readonly caller: AbortSignal;
  private readonly onAbort = () => this.abort(this.caller.reason);
  private timer: NodeJS.Timeout | undefined;
  /** Null while the reader works: its slowness is not the provider's. */
  private rejectWait: ((reason: unknown) => void) | null = null;

  constructor(caller: AbortSignal) {
    this.caller = caller;
    if (caller.aborted) this.onAbort();
    else caller.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The limit of each wait from now on. `what` is the fault's message. */
  expect(limitMs: number, what: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.rejectWait) this.abort(new ProviderFault('timeout', what));
      else this.timer?.refresh();
    }, limitMs).unref();
  }

  /** Rejects as soon as the request is ended: an SDK may not notice. */
  wait<Result>(work: Promise<Result>): Promise<Result> {
    this.timer?.refresh();
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) reject(this.signal.reason);
      this.rejectWait = reject;
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

  finish(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.onAbort);
  }

  abortRequest(): void {
    this.finish();
    if (!this.signal.aborted) this.controller.abort(NOT_WANTED);
  }

  /** The fault that ended the request, or the error itself. */
  explain(error: unknown): unknown {
    const { signal } = this;
    return signal.aborted && signal.reason instanceof ProviderFault ? signal.reason : error;
  }

  private abort(reason: unknown): void {
    this.controller.abort(reason);
    this.rejectWait?.(reason);
  }
}
