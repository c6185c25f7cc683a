import { RuntimeError } from '../errors.ts';

/** Lets few in at once and some more wait: what costs much of a processor must not take all of it from the others. */
export class Gate {
  private readonly width: number;
  private readonly room: number;
  private readonly waiting: (() => void)[] = [];
  private inside = 0;

  constructor({ width, room }: { width: number; room: number }) {
    this.width = width;
    this.room = room;
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
      throw new RuntimeError('unavailable', 'Too many passwords are being checked at once. Try again.', {
        retryAfter: 1,
      });
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
