export interface PendingEntry {
  /** Who has at most a few of the kind. */
  owner: string;
  /** Plain data. */
  value: unknown;
  lifetimeMs: number;
}

/**
 * Entries that wait for a client's next request, by kind and key: in this process, or for any node.
 * Each method is atomic. An entry ends with its lifetime, by one clock.
 */
export interface PendingStore {
  /**
   * Replaces the entry of the key, but not its count. Of the owner's, the newest `perOwner` stay.
   * Returns when it expires.
   */
  put(kind: string, key: string, entry: PendingEntry, perOwner: number): Promise<number>;
  get(kind: string, key: string): Promise<unknown>;
  /** Like `get`, but removes the entry. */
  take(kind: string, key: string): Promise<unknown>;
  /** Counts one more, and returns how many there are; 0 without an entry. */
  count(kind: string, key: string): Promise<number>;
}

/** Entries of one kind. */
export class Pending<Value> {
  private readonly store: PendingStore;
  private readonly kind: string;
  private readonly perOwner: number;

  /** Beyond `perOwner`, a new entry replaces the owner's oldest. */
  constructor(store: PendingStore, { kind, perOwner }: { kind: string; perOwner: number }) {
    this.store = store;
    this.kind = kind;
    this.perOwner = perOwner;
  }

  /** Returns when it expires, in epoch milliseconds. */
  put(key: string, entry: PendingEntry & { value: Value }): Promise<number> {
    return this.store.put(this.kind, key, entry, this.perOwner);
  }

  async get(key: string): Promise<Value | null> {
    return (await this.store.get(this.kind, key)) as Value | null;
  }

  async take(key: string): Promise<Value | null> {
    return (await this.store.take(this.kind, key)) as Value | null;
  }

  count(key: string): Promise<number> {
    return this.store.count(this.kind, key);
  }
}

interface Kept extends PendingEntry {
  count: number;
  /** Epoch milliseconds. */
  expiresAt: number;
}

const MAX_ENTRIES = 10_000;

/** In memory of the one process that serves: a restart voids it. */
export class MemoryPendingStore implements PendingStore {
  private readonly now: () => number;
  /** Entries of each kind, oldest first. */
  private readonly kinds = new Map<string, Map<string, Kept>>();

  constructor(now: () => number) {
    this.now = now;
  }

  async put(kind: string, key: string, entry: PendingEntry, perOwner: number): Promise<number> {
    const entries = this.kinds.get(kind) ?? new Map<string, Kept>();
    this.kinds.set(kind, entries);
    const now = this.now();
    const count = entries.get(key)?.count ?? 0;
    entries.delete(key);
    let owned = 0;
    let oldestOwned: string | undefined;
    for (const [one, { owner, expiresAt }] of entries) {
      if (expiresAt <= now) entries.delete(one);
      else if (owner === entry.owner) {
        owned += 1;
        oldestOwned ??= one;
      }
    }
    const [oldest] = entries.keys();
    if (owned >= perOwner && oldestOwned !== undefined) entries.delete(oldestOwned);
    else if (entries.size >= MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    const expiresAt = now + entry.lifetimeMs;
    entries.set(key, { ...entry, count, expiresAt });
    return expiresAt;
  }

  async get(kind: string, key: string): Promise<unknown> {
    return this.kept(kind, key)?.value ?? null;
  }

  async take(kind: string, key: string): Promise<unknown> {
    const value = this.kept(kind, key)?.value ?? null;
    this.kinds.get(kind)?.delete(key);
    return value;
  }

  async count(kind: string, key: string): Promise<number> {
    const kept = this.kept(kind, key);
    if (!kept) return 0;
    kept.count += 1;
    return kept.count;
  }

  private kept(kind: string, key: string): Kept | null {
    const kept = this.kinds.get(kind)?.get(key);
    return kept && kept.expiresAt > this.now() ? kept : null;
  }
}
