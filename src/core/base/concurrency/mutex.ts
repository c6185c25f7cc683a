export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** A failed task does not stop the next ones. */
  runExclusive<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }
}
