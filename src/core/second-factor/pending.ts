interface Entry<Value> {
  owner: string;
  value: Value;
  /** Epoch milliseconds. */
  expiresAt: number;
}

interface PendingOptions {
  now: () => number;
  lifetimeMs: number;
  /** Beyond it, a new entry replaces the owner's oldest. */
  perOwner: number;
}

const MAX_ENTRIES = 10_000;

/** What waits for a client's next request. In memory of the one process that serves: a restart voids it. */
export class Pending<Value> {
  private readonly options: PendingOptions;
  /** Oldest first. */
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(options: PendingOptions) {
    this.options = options;
  }

  /** Returns when it expires. */
  put(key: string, owner: string, value: Value): number {
    const { now, lifetimeMs, perOwner } = this.options;
    this.entries.delete(key);
    let owned = 0;
    let oldestOwned: string | undefined;
    for (const [one, entry] of this.entries) {
      if (entry.expiresAt <= now()) this.entries.delete(one);
      else if (entry.owner === owner) {
        owned += 1;
        oldestOwned ??= one;
      }
    }
    const [oldest] = this.entries.keys();
    if (owned >= perOwner && oldestOwned !== undefined) this.entries.delete(oldestOwned);
    else if (this.entries.size >= MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest);
    const expiresAt = now() + lifetimeMs;
    this.entries.set(key, { owner, value, expiresAt });
    return expiresAt;
  }

  get(key: string): Value | null {
    const entry = this.entries.get(key);
    return entry && entry.expiresAt > this.options.now() ? entry.value : null;
  }

  /** As `get`, once: removes it. */
  take(key: string): Value | null {
    const value = this.get(key);
    this.entries.delete(key);
    return value;
  }
}
