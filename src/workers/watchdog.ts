import { UnreadableDocument } from '../core/knowledge/reader.ts';

const MEGABYTE = 1_000_000;

export interface WatchdogOptions {
  /** Bytes that the process holds; default: its resident set. */
  rss?: () => number;
  /** Milliseconds between looks. */
  every?: number;
  /** Milliseconds after which the memory of a task that has ended, or was aborted, has come back. */
  grace?: number;
  now?: () => number;
}

interface Task {
  /** Bytes. */
  allowance: number;
  /** What the process held when it began. */
  before: number;
  controller: AbortController;
}

interface EndedTask {
  allowance: number;
  at: number;
}

/**
 * Ends tasks in threads that take more memory than they may. The limits of a thread bound JavaScript's heap alone, not
 * buffers nor WebAssembly, and the operating system counts for the whole process: so what can be seen is only that all tasks
 * together take too much.
 *
 * Together they may add what each of them may, to what the process held when the oldest of them began. Nobody is ended
 * while that holds, so no task pays for another that is within its own bounds. Beyond it at least one is guilty; most
 * likely one that may take most, for they read what unpacks, and of these the one that began last, for the others have
 * been well so far. It is aborted. If the memory has not come back after a while of grace, it was another: the next follows.
 *
 * What a task held comes back some time after its end. Until then the largest allowance of those that have ended counts,
 * too: one only, because whatever a thread read before, its next task reads with the same memory.
 *
 * Looks only while tasks run.
 */
export class MemoryWatchdog {
  readonly #rss: () => number;
  readonly #every: number;
  readonly #grace: number;
  readonly #now: () => number;
  /** In the order in which they began. */
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
   * Runs a task that may add so many bytes to what the process holds. Rejects with UnreadableDocument when it took more. The
   * task must end soon when its signal, which also follows the given one, is aborted.
   */
  async guard<T>(allowance: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const task: Task = { allowance, before: this.#rss(), controller: new AbortController() };
    this.#tasks.add(task);
    this.#timer ??= setInterval(() => this.look(), this.#every).unref();
    try {
      return await run(AbortSignal.any([signal, task.controller.signal]));
    } catch (error) {
      throw task.controller.signal.aborted ? task.controller.signal.reason : error;
    } finally {
      this.#tasks.delete(task);
      this.#ended = [...this.#lingering(), { allowance, at: this.#now() }];
      if (this.#tasks.size === 0) this.#rest();
    }
  }

  /** Aborts at most one task. Called by the timer; by hand in tests. */
  look(): void {
    const now = this.#now();
    this.#ended = this.#lingering();
    if (now - this.#lastAbort < this.#grace || this.#rss() <= this.#limit()) return;
    const suspect = suspectOf([...this.#tasks].filter(({ controller }) => !controller.signal.aborted));
    if (!suspect) return;
    this.#lastAbort = now;
    suspect.controller.abort(tooMuch(suspect.allowance));
  }

  /** Those that have ended of late. Of many short tasks no look would ever forget any. */
  #lingering(): EndedTask[] {
    const now = this.#now();
    return this.#ended.filter(({ at }) => now - at < this.#grace);
  }

  /** What the process may hold while these tasks run. */
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

/** Of those with the largest allowance the one that began last. */
function suspectOf(tasks: readonly Task[]): Task | undefined {
  return tasks.reduce<Task | undefined>(
    (suspect, task) => (suspect && suspect.allowance > task.allowance ? suspect : task),
    undefined,
  );
}
