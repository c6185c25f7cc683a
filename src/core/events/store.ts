import type { PlanResult, QueryPlan } from './query-plan.ts';

/** An event as it is stored: stamped, checked, and its properties in the exact text that reads will give back. */
export interface StoredEvent {
  id: string;
  /** Whether the caller chose the id; only then can it be a duplicate. */
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
  /** Events whose caller id was stored before, or twice in the batch. */
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
  /** A key inside an object, written with dots. */
  nested: boolean;
  types: JsonType[];
}

/** What a store does while it runs, for metrics and logs. Durations in milliseconds. */
export type StoreNotice =
  /** Events have become visible; `freshnessMs` after the oldest of them was accepted. */
  | { kind: 'flushed'; events: number; ms: number; freshnessMs: number }
  /** Arrivals were sorted, sorted runs merged, or events moved within the file so that it gets smaller. */
  | { kind: 'compacted'; step: 'sort' | 'merge' | 'shrink'; events: number; ms: number }
  /** Events that the engine refused were set aside. */
  | { kind: 'quarantined'; events: number };

/** How a store stands. */
export interface StoreStats {
  /** Accepted and not visible yet. */
  backlog: { batches: number; bytes: number; limitBytes: number };
  /** Since when flushing fails, epoch milliseconds; null while it works. */
  failingSince: number | null;
  /** Events that lie unsorted, and how many sorted runs there are. */
  arrivals: number;
  runs: number;
  tenants: number;
  /** Property columns learned, over all tenants; and tenants with more keys than there is room for. */
  learnedColumns: number;
  crowdedTenants: number;
  /** Lines in the quarantine file. */
  quarantined: number;
  /** Queries since the start whose result was kept from before, those that were computed, and what is kept. */
  resultCache: { hits: number; misses: number; bytes: number };
  /** Files of the store, in bytes. */
  disk: { events: number; spool: number };
}

/** Which events an erasure is about: all of a tenant, those of one thread, or those of executions that name no thread. */
export type Erasure = { threadId?: string | undefined } | { executionIds: string[] };

/**
 * Tracked events. All methods are async and take the tenant first; nothing of another tenant is ever read or counted.
 * Any of them may reject with `unavailable` (the disk is full, the backlog too long): nothing happened then.
 */
export interface EventStore {
  /**
   * Stores the events that are not duplicates. Durable when it resolves: nothing is lost or doubled by a crash
   * afterwards. Visible to queries within two seconds, and sooner where nobody says that it need not be: what may wait for
   * `visibleWithinMs` is moved with what comes meanwhile, which costs less.
   */
  append(tenantId: string, events: StoredEvent[], visibleWithinMs?: number): Promise<AppendResult>;

  /** Resolves once the receipt's events are visible, false after `timeoutMs` without that. `invalid` if it is none. */
  waitFor(receipt: string, timeoutMs: number): Promise<boolean>;

  /** Makes everything appended before the call visible; `unavailable` when that fails. */
  settle(): Promise<void>;

  /** Answers a plan; see the plan's type for the shape of its rows. Aborting interrupts the engine; `timeout` when it takes too long. */
  query(tenantId: string, plan: QueryPlan, signal?: AbortSignal): Promise<PlanResult>;

  /** Event names seen, most recent first. */
  knownEvents(tenantId: string, agentId: string | null): Promise<KnownEvent[]>;

  /** Property keys seen on these events, in the order of their first appearance. */
  knownProperties(tenantId: string, agentId: string | null, eventNames: string[]): Promise<KnownProperty[]>;

  /**
   * Removes events for good: from tables, spool, quarantine and the memory of caller ids, and the names that no event has
   * any more. Nothing appended before the call is found after it. Returns how many events there were.
   */
  erase(tenantId: string, erasure: Erasure): Promise<number>;

  /** Removes a tenant's events with a timestamp before this one, in epoch milliseconds. Returns how many there were. */
  expire(tenantId: string, before: number): Promise<number>;

  /** Writes a consistent copy of everything acknowledged into a directory that is empty, while appends go on. */
  copyTo(directory: string): Promise<void>;

  stats(): Promise<StoreStats>;

  /** Resolves when queries are answered and what is appended becomes visible; `unavailable` otherwise. */
  ping(): Promise<void>;

  /** Makes everything appended visible, then lets go of every file. */
  close(): Promise<void>;
}
