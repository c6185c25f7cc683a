import { LRUCache } from 'lru-cache';

/** A change in another process must take effect within a second. */
const TTL_MS = 500;

interface Entry<Value> {
  readAt: number;
  value: Value;
}

/** LRU, single-flight. Failed reads are not cached, so that unknown keys evict no known ones. */
export class ShortCache<Value> {
  private readonly now: () => number;
  private readonly entries: LRUCache<string, Entry<Value>>;
  private readonly pending = new Map<string, Promise<Value>>();

  constructor(now: () => number, max: number) {
    this.now = now;
    this.entries = new LRUCache({ max });
  }

  /** Passes `read` the value read before, however old. */
  async get(key: string, read: (before: Value | undefined) => Promise<Value>): Promise<Value> {
    const now = this.now();
    const entry = this.entries.get(key);
    if (entry && now >= entry.readAt && now - entry.readAt < TTL_MS) return entry.value;
    const shared = this.pending.get(key);
    if (shared) return shared;
    const reading = read(entry?.value);
    this.pending.set(key, reading);
    const isCurrent = () => this.pending.get(key) === reading;
    try {
      const value = await reading;
      if (isCurrent()) this.entries.set(key, { readAt: now, value });
      return value;
    } catch (error) {
      if (isCurrent()) this.entries.delete(key);
      throw error;
    } finally {
      if (isCurrent()) this.pending.delete(key);
    }
  }

  /** Makes every value stale, or that of the key. Reads under way end without being cached. */
  expire(key?: string): void {
    if (key !== undefined) {
      this.pending.delete(key);
      const entry = this.entries.peek(key);
      if (entry) entry.readAt = Number.NEGATIVE_INFINITY;
      return;
    }
    this.pending.clear();
    for (const entry of this.entries.values()) entry.readAt = Number.NEGATIVE_INFINITY;
  }

  clear(): void {
    this.pending.clear();
    this.entries.clear();
  }
}
