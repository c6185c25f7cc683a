/** Runs tasks one at a time, in the order in which they were asked for. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Settles as the task does. A task that fails holds up none after it. */
  runExclusive<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }
}
