import type { Page } from '../../base/shared/paging.ts';
import type { QuotaLimits } from './schema.ts';

export interface TenantLimits {
  tenant: QuotaLimits;
  keys: ReadonlyMap<string, QuotaLimits>;
}

/** A read sees what any process has committed. */
export interface QuotaStore {
  limits(tenantId: string): Promise<TenantLimits>;
  /**
   * Replaces all limits, in one statement, if they are still `before`: false if they are not, and
   * nothing is stored. Empty limits remove the entry.
   */
  replace(owner: QuotaOwner, limits: { before: QuotaLimits; after: QuotaLimits }, now: number): Promise<boolean>;
  /** Keys that can be used, those with limits first, then by label. */
  keys(tenantId: string, asked: LimitedKeysPage): Promise<Page<LimitedKey>>;
}

/** `keyId` null: the whole tenant. */
export interface QuotaOwner {
  tenantId: string;
  keyId: string | null;
}

export interface LimitedKeysPage {
  /** A part of the label or the id, in any case; empty: all. */
  search: string;
  limit: number;
  offset: number;
  now: number;
}

export interface LimitedKey {
  id: string;
  label: string;
  limits: QuotaLimits;
}

/** Costs in integer nano-dollars (10^-9 US dollars), so that sums are exact. */
export interface Spending {
  tokens: number;
  nanos: number;
}

export interface Reservation extends Spending {
  id: string;
  tenantId: string;
  keyId: string | null;
  /** Epoch milliseconds: selects the windows. */
  at: number;
}

/** A limit for all usage in [from, to). `keyId` null: of the whole tenant. */
export interface BudgetCheck {
  keyId: string | null;
  unit: keyof Spending;
  limit: number;
  from: number;
  to: number;
}

export interface WindowSpending {
  used: Spending;
  reserved: Spending;
}

export interface QuarterSpending extends Spending {
  /** Its start, in epoch milliseconds. */
  quarter: number;
}

export interface RefusedReservation {
  /** Index of the first failed check. */
  check: number;
  taken: WindowSpending;
}

/** Usage is stored per quarter of an hour of UTC: the midnight of every zone falls on one. */
export interface BudgetStore {
  /** Serialized, durable upsert, or the first failed check. Throws `unavailable` (disk full). */
  reserve(reservation: Reservation, checks: readonly BudgetCheck[]): Promise<RefusedReservation | null>;
  /** Does nothing without a reservation. */
  settle(id: string, spent: Spending): Promise<void>;
  /**
   * Counts reservations of ended processes in full: after a crash the usage is unknown. Returns the
   * number.
   */
  settleAbandoned(): Promise<number>;
  spending(tenantId: string, keyId: string | null, from: number, to: number): Promise<WindowSpending>;
  /** The usage of each quarter of an hour in [from, to), in order; none for those without. */
  quarters(owner: QuotaOwner, from: number, to: number): Promise<QuarterSpending[]>;
  prune(before: number): Promise<void>;
}
