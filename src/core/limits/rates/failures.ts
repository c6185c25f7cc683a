import { LRUCache } from 'lru-cache';

/** A counter of failures. `of` tells those of one account apart. */
export interface FailureName {
  counter: string;
  account: string;
  of: string;
}

/** Milliseconds of one clock, which is that of no node in particular. */
export type Times = number[];

/** When logins and second factors failed: in this process, or at any node. */
export interface Failures {
  /**
   * Reads and changes counters; changes of the same counters follow each other, on all nodes. The
   * lists are stored as `change` leaves them; what it throws, changes nothing.
   */
  change<Result>(
    names: readonly FailureName[],
    change: (times: readonly Times[], now: number) => Result,
  ): Promise<Result>;
  /** Empties the counters of the account. Returns their times. */
  forget(counter: string, account: string): Promise<{ times: Times; now: number }>;
}

const MAX_NAMES = 10_000;

/** Failures in this process; each counter keeps the names that failed last (LRU cache). */
export class RecentFailures implements Failures {
  private readonly elapsed: () => number;
  private readonly counters = new Map<string, LRUCache<string, Times>>();

  /** `elapsed`: milliseconds of a monotonic clock. */
  constructor(elapsed: () => number) {
    this.elapsed = elapsed;
  }

  async change<Result>(
    names: readonly FailureName[],
    change: (times: readonly Times[], now: number) => Result,
  ): Promise<Result> {
    const lists = names.map((name) => [...this.timesOf(name)]);
    const result = change(lists, this.elapsed());
    for (const [index, name] of names.entries()) this.keep(name, lists[index]!);
    return result;
  }

  async forget(counter: string, account: string): Promise<{ times: Times; now: number }> {
    const names = this.namesOf(counter);
    const forgotten = [...names.keys()].filter((name) => name.startsWith(account));
    const times = forgotten.flatMap((name) => names.peek(name) ?? []);
    for (const name of forgotten) names.delete(name);
    return { times, now: this.elapsed() };
  }

  /** Uses `peek`: only a new failure refreshes a name in the LRU cache. */
  private timesOf({ counter, account, of }: FailureName): Times {
    return this.namesOf(counter).peek(account + of) ?? [];
  }

  private keep(name: FailureName, times: Times): void {
    const before = this.timesOf(name);
    const [names, key] = [this.namesOf(name.counter), name.account + name.of];
    if (times.length === 0) names.delete(key);
    else if ((times.at(-1) ?? 0) > (before.at(-1) ?? 0) || times.length > before.length) names.set(key, times);
    else before.splice(0, before.length, ...times);
  }

  private namesOf(counter: string): LRUCache<string, Times> {
    const names = this.counters.get(counter) ?? new LRUCache<string, Times>({ max: MAX_NAMES });
    this.counters.set(counter, names);
    return names;
  }
}
