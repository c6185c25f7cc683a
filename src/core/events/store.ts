import type { PlanResult, QueryPlan } from './query-plan.ts';

/** A stamped and checked event. Reads return exactly this text of its properties. */
export interface StoredEvent {
  id: string;
  /** Whether the caller chose the id; only such events can be duplicates. */
  idFromCaller: boolean;
  agentId: string;
  eventName: string;
  /** Epoch milliseconds. */
  timestamp: number;
  threadId: string | null;
  executionId: string | null;
  /** JSON text of an object. */
  properties: string;
}

export interface AppendResult {
  /** Events whose caller id is already stored, or occurs twice in the batch. */
  duplicates: number;
  /** Opaque; for `waitFor`. */
  receipt: string;
}

export interface KnownEvent {
  agentId: string;
  eventName: string;
  events: number;
  /** Epoch milliseconds by the events' own timestamps. */
  firstSeen: number;
  lastSeen: number;
}

export type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array';

export interface KnownProperty {
  key: string;
  /** A dotted key inside an object. */
  nested: boolean;
  types: JsonType[];
}

/** Background work of a store, for metrics and logs. Durations in milliseconds. */
export type StoreNotice =
  /** Events became visible, the oldest `freshnessMs` after it was accepted. */
  | { kind: 'flushed'; events: number; ms: number; freshnessMs: number }
  /** Arrivals were sorted, sorted runs merged, or events moved to shrink the file. */
  | { kind: 'compacted'; step: 'sort' | 'merge' | 'shrink'; events: number; ms: number }
  /** Events that the engine refused were quarantined. */
  | { kind: 'quarantined'; events: number };

export interface StoreStats {
  /** Accepted and not visible yet. */
  backlog: { batches: number; bytes: number; limitBytes: number };
  /** Since when flushing fails, epoch milliseconds; null if it works. */
  failingSince: number | null;
  /** Unsorted events, and the number of sorted runs. */
  arrivals: number;
  runs: number;
  tenants: number;
  /** Learned property columns of all tenants; tenants with more keys than columns. */
  learnedColumns: number;
  crowdedTenants: number;
  /** Lines in the quarantine file. */
  quarantined: number;
  /** Queries since the start answered from the cache and computed; size of the cache. */
  resultCache: { hits: number; misses: number; bytes: number };
  /** Files of the store, in bytes. */
  disk: { events: number; spool: number };
}

/** Events to erase: all of a tenant, those of a thread, or those of executions without a thread. */
export type Erasure = { threadId?: string | undefined } | { executionIds: string[] };

/**
 * Tracked events. Methods take the tenant first and never read or count another tenant's events.
 * Each may reject with `unavailable` (disk full, backlog too long) and has then done nothing.
 */
export interface EventStore {
  /**
   * Stores the events that are not duplicates. Durable when it resolves: a crash neither loses nor
   * doubles them. Visible to queries within two seconds. Events that may wait `visibleWithinMs`
   * are flushed together with later ones, which costs less.
   */
  append(tenantId: string, events: StoredEvent[], visibleWithinMs?: number): Promise<AppendResult>;

  /** True once the receipt's events are visible, false after `timeoutMs`. `invalid` if broken. */
  waitFor(receipt: string, timeoutMs: number): Promise<boolean>;

  /** Makes everything appended before the call visible; `unavailable` when that fails. */
  settle(): Promise<void>;

  /** The plan's type describes the rows. Aborting interrupts the engine; `timeout` if too slow. */
  query(tenantId: string, plan: QueryPlan, signal?: AbortSignal): Promise<PlanResult>;

  /** Event names seen, most recent first. */
  knownEvents(tenantId: string, agentId: string | null): Promise<KnownEvent[]>;

  /** Property keys seen on these events, in the order of their first appearance. */
  knownProperties(tenantId: string, agentId: string | null, eventNames: string[]): Promise<KnownProperty[]>;

  /**
   * Removes events for good, from tables, spool, quarantine and caller ids, with names left without
   * events. Covers everything appended before the call. Returns the number of removed events.
   */
  erase(tenantId: string, erasure: Erasure): Promise<number>;

  /** Removes events with a timestamp before this, in epoch milliseconds. Returns their number. */
  expire(tenantId: string, before: number): Promise<number>;

  /** Copies everything acknowledged, consistently, into an empty directory while appends go on. */
  copyTo(directory: string): Promise<void>;

  stats(): Promise<StoreStats>;

  /** Resolves if queries and flushes work; `unavailable` otherwise. */
  ping(): Promise<void>;

  /** Makes everything appended visible, then closes every file. */
  close(): Promise<void>;
}
