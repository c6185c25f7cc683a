import { RuntimeError } from './errors.ts';

export interface GateOptions {
  /** How many may be inside at once. */
  width: number;
  /** How many may wait beside these. */
  room: number;
  /** What is said to those for whom there is no room to wait. */
  refusal: string;
}

/** Lets few in at once and some more wait: what costs much of a processor must not take all of it from the others. */
export class Gate {
  private readonly width: number;
  private readonly room: number;
  private readonly refusal: string;
  private readonly waiting: (() => void)[] = [];
  private inside = 0;

  constructor({ width, room, refusal }: GateOptions) {
    this.width = width;
    this.room = room;
    this.refusal = refusal;
  }

  /** Whether nobody is inside. */
  get isIdle(): boolean {
    return this.inside === 0;
  }

  /**
   * Does the work when there is a place for it. Throws `unavailable` when too many wait already, and the signal's reason when
   * whoever waits leaves: their place in the line is another's at once.
   */
  async pass<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.inside >= this.width) await this.turn(signal);
    else this.inside += 1;
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.inside -= 1;
    }
  }

  /** Resolves with the place of one who has left. */
  private turn(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.waiting.length >= this.room) {
      throw new RuntimeError('unavailable', this.refusal, { retryAfter: 1 });
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiting.push(enter);
    });
  }
}

export interface PassOptions extends GateOptions {
  /** Ends the waiting, and nothing of the work. */
  signal?: AbortSignal;
}

/** A gate for each key: who asks for much waits for themselves, and not the others. */
export class Gates {
  private readonly options: GateOptions;
  /** Those that somebody is inside of. */
  private readonly byKey = new Map<string, Gate>();

  constructor(options: GateOptions) {
    this.options = options;
  }

  /**
   * Does the work when there is a place for it at the gate of the key, which is as wide as whoever comes first says. Throws
   * as the gate does.
   */
  async pass<Result>(key: string, work: () => Promise<Result>, options: PassOptions = this.options): Promise<Result> {
    const gate = this.byKey.get(key) ?? new Gate(options);
    this.byKey.set(key, gate);
    try {
      return await gate.pass(work, options.signal);
    } finally {
      // Of two who leave at once the first has removed it, and there may be another in its place.
      if (gate.isIdle && this.byKey.get(key) === gate) this.byKey.delete(key);
    }
  }
}
