/** A shorter read cannot hold much memory, and is never preempted. */
const LASTING_MS = 50;
/**
 * A younger read that finds no memory is not the cause. A second attempt gives another read this
 * long to end before it preempts it.
 */
const LONG_MS = 500;

/** A running read. */
export interface Read {
  /** Aborted when the read is preempted. */
  readonly preempted: AbortSignal;
  readonly isPreempted: boolean;
  /** Resolves when the read has ended. */
  readonly ended: Promise<void>;
  preempt(): void;
  end(): void;
}

interface Entry extends Read {
  startedAt: number;
  alone: boolean;
  lasting: boolean;
  /** Another read found no memory while this one ran. */
  contended: boolean;
}

/**
 * The running reads. The oldest probably holds the most memory: the engine reports only the sum of
 * all reads.
 */
export class RunningReads {
  private readonly onChange: () => void;
  /** Oldest first. */
  private readonly running = new Set<Entry>();

  /** `onChange` is called when a read becomes a lasting one, and when a lasting one ends. */
  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  /** The reads that have run for a while, oldest first. */
  get lasting(): Entry[] {
    return [...this.running].filter((read) => read.lasting);
  }

  /** `alone`: a second attempt. `since`: start of the first attempt, on the monotonic clock. */
  begin(alone: boolean, since: number): Read {
    const controller = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      read.lasting = true;
      this.onChange();
    }, LASTING_MS);
    const read: Entry = {
      startedAt: since,
      alone,
      lasting: false,
      contended: false,
      preempted: controller.signal,
      ended,
      get isPreempted() {
        return controller.signal.aborted;
      },
      preempt: () => controller.abort(new Error('preempted')),
      end: () => {
        if (!this.running.delete(read)) return;
        clearTimeout(timer);
        resolve();
        if (read.lasting) this.onChange();
      },
    };
    this.running.add(read);
    return read;
  }

  /** Preempts the second attempt, if one runs. */
  preemptAlone(): void {
    for (const read of this.running) if (read.alone) read.preempt();
  }

  /** The read to preempt for a write. */
  oldestLasting(): Read | null {
    return this.lasting[0] ?? null;
  }

  /**
   * Preempts another read, normally an older one, for a read that found no memory and has ended.
   * Resolves when that has ended, or with false at once when no other read has to give up its
   * memory. A young read preempts a second attempt only once: if it finds no memory again, it
   * needs much itself.
   */
  async preemptFor(read: Read, attempt: number): Promise<boolean> {
    const entry = read as Entry;
    for (const other of this.running) other.contended = true;
    const heavier = this.heavierThan(entry, attempt);
    // The read that took the memory may have ended by the same lack of it.
    if (heavier === null) return entry.alone && entry.contended;
    const waitMs = entry.alone ? Math.max(0, heavier.startedAt + LONG_MS - performance.now()) : 0;
    const timer = setTimeout(() => heavier.preempt(), waitMs);
    await heavier.ended;
    clearTimeout(timer);
    return true;
  }

  private heavierThan(read: Entry, attempt: number): Entry | null {
    // Any other read, however young, may hold the memory that a second attempt lacks.
    if (read.alone) return [...this.running].find((other) => other !== read) ?? null;
    const others = this.lasting.filter((other) => other !== read);
    const oldest = others.find((other) => !other.alone);
    if (performance.now() - read.startedAt < LONG_MS) return oldest ?? (attempt === 1 ? others[0] : null) ?? null;
    return oldest && oldest.startedAt < read.startedAt ? oldest : null;
  }
}
