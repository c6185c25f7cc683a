import { PeriodicTask } from '../core/base/concurrency/timers.ts';
import { UnreadableDocument } from '../core/knowledge/reader.ts';

const MEGABYTE = 1_000_000;

export interface WatchdogOptions {
  /** Bytes; default: the resident set of the process. */
  rss?: () => number;
  /** Milliseconds between checks. */
  every?: number;
  /** Milliseconds until the memory of an ended task is free. */
  grace?: number;
  now?: () => number;
}

interface Task {
  allowance: number;
  /** Bytes of the process when the task began. */
  before: number;
  controller: AbortController;
}

interface EndedTask {
  allowance: number;
  at: number;
}

/**
 * Beyond the sum of all allowances, aborts the task with the largest one, the latest first.
 * Only the process total is visible: thread limits cover JavaScript's heap only.
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
  #checking: PeriodicTask | undefined;

  constructor({ rss = process.memoryUsage.rss, every = 50, grace = 2_000, now = Date.now }: WatchdogOptions = {}) {
    this.#rss = rss;
    this.#every = every;
    this.#grace = grace;
    this.#now = now;
  }

  /** Throws UnreadableDocument beyond `allowance` bytes. The task must end when aborted. */
  async guard<T>(allowance: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const task: Task = { allowance, before: this.#rss(), controller: new AbortController() };
    this.#tasks.add(task);
    this.#checking ??= new PeriodicTask({ everyMs: this.#every, run: () => this.check() });
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

  /** Aborts at most one task. */
  check(): void {
    const now = this.#now();
    this.#ended = this.#recentlyEnded();
    if (now - this.#lastAbort < this.#grace || this.#rss() <= this.#limit()) return;
    const suspect = suspectOf([...this.#tasks].filter(({ controller }) => !controller.signal.aborted));
    if (!suspect) return;
    this.#lastAbort = now;
    suspect.controller.abort(tooMuch(suspect.allowance));
  }

  #recentlyEnded(): EndedTask[] {
    const now = this.#now();
    return this.#ended.filter(({ at }) => now - at < this.#grace);
  }

  /** Memory of ended tasks is freed late and reused, so only their largest allowance counts. */
  #limit(): number {
    const tasks = [...this.#tasks];
    const before = Math.min(...tasks.map((task) => task.before));
    const lingering = Math.max(0, ...this.#ended.map((task) => task.allowance));
    return tasks.reduce((sum, task) => sum + task.allowance, before + lingering);
  }

  #rest(): void {
    void this.#checking?.close();
    this.#checking = undefined;
  }
}

function tooMuch(allowance: number): UnreadableDocument {
  const megabytes = Math.round(allowance / MEGABYTE);
  return new UnreadableDocument(
    `The document needs more than ${megabytes} MB of memory to be read. Split it into smaller files.`,
  );
}

function suspectOf(tasks: readonly Task[]): Task | undefined {
  return tasks.reduce<Task | undefined>(
    (suspect, task) => (suspect && suspect.allowance > task.allowance ? suspect : task),
    undefined,
  );
}
