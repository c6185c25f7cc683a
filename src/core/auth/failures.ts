import { LRUCache } from 'lru-cache';

const WINDOW_MS = 15 * 60_000;
const MAX_NAMES = 10_000;

/** Failures per name in the last fifteen minutes, unless another time is given (LRU cache). Times are monotonic milliseconds. */
export class RecentFailures {
  private readonly windowMs: number;
  private readonly times = new LRUCache<string, number[]>({ max: MAX_NAMES });

  constructor(windowMs = WINDOW_MS) {
    this.windowMs = windowMs;
  }

  count(name: string, now: number): number {
    return this.recent(name, now).length;
  }

  /** Milliseconds until these names together have fewer than `limit` failures. */
  waitFor(names: string[], limit: number, now: number): number {
    const recent = names.flatMap((name) => this.recent(name, now)).sort((one, other) => one - other);
    const oldest = recent[recent.length - limit];
    return oldest === undefined ? 0 : oldest + this.windowMs - now;
  }

  add(name: string, now: number): void {
    this.times.set(name, [...this.recent(name, now), now]);
  }

  undo(name: string, at: number): void {
    const times = this.times.peek(name) ?? [];
    const index = times.indexOf(at);
    if (index === -1) return;
    times.splice(index, 1);
    if (times.length === 0) this.times.delete(name);
  }

  forget(prefix: string, now: number): number {
    let forgotten = 0;
    for (const name of [...this.times.keys()].filter((one) => one.startsWith(prefix))) {
      forgotten += this.count(name, now);
      this.times.delete(name);
    }
    return forgotten;
  }

  /** Uses `peek`: only a new failure refreshes a name in the LRU cache. */
  private recent(name: string, now: number): number[] {
    return (this.times.peek(name) ?? []).filter((at) => at > now - this.windowMs);
  }
}
