import { LRUCache } from 'lru-cache';
import type { PlanResult, QueryPlan } from '../../../core/events/query-plan.ts';

interface CachedResult {
  version: number;
  /** JSON is compact, and no caller can change it. */
  text: string;
}

const LARGEST_SHARE = 1 / 8;

/**
 * LRU cache. A version is read before its snapshot, and increases before a write is acknowledged:
 * a client finds its own writes (docs/decisions/0009-result-cache.md).
 */
export class ResultCache {
  private readonly cache: LRUCache<string, CachedResult> | null;
  private readonly versions = new Map<string, number>();
  /** Counts over all tenants, so that no version is used twice. */
  private lastVersion = 0;
  private hits = 0;
  private misses = 0;

  /** Two bytes for each character; 0 turns the cache off. */
  constructor(maxBytes: number) {
    const sizeCalculation = ({ text }: CachedResult, key: string) => 2 * (key.length + text.length);
    const maxEntrySize = Math.floor(maxBytes * LARGEST_SHARE);
    this.cache = maxEntrySize === 0 ? null : new LRUCache({ maxSize: maxBytes, maxEntrySize, sizeCalculation });
  }

  get stats(): { hits: number; misses: number; bytes: number } {
    return { hits: this.hits, misses: this.misses, bytes: this.cache?.calculatedSize ?? 0 };
  }

  changed(tenantId: string): void {
    this.lastVersion += 1;
    this.versions.set(tenantId, this.lastVersion);
  }

  clear(): void {
    for (const tenantId of this.versions.keys()) this.changed(tenantId);
    this.cache?.clear();
  }

  async result(tenantId: string, plan: QueryPlan, compute: () => Promise<PlanResult>): Promise<PlanResult> {
    if (!this.cache) return compute();
    const key = JSON.stringify([tenantId, plan]);
    const version = this.versionOf(tenantId);
    const cached = this.cache.get(key);
    if (cached?.version === version) {
      this.hits += 1;
      return JSON.parse(cached.text) as PlanResult;
    }
    this.misses += 1;
    const result = await compute();
    if (this.versionOf(tenantId) === version) this.cache.set(key, { version, text: JSON.stringify(result) });
    return result;
  }

  private versionOf(tenantId: string): number {
    if (!this.versions.has(tenantId)) this.changed(tenantId);
    return this.versions.get(tenantId)!;
  }
}
