import { RuntimeError } from '../shared/errors.ts';

export interface FairLimiterOptions {
  concurrency: number;
  /** Slots per key while no other key is active. */
  perKeyAlone: number;
  /** Slots per key while another key is active. */
  perKeyContended: number;
  /** Waiting tasks per key. */
  maxQueue: number;
  /** Waiting tasks of all keys. Default: no bound. */
  maxQueueOfAll?: number;
  /** Default: no bound. */
  maxWaitMs?: number;
  /** The message when the queue is full or the wait too long. */
  rejection: string;
  /** The `retryAfter` of the rejection, in seconds. */
  retryAfter?: number;
}

/** A key stays active for so long after its last task; other keys leave it a slot. */
const ACTIVE_MS = 5_000;

interface Lane {
  running: number;
  waiting: (() => void)[];
}

/** A concurrency limiter that gives free slots to keys in rotation. */
export class FairLimiter {
  private readonly options: FairLimiterOptions;
  private readonly now: () => number;
  /** Least recently used first. */
  private readonly lanes = new Map<string, Lane>();
  private running = 0;
  private waiting = 0;
  private recent: { key: string; at: number }[] = [];

  /** `now` in milliseconds. */
  constructor(options: FairLimiterOptions, now: () => number = () => performance.now()) {
    this.options = options;
    this.now = now;
  }

  /** Throws `unavailable`, or the signal's reason. A running task must watch the signal itself. */
  async run<Result>(key: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    this.noteActive(key);
    const lane = this.lanes.get(key) ?? { running: 0, waiting: [] };
    this.lanes.set(key, lane);
    if (lane.waiting.length === 0 && this.hasSlot(key, lane)) this.take(key, lane);
    else await this.wait(key, lane, signal);
    try {
      return await task();
    } finally {
      this.release(key, lane);
    }
  }

  private hasSlot(key: string, { running }: Lane): boolean {
    const { concurrency, perKeyAlone, perKeyContended } = this.options;
    return this.running < concurrency && running < (this.isContended(key) ? perKeyContended : perKeyAlone);
  }

  /** Whether several tasks run. */
  get isBusy(): boolean {
    return this.running > 1;
  }

  /** Whether another key has tasks, or had one in the last five seconds. */
  isContended(key: string): boolean {
    const other = this.recent.find((one) => one.key !== key);
    return this.lanes.size > 1 || (other !== undefined && this.now() - other.at < ACTIVE_MS);
  }

  private noteActive(key: string): void {
    const others = this.recent.filter((one) => one.key !== key);
    this.recent = [{ key, at: this.now() }, ...others.slice(0, 1)];
  }

  private take(key: string, lane: Lane): void {
    lane.running += 1;
    this.running += 1;
    this.moveToEnd(key, lane);
  }

  private release(key: string, lane: Lane): void {
    lane.running -= 1;
    this.running -= 1;
    this.noteActive(key);
    this.moveToEnd(key, lane);
    this.startWaiting();
  }

  private moveToEnd(key: string, lane: Lane): void {
    this.lanes.delete(key);
    if (lane.running > 0 || lane.waiting.length > 0) this.lanes.set(key, lane);
  }

  /** Prefers keys with the fewest running tasks, then the least recently used. */
  private startWaiting(): void {
    for (;;) {
      const ready = [...this.lanes].filter(([key, lane]) => lane.waiting.length > 0 && this.hasSlot(key, lane));
      const [first] = ready.sort(([, one], [, other]) => one.running - other.running);
      if (!first) return;
      const [key, lane] = first;
      this.take(key, lane);
      lane.waiting.shift()?.();
    }
  }

  private wait(key: string, lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    const { maxQueue, maxQueueOfAll = Number.POSITIVE_INFINITY, maxWaitMs } = this.options;
    if (lane.waiting.length >= maxQueue || this.waiting >= maxQueueOfAll) {
      this.forgetIfIdle(key, lane);
      return Promise.reject(this.rejection());
    }
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        this.waiting -= 1;
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const start = () => {
        stopWaiting();
        resolve();
      };
      const stop = (reason: unknown) => {
        stopWaiting();
        lane.waiting.splice(lane.waiting.indexOf(start), 1);
        this.forgetIfIdle(key, lane);
        reject(reason);
      };
      const abort = () => stop(signal?.reason);
      const timer = maxWaitMs && setTimeout(() => stop(this.rejection()), maxWaitMs).unref();
      signal?.addEventListener('abort', abort, { once: true });
      lane.waiting.push(start);
      this.waiting += 1;
    });
  }

  private forgetIfIdle(key: string, { running, waiting }: Lane): void {
    if (running === 0 && waiting.length === 0) this.lanes.delete(key);
  }

  private rejection(): RuntimeError {
    const { rejection, retryAfter = 1 } = this.options;
    return new RuntimeError('unavailable', rejection, { retryAfter });
  }
}
