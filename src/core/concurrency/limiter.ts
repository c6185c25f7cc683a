import { RuntimeError } from '../shared/errors.ts';

export interface LimiterOptions {
  concurrency: number;
  maxQueue: number;
  /** The message for a task that finds the queue full. */
  rejection: string;
}

/** A concurrency limiter with a bounded queue, for work that takes much of a processor. */
export class Limiter {
  private readonly options: LimiterOptions;
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(options: LimiterOptions) {
    this.options = options;
  }

  get isIdle(): boolean {
    return this.running === 0;
  }

  /**
   * Runs the task when a slot is free. Throws `unavailable` when the queue is full, and the
   * signal's reason when it is aborted while the task waits.
   */
  async run<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.running >= this.options.concurrency) await this.waitForSlot(signal);
    else this.running += 1;
    try {
      signal?.throwIfAborted();
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  /** Resolves with the slot of a task that has ended. */
  private waitForSlot(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.waiting.length >= this.options.maxQueue) {
      throw new RuntimeError('unavailable', this.options.rejection, { retryAfter: 1 });
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = () => {
        this.waiting.splice(this.waiting.indexOf(start), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.push(start);
    });
  }
}

export interface RunOptions extends LimiterOptions {
  /** Ends the waiting, but not the task. */
  signal?: AbortSignal;
}

/** A limiter per key, so that the tasks of one key do not delay those of others. */
export class KeyedLimiter {
  private readonly options: LimiterOptions;
  /** Limiters with running tasks. */
  private readonly byKey = new Map<string, Limiter>();

  constructor(options: LimiterOptions) {
    this.options = options;
  }

  /** Runs the task as `Limiter.run`. The first task of a key sets the limits until it is idle. */
  async run<Result>(key: string, task: () => Promise<Result>, options: RunOptions = this.options): Promise<Result> {
    const limiter = this.byKey.get(key) ?? new Limiter(options);
    this.byKey.set(key, limiter);
    try {
      return await limiter.run(task, options.signal);
    } finally {
      // When two tasks end at once, the first has removed the limiter and a new one may have its
      // key.
      if (limiter.isIdle && this.byKey.get(key) === limiter) this.byKey.delete(key);
    }
  }
}
