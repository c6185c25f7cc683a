/** One after the other, in the order of asking. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  take<Result>(use: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(use);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
