/** One after the other, in the order of asking. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  runExclusive<Result>(use: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(use);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
