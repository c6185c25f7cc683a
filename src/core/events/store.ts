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

/**
 * Tracked events. All methods are async and take the tenant first; nothing of another tenant is ever read or counted.
 * Any of them may reject with `unavailable` (the disk is full, the backlog too long): nothing happened then.
 */
export interface EventStore {
  /**
   * Stores the events that are not duplicates. Durable when it resolves: nothing is lost or doubled by a crash
   * afterwards. Visible to queries within two seconds.
   */
  append(tenantId: string, events: StoredEvent[]): Promise<AppendResult>;

  /** Resolves once the receipt's events are visible, false after `timeoutMs` without that. `invalid` if it is none. */
  waitFor(receipt: string, timeoutMs: number): Promise<boolean>;

  /** Answers a plan; see the plan's type for the shape of its rows. Aborting interrupts the engine; `timeout` when it takes too long. */
  query(tenantId: string, plan: QueryPlan, signal?: AbortSignal): Promise<PlanResult>;

  /** Event names seen, most recent first. */
  knownEvents(tenantId: string, agentId: string | null): Promise<KnownEvent[]>;

  /** Property keys seen on these events, in the order of their first appearance. */
  knownProperties(tenantId: string, agentId: string | null, eventNames: string[]): Promise<KnownProperty[]>;

  /** Resolves when queries are answered and what is appended becomes visible; `unavailable` otherwise. */
  ping(): Promise<void>;

  /** Makes everything appended visible, then lets go of every file. */
  close(): Promise<void>;
}
