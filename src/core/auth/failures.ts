export const WINDOW_MS = 15 * 60_000;
/** Of more names, the one that failed longest ago is forgotten. */
const MAX_NAMES = 10_000;

/**
 * Counts failures of each name within the last fifteen minutes. In memory, for at most ten thousand names. `now` is
 * milliseconds of a monotonic clock: the time of day may be set back.
 */
export class RecentFailures {
  /** When each failed, oldest first; the name that failed last comes last (LRU). */
  private readonly times = new Map<string, number[]>();

  count(name: string, now: number): number {
    return this.recent(name, now).length;
  }

  /** Milliseconds until fewer than `limit` are left of all these names together; 0: there are fewer already. */
  waitFor(names: string[], limit: number, now: number): number {
    const recent = names.flatMap((name) => this.recent(name, now)).sort((one, other) => one - other);
    const oldest = recent[recent.length - limit];
    return oldest === undefined ? 0 : oldest + WINDOW_MS - now;
  }

  add(name: string, now: number): void {
    const recent = this.recent(name, now);
    this.times.delete(name);
    this.times.set(name, [...recent, now]);
    if (this.times.size <= MAX_NAMES) return;
    const [longestAgo] = this.times.keys();
    this.times.delete(longestAgo!);
  }

  undo(name: string, at: number): void {
    const times = this.times.get(name) ?? [];
    const index = times.indexOf(at);
    if (index === -1) return;
    if (times.length === 1) this.times.delete(name);
    else this.times.set(name, times.toSpliced(index, 1));
  }

  /** Forgets every name that begins so. Returns how many failures that were. */
  forget(prefix: string, now: number): number {
    let forgotten = 0;
    for (const name of [...this.times.keys()].filter((one) => one.startsWith(prefix))) {
      forgotten += this.count(name, now);
      this.times.delete(name);
    }
    return forgotten;
  }

  private recent(name: string, now: number): number[] {
    return (this.times.get(name) ?? []).filter((at) => at > now - WINDOW_MS);
  }
}
