import { UnreadableDocument } from '../core/knowledge/reader.ts';

const MEGABYTE = 1_000_000;

export interface WatchdogOptions {
  /** Bytes that the process holds; default: its resident set. */
  rss?: () => number;
  /** Milliseconds between checks. */
  every?: number;
  /** Milliseconds until the memory of an ended or aborted task is free again. */
  grace?: number;
  now?: () => number;
}

interface Task {
  /** Bytes. */
  allowance: number;
  /** What the process held when the task began. */
  before: number;
  controller: AbortController;
}

interface EndedTask {
  allowance: number;
  at: number;
}

/**
 * Aborts tasks that exceed their memory allowance. Thread limits cover only JavaScript's heap, not
 * buffers and WebAssembly, and the operating system counts per process, so only the total of all
 * tasks is visible.
 *
 * While the process holds no more than it did when the oldest task began plus the sum of all
 * allowances, no task is aborted: a task never pays for another while it keeps to its own
 * allowance. Beyond that at least one task is at fault, most likely one with the largest allowance,
 * which reads compressed formats, and of those the one that began last. It is aborted. If the
 * memory is not free after a grace period, the next follows.
 *
 * A task's memory is freed some time after its end. Until then the largest allowance of the
 * recently ended tasks counts too: only one, because the next task of a thread reuses its memory.
 *
 * The timer runs only while tasks run.
 */
export class MemoryWatchdog {
  readonly #rss: () => number;
  readonly #every: number;
  readonly #grace: number;
  readonly #now: () => number;
  /** In order of their start. */
  readonly #tasks = new Set<Task>();
  #ended: EndedTask[] = [];
  #lastAbort = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor({ rss = process.memoryUsage.rss, every = 50, grace = 2_000, now = Date.now }: WatchdogOptions = {}) {
    this.#rss = rss;
    this.#every = every;
    this.#grace = grace;
    this.#now = now;
  }

  /**
   * Runs a task that may add `allowance` bytes to the process. Rejects with UnreadableDocument when
   * it exceeded that. The task must end soon after its signal, which also follows `signal`, is
   * aborted.
   */
  async guard<T>(allowance: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const task: Task = { allowance, before: this.#rss(), controller: new AbortController() };
    this.#tasks.add(task);
    this.#timer ??= setInterval(() => this.check(), this.#every).unref();
    try {
      return await run(AbortSignal.any([signal, task.controller.signal]));
    } catch (error) {
      throw task.controller.signal.aborted ? task.controller.signal.reason : error;
    } finally {
      this.#tasks.delete(task);
      this.#ended = [...this.#recentlyEnded(), { allowance, at: this.#now() }];
      if (this.#tasks.size === 0) this.#rest();
    }
  }

  /** Aborts at most one task. Called by the timer, and by tests. */
  check(): void {
    const now = this.#now();
    this.#ended = this.#recentlyEnded();
    if (now - this.#lastAbort < this.#grace || this.#rss() <= this.#limit()) return;
    const suspect = suspectOf([...this.#tasks].filter(({ controller }) => !controller.signal.aborted));
    if (!suspect) return;
    this.#lastAbort = now;
    suspect.controller.abort(tooMuch(suspect.allowance));
  }

  /** Recently ended tasks. Pruned at each end, too, so that short tasks do not pile up. */
  #recentlyEnded(): EndedTask[] {
    const now = this.#now();
    return this.#ended.filter(({ at }) => now - at < this.#grace);
  }

  /** The memory limit of the process while these tasks run. */
  #limit(): number {
    const tasks = [...this.#tasks];
    const before = Math.min(...tasks.map((task) => task.before));
    const lingering = Math.max(0, ...this.#ended.map((task) => task.allowance));
    return tasks.reduce((sum, task) => sum + task.allowance, before + lingering);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function tooMuch(allowance: number): UnreadableDocument {
  const megabytes = Math.round(allowance / MEGABYTE);
  return new UnreadableDocument(
    `The document needs more than ${megabytes} MB of memory to be read. Split it into smaller files.`,
  );
}

/** The task with the largest allowance; of several, the one that began last. */
function suspectOf(tasks: readonly Task[]): Task | undefined {
  return tasks.reduce<Task | undefined>(
    (suspect, task) => (suspect && suspect.allowance > task.allowance ? suspect : task),
    undefined,
  );
}
