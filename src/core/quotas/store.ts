import type { Limits } from './schema.ts';

export interface TenantLimits {
  tenant: Limits;
  keys: ReadonlyMap<string, Limits>;
}

/** Quotas. A read sees what any process has committed. */
export interface QuotaStore {
  limits(tenantId: string): Promise<TenantLimits>;
  /** Replaces the limits of a tenant or key. Empty limits remove the entry. */
  put(tenantId: string, keyId: string | null, limits: Limits, now: number): Promise<void>;
}

/** Costs in integer nano-dollars (10^-9 US dollars), so that sums are exact. */
export interface Spending {
  tokens: number;
  nanos: number;
}

/** The maximum usage of a chat, reserved before the provider is called. */
export interface Reservation extends Spending {
  id: string;
  tenantId: string;
  /** Null for a portal user's chat. */
  keyId: string | null;
  /** Epoch milliseconds: selects the windows that the chat counts in. */
  at: number;
}

/** A limit for the reservation and all other usage in the window [from, to). */
export interface BudgetCheck {
  /** Null: all of the tenant. */
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
  /**
   * Makes or changes the reservation of this id if every check passes; otherwise returns the first
   * failed check. Reservations are serialized, and durable when the promise resolves. Throws
   * `unavailable` when the disk is full.
   */
  reserve(reservation: Reservation, checks: readonly BudgetCheck[]): Promise<RefusedReservation | null>;
  /** Replaces a reservation by the actual usage. Does nothing without one. */
  settle(id: string, spent: Spending): Promise<void>;
  /** Counts every reservation in full: after a crash the usage is unknown. Returns the number. */
  settleAll(): Promise<number>;
  spending(tenantId: string, keyId: string | null, from: number, to: number): Promise<WindowSpending>;
  /** Removes usage of every tenant from before a time. */
  prune(before: number): Promise<void>;
}
