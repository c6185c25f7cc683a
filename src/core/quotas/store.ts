import type { Limits } from './schema.ts';

/** The quotas of a tenant and of those of its keys that have any, by key id. */
export interface TenantLimits {
  tenant: Limits;
  keys: ReadonlyMap<string, Limits>;
}

/** Quotas. Reading them sees at once what any process has committed. */
export interface QuotaStore {
  limits(tenantId: string): Promise<TenantLimits>;
  /** Puts these limits in the place of those of the tenant, or of one of its keys. Empty ones remove the entry. */
  put(tenantId: string, keyId: string | null, limits: Limits, now: number): Promise<void>;
}

/** What chats take: tokens, and US dollars in integer nano-dollars (10^-9), so that sums are exact. */
export interface Spending {
  tokens: number;
  nanos: number;
}

/** What one chat may take, set aside before a provider is asked. */
export interface Reservation extends Spending {
  /** The execution. */
  id: string;
  tenantId: string;
  /** Null for a portal user's chat. */
  keyId: string | null;
  /** Epoch milliseconds. What the chat takes counts in the windows that this time lies in. */
  at: number;
}

/** A limit that a reservation must fit, with everything else in the window [from, to). */
export interface BudgetCheck {
  /** Null: all of the tenant. */
  keyId: string | null;
  unit: keyof Spending;
  limit: number;
  from: number;
  to: number;
}

/** How much of a window is taken. */
export interface WindowSpending {
  used: Spending;
  reserved: Spending;
}

export interface RefusedReservation {
  /** Index of the first check that the reservation does not fit. */
  check: number;
  /** Without the reservation. */
  taken: WindowSpending;
}

/**
 * What chats have taken of their budgets, and what is set aside for chats under way. Usage is kept by quarter of an hour of
 * UTC, where the midnights of every time zone lie: windows may begin anywhere between.
 */
export interface BudgetStore {
  /**
   * Sets aside what a chat may take, or changes what was set aside under this id, if every check holds; otherwise nothing
   * changes and the first check that does not hold is returned. Reservations are checked one after the other. Durable when it
   * resolves. `unavailable` when the disk takes nothing.
   */
  reserve(reservation: Reservation, checks: readonly BudgetCheck[]): Promise<RefusedReservation | null>;
  /** Ends a reservation and counts what was spent in its place, at the reservation's time. Without one it does nothing. */
  settle(id: string, spent: Spending): Promise<void>;
  /** Ends every reservation, counting it in full: after a crash nobody knows what was spent. Returns how many. */
  settleAll(): Promise<number>;
  /** What the tenant, or one of its keys, has taken in [from, to). */
  spending(tenantId: string, keyId: string | null, from: number, to: number): Promise<WindowSpending>;
  /** Removes usage from before that time, of every tenant. */
  prune(before: number): Promise<void>;
}
