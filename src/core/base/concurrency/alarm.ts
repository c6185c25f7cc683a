/** Runs a task at the earliest time set. Does not keep the process alive. */
export class Alarm {
  private readonly task: () => void;
  private timer: NodeJS.Timeout | undefined;
  private ringsAt = Number.POSITIVE_INFINITY;

  constructor(task: () => void) {
    this.task = task;
  }

  set(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.ringsAt) return;
    this.cancel();
    this.ringsAt = at;
    this.timer = setTimeout(() => {
      this.ringsAt = Number.POSITIVE_INFINITY;
      this.task();
    }, ms).unref();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.ringsAt = Number.POSITIVE_INFINITY;
  }
}
