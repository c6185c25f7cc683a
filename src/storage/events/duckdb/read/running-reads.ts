/** Shorter reads hold little memory, and are never preempted. */
const LASTING_MS = 50;
/** A second attempt lets another read run for this long. Younger reads did not take the memory. */
const LONG_MS = 500;

export interface Read {
  readonly preempted: AbortSignal;
  readonly isPreempted: boolean;
  readonly ended: Promise<void>;
  preempt(): void;
  end(): void;
  readonly startedAt: number;
  readonly alone: boolean;
  lasting: boolean;
  /** Another read found no memory during it. */
  contended: boolean;
}

/** The oldest read probably has the most memory: the engine reports only the sum. */
export class RunningReads {
  private readonly onChange: () => void;
  /** Oldest first. */
  private readonly running = new Set<Read>();

  /** `onChange`: a lasting read begins or ends. */
  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  get lasting(): Read[] {
    return [...this.running].filter((read) => read.lasting);
  }

  /** `alone`: a second attempt. `since`: start of the first one, on the monotonic clock. */
  begin(alone: boolean, since: number): Read {
    const controller = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      read.lasting = true;
      this.onChange();
    }, LASTING_MS);
    const read: Read = {
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

  preemptAlone(): void {
    for (const read of this.running) if (read.alone) read.preempt();
  }

  oldestLasting(): Read | null {
    return this.lasting[0] ?? null;
  }

  /**
   * Preempts another read for one that found no memory, and awaits its end. False: there is none.
   * A young read preempts a second attempt only once: if it fails again, it needs much itself.
   */
  async preemptFor(read: Read, attempt: number): Promise<boolean> {
    for (const other of this.running) other.contended = true;
    const heavier = this.heavierThan(read, attempt);
    // The read that took the memory may have ended by the same lack of it.
    if (heavier === null) return read.alone && read.contended;
    const waitMs = read.alone ? Math.max(0, heavier.startedAt + LONG_MS - performance.now()) : 0;
    const timer = setTimeout(() => heavier.preempt(), waitMs);
    await heavier.ended;
    clearTimeout(timer);
    return true;
  }

  private heavierThan(read: Read, attempt: number): Read | null {
    // Even a young read may hold the memory that a second attempt lacks.
    if (read.alone) return [...this.running].find((other) => other !== read) ?? null;
    const others = this.lasting.filter((other) => other !== read);
    const oldest = others.find((other) => !other.alone);
    if (performance.now() - read.startedAt < LONG_MS) return oldest ?? (attempt === 1 ? others[0] : null) ?? null;
    return oldest && oldest.startedAt < read.startedAt ? oldest : null;
  }
}
