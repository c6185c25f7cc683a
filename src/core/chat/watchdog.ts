import { ProviderFault } from './provider.ts';

/** Made once: an error of its own for each would take longer than what it stands for. */
const NOT_WANTED = new Error('The answer is not wanted any more.');

/**
 * Ends an upstream request when its caller leaves, when nothing came for too long, or when its answer is not wanted any
 * more. One timer, set anew: a timer for each part would cost more than the part.
 */
export class Watchdog {
  private readonly controller = new AbortController();
  private readonly caller: AbortSignal;
  private readonly leave = () => this.abort(this.caller.reason);
  private timer: NodeJS.Timeout | undefined;
  /** Of what is waited for. Null while it is the reader's turn: whoever is slow there is not the provider. */
  private giveUp: ((reason: unknown) => void) | null = null;

  constructor(caller: AbortSignal) {
    this.caller = caller;
    if (caller.aborted) this.leave();
    else caller.addEventListener('abort', this.leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** From now on something must come within so many milliseconds, whenever it is waited for. */
  expect(limitMs: number, what: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.giveUp) this.abort(new ProviderFault('timeout', what));
      else this.timer?.refresh();
    }, limitMs).unref();
  }

  /** Resolves as the work does, or rejects at once when the request is ended: an SDK may not notice that. */
  wait<Result>(work: Promise<Result>): Promise<Result> {
    this.timer?.refresh();
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) reject(this.signal.reason);
      this.giveUp = reject;
      // What the work does after it was given up is nobody's concern.
      work.then(
        (result) => {
          this.giveUp = null;
          resolve(result);
        },
        (error: unknown) => {
          this.giveUp = null;
          reject(error);
        },
      );
    });
  }

  /** The answer is whole: there is nothing left to watch. */
  end(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.leave);
  }

  /** Ends the request, too: nobody wants the rest of its answer. */
  stop(): void {
    this.end();
    if (!this.signal.aborted) this.controller.abort(NOT_WANTED);
  }

  /** What an error means: what the watch has done shows as what made it do so. */
  explain(error: unknown): unknown {
    const { signal } = this;
    return signal.aborted && signal.reason instanceof ProviderFault ? signal.reason : error;
  }

  private abort(reason: unknown): void {
    this.controller.abort(reason);
    this.giveUp?.(reason);
  }
}
