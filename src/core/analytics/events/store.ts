import type { PlanResult, QueryPlan } from './query-plan.ts';

/** Events that become visible so much later than promised are late: answers say so. */
export const EVENTS_LATE_AFTER_MS = 2_000;

export interface StoredEvent {
  id: string;
  /** Only events with a caller's id can be duplicates. */
  idFromCaller: boolean;
  agentId: string;
  eventName: string;
  /** Epoch milliseconds. */
  timestamp: number;
  threadId: string | null;
  executionId: string | null;
  /** JSON text of an object. Reads return exactly this text. */
  properties: string;
}

export interface AppendResult {
  /** Their caller ids are stored already, or occur twice in the batch. */
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

export type StoreNotice =
  /** `freshnessMs`: from the acceptance of the oldest event to its visibility. */
  | { kind: 'flushed'; events: number; ms: number; freshnessMs: number }
  | { kind: 'compacted'; step: 'sort' | 'merge'; events: number; ms: number }
  /** Events that the engine refused. */
  | { kind: 'quarantined'; events: number };

export interface StoreStats {
  /** Accepted and not visible yet. */
  backlog: { batches: number; bytes: number; limitBytes: number };
  /** Epoch milliseconds; null if flushing works. */
  failingSince: number | null;
  /**
   * Set as in the result of a query while flushes are more than `EVENTS_LATE_AFTER_MS` behind, as
   * they are while they fail; else null.
   */
  lateSince: number | null;
  tenants: number;
  quarantined: number;
  resultCache: { hits: number; misses: number; bytes: number };
  /** Statistics of a store in files of its own. */
  files?: FileStats;
  /**
   * Statistics of a store that nodes share: how long the oldest of the backlog waits, and whether
   * this node moves it.
   */
  shared?: { ageMs: number; isMoving: boolean };
}

export interface FileStats {
  /** Unsorted events, and the number of sorted runs. */
  arrivals: number;
  runs: number;
  /** Property columns of all tenants; tenants with more keys than columns. */
  learnedColumns: number;
  crowdedTenants: number;
  /** Columns in memory, and questions that they answered. */
  keptColumns: { bytes: number; answers: number };
  /** In bytes. */
  disk: { events: number; spool: number };
}

/** For tenants, the epoch milliseconds of the earliest event; null: unknown. */
export type OldestEvents = Record<string, number | null>;

/**
 * All events of a tenant (`{}` alone), of a thread, of threads, of threads whose ids begin alike,
 * or those that name executions: without a thread, or wherever they are. An empty list names none.
 */
export type Erasure =
  | { threadId?: string | undefined }
  | { threadIds: string[] }
  | { threadPrefix: string }
  | { executionIds: string[]; inAnyThread?: boolean };

/**
 * Tenant isolation in every method. `unavailable` (disk full, long backlog) changes nothing; where
 * a database lost its connection, it may have stored what it did not answer.
 */
export interface EventStore {
  /** Durable, exactly once after a crash. Visible in 2 s; a longer `visibleWithinMs` costs less. */
  append(tenantId: string, events: StoredEvent[], visibleWithinMs?: number): Promise<AppendResult>;

  /** True once the receipt's events are visible, false after `timeoutMs`. `invalid` if broken. */
  waitFor(receipt: string, timeoutMs: number): Promise<boolean>;

  /** Makes all earlier appends visible; `unavailable` when that fails. */
  settle(): Promise<void>;

  /** Aborting interrupts the engine. Throws `timeout`. */
  query(tenantId: string, plan: QueryPlan, signal?: AbortSignal): Promise<PlanResult>;

  /** Most recent first. */
  knownEvents(tenantId: string, agentId: string | null): Promise<KnownEvent[]>;

  /** In the order of their first appearance. Others than `keys` may be left out. */
  knownProperties(
    tenantId: string,
    agentId: string | null,
    eventNames: string[],
    keys?: readonly string[],
  ): Promise<KnownProperty[]>;

  /** From tables, spool, quarantine, ids and names. Covers earlier appends. Returns the number. */
  erase(tenantId: string, erasure: Erasure): Promise<number>;

  /**
   * Tenants that may have an event with an earlier timestamp (epoch milliseconds), or one that was
   * refused earlier. Takes one statement, however many tenants there are.
   */
  expiring(before: number): Promise<OldestEvents>;

  /** Removes events with an earlier timestamp (epoch milliseconds). Returns their number. */
  expire(tenantId: string, before: number): Promise<number>;

  stats(): Promise<StoreStats>;

  /** `unavailable` unless queries and flushes work. */
  ping(): Promise<void>;

  /** Makes everything visible, then closes every file and connection. */
  close(): Promise<void>;
}

/** The part of the port that questions read. */
export type ReadableEvents = Pick<EventStore, 'query' | 'knownEvents' | 'knownProperties' | 'waitFor'>;

/** The bytes of the file of events, before and after its free space was removed. */
export interface CompactedFile {
  before: number;
  after: number;
}

/** A store in files of its own. */
export interface FileEventStore extends EventStore {
  /**
   * Removes the free space of the file of events, which needs room for two copies of it meanwhile.
   * Appends and queries continue. Throws `conflict` if it runs already or events are removed
   * meanwhile, `unavailable` on a full disk; nothing is changed then.
   */
  compact(): Promise<CompactedFile>;

  /** A consistent copy of everything acknowledged, into an empty directory. Appends continue. */
  copyTo(directory: string): Promise<void>;
}
