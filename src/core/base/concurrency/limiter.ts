import { RuntimeError } from '../shared/errors.ts';

export interface LimiterOptions {
  concurrency: number;
  maxQueue: number;
  rejection: string;
}

/** A concurrency limiter with a bounded queue, for CPU-bound work. */
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

  /** Throws `unavailable` when the queue is full, and the signal's reason when it ends the wait. */
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

export interface RunOptions extends Partial<LimiterOptions> {
  /** Ends the wait, but not the task. */
  signal?: AbortSignal | undefined;
}

/** One limiter per key. */
export class KeyedLimiter {
  private readonly options: LimiterOptions;
  private readonly byKey = new Map<string, Limiter>();

  constructor(options: LimiterOptions) {
    this.options = options;
  }

  /** Like `Limiter.run`. The first task of a key sets the limits until it is idle. */
  async run<Result>(key: string, task: () => Promise<Result>, { signal, ...limits }: RunOptions = {}): Promise<Result> {
    const limiter = this.byKey.get(key) ?? new Limiter({ ...this.options, ...limits });
    this.byKey.set(key, limiter);
    try {
      return await limiter.run(task, signal);
    } finally {
      // When two tasks end at once, the key may already have a new limiter.
      if (limiter.isIdle && this.byKey.get(key) === limiter) this.byKey.delete(key);
    }
  }
}

/** An export holds pages in memory until its client has read them. */
const MAX_EXPORTS = { perTenant: 3, total: 12 };

export class ExportLimiter {
  private readonly running: string[] = [];

  /** Starts with the first chunk read. Throws `unavailable` when too many exports run. */
  async *run(tenantId: string, chunks: AsyncGenerator<string>): AsyncGenerator<string> {
    const ofTenant = this.running.filter((one) => one === tenantId).length;
    if (ofTenant >= MAX_EXPORTS.perTenant || this.running.length >= MAX_EXPORTS.total) {
      throw new RuntimeError('unavailable', 'Too many exports are under way. Try again when one has ended.', {
        retryAfter: 10,
      });
    }
    this.running.push(tenantId);
    try {
      yield* chunks;
    } finally {
      this.running.splice(this.running.indexOf(tenantId), 1);
    }
  }
}
