import type { PlanResult, QueryPlan } from '../../../core/events/query-plan.ts';

interface Kept {
  /** The tenant's version of which it is the answer. */
  version: number;
  /** The result as JSON: small, and nobody's to change. */
  text: string;
}

/** No single result may take more than this share of the room. */
const LARGEST_SHARE = 1 / 8;

/**
 * Results of queries, for as long as nothing of their tenant changes. A result is kept under the version that was read
 * before its snapshot began: whatever was changed by then is in it. Who has waited for a change finds it, because the
 * version is counted up before anybody is told.
 */
export class ResultCache {
  private readonly mostBytes: number;
  /** Least recently asked first. */
  private readonly kept = new Map<string, Kept>();
  private readonly versions = new Map<string, number>();
  /** Counts up over all tenants, so that no version comes twice. */
  private lastVersion = 0;
  private bytes = 0;
  private hits = 0;
  private misses = 0;

  /** `mostBytes` of keys and results, two for each character; 0: nothing is kept. */
  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  get stats(): { hits: number; misses: number; bytes: number } {
    return { hits: this.hits, misses: this.misses, bytes: this.bytes };
  }

  /** What was kept of the tenant is out of date. */
  changed(tenantId: string): void {
    this.lastVersion += 1;
    this.versions.set(tenantId, this.lastVersion);
  }

  /** What was kept of anybody is. */
  clear(): void {
    for (const tenantId of this.versions.keys()) this.changed(tenantId);
    this.kept.clear();
    this.bytes = 0;
  }

  /** The result of the plan: the one that is kept, or the one that `compute` finds in a snapshot that it begins. */
  async result(tenantId: string, plan: QueryPlan, compute: () => Promise<PlanResult>): Promise<PlanResult> {
    if (this.mostBytes === 0) return compute();
    const key = JSON.stringify([tenantId, plan]);
    const version = this.versionOf(tenantId);
    const known = this.take(key);
    if (known?.version === version) {
      this.hits += 1;
      this.keep(key, known);
      return JSON.parse(known.text) as PlanResult;
    }
    this.misses += 1;
    const result = await compute();
    if (this.versionOf(tenantId) === version) this.keep(key, { version, text: JSON.stringify(result) });
    return result;
  }

  private versionOf(tenantId: string): number {
    const known = this.versions.get(tenantId);
    if (known !== undefined) return known;
    this.changed(tenantId);
    return this.lastVersion;
  }

  private take(key: string): Kept | undefined {
    const known = this.kept.get(key);
    if (!known) return undefined;
    this.kept.delete(key);
    this.bytes -= sizeOf(key, known);
    return known;
  }

  private keep(key: string, kept: Kept): void {
    const size = sizeOf(key, kept);
    if (size > this.mostBytes * LARGEST_SHARE) return;
    this.take(key);
    this.kept.set(key, kept);
    this.bytes += size;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.mostBytes) return;
      this.take(oldest);
    }
  }
}

function sizeOf(key: string, { text }: Kept): number {
  return 2 * (key.length + text.length);
}
