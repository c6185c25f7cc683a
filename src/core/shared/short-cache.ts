import { LRUCache } from 'lru-cache';

/** Every call reads these values; a change in another process must take effect within a second. */
const TTL_MS = 500;

interface Entry<Value> {
  /** When the read began. */
  readAt: number;
  value: Value;
}

/**
 * An LRU cache of asynchronous reads with a time to live of half a second. Concurrent reads of a key
 * share one promise (single-flight). Failed reads are not cached: a mended cause must show at once,
 * and unknown keys must not evict known ones, which `fetchMethod` of lru-cache would let them do.
 */
export class ShortCache<Value> {
  private readonly now: () => number;
  private readonly entries: LRUCache<string, Entry<Value>>;
  private readonly pending = new Map<string, Promise<Value>>();

  constructor(now: () => number, max: number) {
    this.now = now;
    this.entries = new LRUCache({ max });
  }

  /** Passes `read` the value read before, however old, while it is in the cache. */
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

  /** Makes every value stale. Reads under way end without being cached. */
  expire(): void {
    this.pending.clear();
    for (const entry of this.entries.values()) entry.readAt = Number.NEGATIVE_INFINITY;
  }

  /** As `expire`, and removes the values from memory. */
  clear(): void {
    this.pending.clear();
    this.entries.clear();
  }
}
