import { RuntimeError } from './errors.ts';

export interface LimiterOptions {
  /** How many may be inside at once. */
  concurrency: number;
  /** How many may wait beside these. */
  maxQueue: number;
  /** What is said to those for whom there is no room to wait. */
  rejection: string;
}

/** Lets few in at once and some more wait: what costs much of a processor must not take all of it from the others. */
export class Limiter {
  private readonly width: number;
  private readonly room: number;
  private readonly refusal: string;
  private readonly waiting: (() => void)[] = [];
  private inside = 0;

  constructor({ concurrency: width, maxQueue: room, rejection: refusal }: LimiterOptions) {
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
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
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

export interface RunOptions extends LimiterOptions {
  /** Ends the waiting, and nothing of the work. */
  signal?: AbortSignal;
}

/** A gate for each key: who asks for much waits for themselves, and not the others. */
export class KeyedLimiter {
  private readonly options: LimiterOptions;
  /** Those that somebody is inside of. */
  private readonly byKey = new Map<string, Limiter>();

  constructor(options: LimiterOptions) {
    this.options = options;
  }

  /**
   * Does the work when there is a place for it at the gate of the key, which is as wide as whoever comes first says. Throws
   * as the gate does.
   */
  async run<Result>(key: string, work: () => Promise<Result>, options: RunOptions = this.options): Promise<Result> {
    const gate = this.byKey.get(key) ?? new Limiter(options);
    this.byKey.set(key, gate);
    try {
      return await gate.run(work, options.signal);
    } finally {
      // Of two who leave at once the first has removed it, and there may be another in its place.
      if (gate.isIdle && this.byKey.get(key) === gate) this.byKey.delete(key);
    }
  }
}
