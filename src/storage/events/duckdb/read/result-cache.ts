import type { PlanResult, QueryPlan } from '../../../../core/analytics/events/query-plan.ts';
import { CachedResults } from '../../shared/result-cache.ts';

/**
 * A version is read before its snapshot, and increases before a write is acknowledged: a client
 * finds its own writes (docs/decisions/0009-result-cache.md).
 */
export class ResultCache {
  private readonly cache: CachedResults;
  private readonly versions = new Map<string, number>();
  /** Counts over all tenants, so that no version is used twice. */
  private lastVersion = 0;

  /** 0 turns the cache off. */
  constructor(maxBytes: number) {
    this.cache = new CachedResults(maxBytes);
  }

  get stats(): { hits: number; misses: number; bytes: number } {
    return this.cache.stats;
  }

  changed(tenantId: string): void {
    this.lastVersion += 1;
    this.versions.set(tenantId, this.lastVersion);
  }

  clear(): void {
    for (const tenantId of this.versions.keys()) this.changed(tenantId);
    this.cache.clear();
  }

  async result(tenantId: string, plan: QueryPlan, compute: () => Promise<PlanResult>): Promise<PlanResult> {
    if (!this.cache.isOn) return compute();
    const key = JSON.stringify([tenantId, plan]);
    const version = this.versionOf(tenantId);
    const cached = this.cache.get(key, version);
    if (cached) return cached;
    const result = await compute();
    if (this.versionOf(tenantId) === version) this.cache.set(key, version, result);
    return result;
  }

  private versionOf(tenantId: string): number {
    if (!this.versions.has(tenantId)) this.changed(tenantId);
    return this.versions.get(tenantId)!;
  }
}
