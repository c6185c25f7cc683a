/** Counts, and lets others wait for a count. */
export class Tally {
  count = 0;
  private waiting: { count: number; resolve: () => void }[] = [];

  add(): void {
    this.count += 1;
    for (const { resolve } of this.waiting.filter(({ count }) => count <= this.count)) resolve();
    this.waiting = this.waiting.filter(({ count }) => count > this.count);
  }

  /** Resolves when so many were counted; at once when they were already. */
  reach(count: number): Promise<void> {
    if (this.count >= count) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ count, resolve }));
  }
}
