import { LRUCache } from 'lru-cache';
import type { PlanResult, QueryPlan } from '../../../core/analytics/events/query-plan.ts';

interface CachedResult {
  version: number;
  /** JSON is compact, and no caller can change it. */
  text: string;
}

/** Changes of the events that an answer reads. Versions only grow. */
export interface ResultVersion {
  /** Read before the answer's snapshot begins. */
  now: number;
  /** Whether nothing that the answer reads has changed since a version. */
  isCurrent(version: number): boolean | Promise<boolean>;
}

const LARGEST_SHARE = 1 / 8;

/**
 * LRU cache of answers. An answer counts until an event that it read, or would have read, changes
 * (docs/decisions/0053-answers-stay-until-what-they-read-changes.md).
 */
export class ResultCache {
  private readonly cache: LRUCache<string, CachedResult> | null;
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

  clear(): void {
    this.cache?.clear();
  }

  /** `tenant` names the tenant's data for ever. */
  async result(
    [tenant, plan]: [tenant: string, plan: QueryPlan],
    version: ResultVersion,
    compute: () => Promise<PlanResult>,
  ): Promise<PlanResult> {
    if (this.cache === null) return compute();
    const key = JSON.stringify([tenant, plan]);
    const cached = this.cache.get(key);
    if (cached && (await version.isCurrent(cached.version))) {
      this.hits += 1;
      return JSON.parse(cached.text) as PlanResult;
    }
    this.misses += 1;
    const result = await compute();
    this.cache.set(key, { version: version.now, text: JSON.stringify(result) });
    return result;
  }
}
