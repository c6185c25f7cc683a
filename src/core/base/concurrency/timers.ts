/** Timers that tests can replace. */
export interface Timers {
  /** Calls the task once after `ms`. Does not keep the process alive. Returns how to cancel it. */
  after(ms: number, task: () => void): () => void;
}

export const realTimers: Timers = {
  after: (ms, task) => {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Runs a task at the earliest time set. Does not keep the process alive. */
export class Alarm {
  private readonly task: () => void;
  private timer: NodeJS.Timeout | undefined;
  private ringsAt = Number.POSITIVE_INFINITY;

  constructor(task: () => void) {
    this.task = task;
  }

  set(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.ringsAt) return;
    this.cancel();
    this.ringsAt = at;
    this.timer = setTimeout(() => {
      this.ringsAt = Number.POSITIVE_INFINITY;
      this.task();
    }, ms).unref();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.ringsAt = Number.POSITIVE_INFINITY;
  }
}

export async function withTimeout<Result, Late>(
  work: Promise<Result>,
  ms: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([work, late.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects with the signal's reason as soon as it is aborted. The work itself goes on. */
export async function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export interface PeriodicTaskParts {
  everyMs: number;
  /** Until the first run; by default `everyMs`. */
  firstMs?: number;
  run(): unknown;
  timers?: Timers | undefined;
  /** By default a failed run is forgotten: the next one tries again. */
  onError?(error: unknown): void;
}

/**
 * Runs work again and again, one run at a time: a time at which one is under way is left out. Does
 * not keep the process alive.
 */
export class PeriodicTask {
  private readonly parts: PeriodicTaskParts;
  private cancel: () => void = () => undefined;
  private running: Promise<void> | null = null;

  constructor(parts: PeriodicTaskParts) {
    this.parts = parts;
    this.plan(parts.firstMs ?? parts.everyMs);
  }

  /** No run begins any more. Resolves once the one under way has ended. */
  async close(): Promise<void> {
    this.cancel();
    await this.running;
  }

  private plan(ms: number): void {
    const { everyMs, timers = realTimers } = this.parts;
    this.cancel = timers.after(ms, () => {
      this.plan(everyMs);
      this.running ??= this.run().finally(() => {
        this.running = null;
      });
    });
  }

  private async run(): Promise<void> {
    try {
      await this.parts.run();
    } catch (error) {
      this.parts.onError?.(error);
    }
  }
}
