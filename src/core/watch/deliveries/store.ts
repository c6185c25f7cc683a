import type { Page } from '../../base/shared/paging.ts';
import type { TargetType } from './targets.ts';

/** The cause of a delivery. */
export interface DeliverySource {
  kind: 'alert' | 'digest';
  id: string;
}

export const DELIVERY_STATES = ['waiting', 'sent', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface NewDelivery {
  /** UUIDv7: the order of ids is that of their creation. */
  id: string;
  source: DeliverySource;
  /** The type of the message. */
  type: string;
  /** The title of the message. */
  title: string;
  targetType: TargetType;
  /** A host or an address: no secret. */
  place: string;
  /** Sealed for this delivery (`sealing.ts`). */
  sealedTarget: string;
  /** The message as JSON. Deliveries that are added together share those that are equal. */
  body: string;
  /** Addresses of an e-mail; 1 of others, the default. */
  recipients?: number;
  /** Epoch milliseconds; due immediately. */
  createdAt: number;
}

/** One message to one target, without message and target. Times are epoch milliseconds. */
export interface Delivery extends Pick<NewDelivery, 'id' | 'source' | 'type' | 'title' | 'targetType' | 'place'> {
  tenantId: string;
  /** A dead delivery is a dead letter: it was given up. */
  state: DeliveryState;
  /** The number of attempts that ended. */
  attempts: number;
  /** The error of the last attempt; null when it succeeded. */
  error: string | null;
  createdAt: number;
  attemptedAt: number | null;
  /** Null also while an attempt is under way. */
  nextAttemptAt: number | null;
  finishedAt: number | null;
}

/** A claim: its fencing token grows with every claim, and an older one cannot settle. */
export interface DeliveryLease {
  id: string;
  fence: number;
}

export interface ClaimedDelivery extends Pick<NewDelivery, 'sealedTarget' | 'body'> {
  delivery: Delivery;
  lease: DeliveryLease;
}

export interface ClaimQuery {
  now: number;
  leaseUntil: number;
  limit: number;
  /** Without it, of any. */
  types?: readonly TargetType[];
}

export interface DeliveryQuery {
  state?: DeliveryState | undefined;
  limit: number;
  offset: number;
}

/** The end of an attempt, at `at`. */
export type Settlement =
  | { state: 'sent'; at: number }
  | { state: 'dead'; at: number; error: string }
  /** `sealedTarget`: what is left of the target, if some of it accepted the message. */
  | { state: 'waiting'; at: number; error: string; dueAt: number; sealedTarget?: string };

/** The load that counts against the limits of a tenant. */
export interface DeliveryLoad {
  waiting: number;
  /** The size of the messages that wait. */
  bytes: number;
  /** Recipients of the messages since a time; `oldest` is when the oldest of them was made. */
  recipients: number;
  oldest: number | null;
}

export type DeliveryCounts = Record<DeliveryState, number>;

/**
 * Deliveries of all tenants. Methods that take a tenant see no other tenant's. Each change is one
 * transaction, durable when it resolves. Any may reject with `unavailable`; then nothing happened.
 *
 * A delivery is due from its creation or the time of its next attempt. A claim leases it: it is due
 * again at the end of the lease. Several processes may claim at the same time; none gets what
 * another one has leased.
 */
export interface DeliveryStore {
  /** All or none. Repeating an id changes nothing. */
  add(tenantId: string, deliveries: readonly NewDelivery[]): Promise<'added' | 'unknown tenant'>;

  /** Tenants with deliveries that are due to targets of these types, or of any, in no order. */
  dueTenants(now: number, types?: readonly TargetType[]): Promise<string[]>;
  /** The tenant's due deliveries, those due longest first, leased until `leaseUntil`. */
  claim(tenantId: string, query: ClaimQuery): Promise<ClaimedDelivery[]>;
  /**
   * When the next delivery of any tenant becomes due that is not due at `now`; null: there is none.
   */
  nextDue(now: number): Promise<number | null>;
  /**
   * Counts the attempt. A finished delivery loses its target, and with the last one the message
   * goes. False: the lease is lost; nothing was changed.
   */
  settle(lease: DeliveryLease, settlement: Settlement): Promise<boolean>;
  /** Makes it due immediately; the attempt does not count. False if the lease is lost. */
  release(lease: DeliveryLease, now: number): Promise<boolean>;
  /**
   * Releases what ended processes have leased, without waiting for the lease to end. What this
   * process and others that are alive have leased stays.
   */
  releaseAbandoned(now: number): Promise<void>;

  /** Ends those of a source that wait and are not under way. */
  giveUp(tenantId: string, source: DeliverySource, end: { at: number; error: string }): Promise<void>;
  load(tenantId: string, since: number): Promise<DeliveryLoad>;
  /** Deliveries of a source, newest first. */
  list(tenantId: string, source: DeliverySource, limit: number): Promise<Delivery[]>;
  /** Deliveries of all sources, newest first. */
  page(tenantId: string, query: DeliveryQuery): Promise<Page<Delivery>>;
  /** Counts of all tenants together. */
  counts(): Promise<DeliveryCounts>;
  /**
   * Removes what finished before a time, and messages of before another that no delivery waits
   * with. Returns the number.
   */
  prune(before: number, messagesBefore?: number): Promise<number>;
  /** Removes all deliveries of a tenant. Returns the number. */
  erase(tenantId: string): Promise<number>;
}
