/** A read that takes less time cannot hold much memory, and gives way to none. */
const LASTING_MS = 50;

/** A read while it runs. */
export interface Read {
  /** Aborted when the read has to give way. */
  readonly shed: AbortSignal;
  readonly isShed: boolean;
  /** For what it had to. */
  readonly gaveWayTo: 'query' | 'write' | null;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  giveWay(to: 'query' | 'write'): void;
  end(): void;
}

interface Entry extends Read {
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

  /** `alone`: no other read of this kind runs, and no maintenance. */
  begin(alone: boolean): Read {
    const shed = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let gaveWayTo: Read['gaveWayTo'] = null;
    const timer = setTimeout(() => {
      read.lasting = true;
      this.onChange();
    }, LASTING_MS);
    const read: Entry = {
      alone,
      lasting: false,
      shed: shed.signal,
      ended,
      get isShed() {
        return shed.signal.aborted;
      },
      get gaveWayTo() {
        return gaveWayTo;
      },
      giveWay: (to) => {
        gaveWayTo ??= to;
        shed.abort(new Error('gives way'));
      },
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

  /** The read that has to give way to a write: the oldest, and last of all one that runs alone. */
  heaviest(): Read | null {
    const { lasting } = this;
    return lasting.find((read) => !read.alone) ?? lasting[0] ?? null;
  }

  /** The read that has to give way to one that found no memory; null: none but itself. */
  heavierThan(read: Read): Read | null {
    const others = this.lasting.filter((other) => other !== read);
    const entry = read as Entry;
    if (entry.alone) return others[0] ?? null;
    const oldest = others.find((other) => !other.alone);
    if (!entry.lasting) return oldest ?? others[0] ?? null;
    const order = [...this.running];
    return oldest && order.indexOf(oldest) < order.indexOf(entry) ? oldest : null;
  }
}
