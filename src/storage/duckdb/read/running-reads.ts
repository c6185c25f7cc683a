/** A read that takes less time cannot hold much memory, and gives way to none. */
const LASTING_MS = 50;
/** One that takes less is not to blame when it finds no memory; a read that has waited to run alone waits for its end. */
const LONG_MS = 500;

/** A read while it runs. */
export interface Read {
  /** Aborted when the read has to give way. */
  readonly shed: AbortSignal;
  readonly isShed: boolean;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  giveWay(): void;
  end(): void;
}

interface Entry extends Read {
  startedAt: number;
  alone: boolean;
  lasting: boolean;
}

/** The reads that run, and which of them probably hold the most memory: the engine tells only what all hold together. */
export class RunningReads {
  private readonly onChange: () => void;
  /** The oldest first. */
  private readonly running = new Set<Entry>();

  /** `onChange` hears of reads that have become lasting ones, or have ended as such. */
  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  /** Those that have run for a while, the oldest first. */
  get lasting(): Entry[] {
    return [...this.running].filter((read) => read.lasting);
  }

  /** `alone`: no other read of this kind runs, and no maintenance. `since`: when it was first begun, of the monotonic clock. */
  begin(alone: boolean, since: number): Read {
    const shed = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      read.lasting = true;
      this.onChange();
    }, LASTING_MS);
    const read: Entry = {
      startedAt: since,
      alone,
      lasting: false,
      shed: shed.signal,
      ended,
      get isShed() {
        return shed.signal.aborted;
      },
      giveWay: () => shed.abort(new Error('gives way')),
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

  /** Ends the read that runs alone, if there is one. */
  shedAlone(): void {
    for (const read of this.running) if (read.alone) read.giveWay();
  }

  /** The read that has to give way to a write: the oldest. */
  heaviest(): Read | null {
    return this.lasting[0] ?? null;
  }

  /**
   * Makes room for a read that found no memory and has ended: another one gives way, an older one as a rule. Resolves when
   * that has ended, with false at once when the read itself is the one that would have to give way.
   */
  async makeRoomFor(read: Read): Promise<boolean> {
    const entry = read as Entry;
    const heavier = this.heavierThan(entry);
    if (heavier === null) return false;
    const waitMs = entry.alone ? Math.max(0, heavier.startedAt + LONG_MS - performance.now()) : 0;
    const timer = setTimeout(() => heavier.giveWay(), waitMs);
    await heavier.ended;
    clearTimeout(timer);
    return true;
  }

  private heavierThan(read: Entry): Entry | null {
    // Any other read may have taken what a second attempt lacks, however briefly it has run.
    if (read.alone) return [...this.running].find((other) => other !== read) ?? null;
    const others = this.lasting.filter((other) => other !== read);
    const oldest = others.find((other) => !other.alone);
    if (performance.now() - read.startedAt < LONG_MS) return oldest ?? others[0] ?? null;
    return oldest && oldest.startedAt < read.startedAt ? oldest : null;
  }
}
