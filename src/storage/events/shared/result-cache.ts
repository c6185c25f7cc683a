import { LRUCache } from 'lru-cache';
import type { PlanResult } from '../../../core/analytics/events/query-plan.ts';

interface CachedResult {
  version: string | number;
  /** JSON is compact, and no caller can change it. */
  text: string;
}

const LARGEST_SHARE = 1 / 8;

/** LRU cache of answers. An answer counts for the version of the data that it was computed from. */
export class CachedResults {
  private readonly cache: LRUCache<string, CachedResult> | null;
  private hits = 0;
  private misses = 0;

  /** Two bytes for each character; 0 turns the cache off. */
  constructor(maxBytes: number) {
    const sizeCalculation = ({ text }: CachedResult, key: string) => 2 * (key.length + text.length);
    const maxEntrySize = Math.floor(maxBytes * LARGEST_SHARE);
    this.cache = maxEntrySize === 0 ? null : new LRUCache({ maxSize: maxBytes, maxEntrySize, sizeCalculation });
  }

  get isOn(): boolean {
    return this.cache !== null;
  }

  get stats(): { hits: number; misses: number; bytes: number } {
    return { hits: this.hits, misses: this.misses, bytes: this.cache?.calculatedSize ?? 0 };
  }

  get(key: string, version: string | number): PlanResult | null {
    const cached = this.cache?.get(key);
    if (cached?.version === version) {
      this.hits += 1;
      return JSON.parse(cached.text) as PlanResult;
    }
    this.misses += 1;
    return null;
  }

  set(key: string, version: string | number, result: PlanResult): void {
    this.cache?.set(key, { version, text: JSON.stringify(result) });
  }

  clear(): void {
    this.cache?.clear();
  }
}
