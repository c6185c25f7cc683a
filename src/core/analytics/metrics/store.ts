import type { MetricState } from '../events/questions/question.ts';
import type { GlossaryTerm, MetricDefinition } from './schema.ts';
import type { Stamp } from './summaries.ts';

/** Times are epoch milliseconds. */
export interface StoredMetric {
  name: string;
  /** From 1, without gaps. */
  version: number;
  definition: MetricDefinition;
  state: MetricState;
  createdAt: number;
  createdBy: string;
  decidedAt: number | null;
  decidedBy: string | null;
}

/** A version without its definition. */
export interface MetricHead extends Omit<StoredMetric, 'definition'> {
  /** UTF-8 of the definition's JSON. */
  bytes: number;
}

export interface Decision {
  at: number;
  by: string;
}

/** Every method sees one tenant. */
export interface MetricStore {
  /** `conflict`: the newest version is another than `version - 1`. */
  add(tenantId: string, version: StoredMetric): Promise<'added' | 'conflict'>;
  find(tenantId: string, name: string, version: number): Promise<StoredMetric | null>;
  /** The newest version. */
  latest(tenantId: string, name: string): Promise<StoredMetric | null>;
  /** Newest first. */
  versions(tenantId: string, name: string): Promise<MetricHead[]>;
  /** The versions that exist, by name and version ascending. */
  some(tenantId: string, versions: readonly Pick<StoredMetric, 'name' | 'version'>[]): Promise<StoredMetric[]>;
  /** The approved and the newest version of each metric, by name and version ascending. */
  current(tenantId: string): Promise<MetricHead[]>;
  /** The version approved before becomes deprecated. Null: there is no such version. */
  approve(tenantId: string, name: string, version: number, decision: Decision): Promise<StoredMetric | null>;
  /**
   * Deprecates every version. False: there is no such metric, it is deprecated already, or a
   * version is approved and `approvedToo` is false.
   */
  deprecate(tenantId: string, name: string, decision: Decision & { approvedToo: boolean }): Promise<boolean>;
  /** Removes every version; for sample data alone. */
  remove(tenantId: string, name: string): Promise<void>;
}

export interface StoredTerm extends GlossaryTerm {
  createdAt: number;
  updatedAt: number;
}

/** Every method sees one tenant. */
export interface TermStore {
  find(tenantId: string, term: string): Promise<StoredTerm | null>;
  /** The keys of all terms, by term, without their definitions. */
  stamps(tenantId: string): Promise<Stamp[]>;
  /** The terms that exist, by term. */
  some(tenantId: string, terms: string[]): Promise<StoredTerm[]>;
  /** By term: replaces one that is there, but for `createdAt`. */
  put(tenantId: string, term: StoredTerm): Promise<'put' | 'unknown tenant'>;
  remove(tenantId: string, term: string): Promise<boolean>;
}
