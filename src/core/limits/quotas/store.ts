import type { QuotaLimits } from './schema.ts';

export interface TenantLimits {
  tenant: QuotaLimits;
  keys: ReadonlyMap<string, QuotaLimits>;
}

/** A read sees what any process has committed. */
export interface QuotaStore {
  limits(tenantId: string): Promise<TenantLimits>;
  /** Replaces all limits. Empty limits remove the entry. */
  put(tenantId: string, keyId: string | null, limits: QuotaLimits, now: number): Promise<void>;
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
  prune(before: number): Promise<void>;
}
