import { RuntimeError } from './errors.ts';

/** Lets few in at once and some more wait: what costs much of a processor must not take all of it from the others. */
export class Gate {
  private readonly width: number;
  private readonly room: number;
  private readonly refusal: string;
  private readonly waiting: (() => void)[] = [];
  private inside = 0;

  /** `refusal` is what is said to those for whom there is no room to wait. */
  constructor({ width, room, refusal }: { width: number; room: number; refusal: string }) {
    this.width = width;
    this.room = room;
    this.refusal = refusal;
  }

  /** Whether nobody is inside. */
  get isIdle(): boolean {
    return this.inside === 0;
  }

  /** Does the work when there is a place for it. Throws `unavailable` when too many wait already. */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.inside >= this.width) await this.turn();
    else this.inside += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.inside -= 1;
    }
  }

  /** Resolves with the place of one who has left. */
  private turn(): Promise<void> {
    if (this.waiting.length >= this.room) {
      throw new RuntimeError('unavailable', this.refusal, { retryAfter: 1 });
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
