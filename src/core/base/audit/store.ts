import type { Page } from '../shared/paging.ts';

export interface Actor {
  kind: 'operator' | 'key' | 'user';
  id: string | null;
  label: string;
  /** The application that acts for the user. */
  client?: string;
}

export const OPERATOR: Actor = { kind: 'operator', id: null, label: 'operator' };

/** Null for the operator at the command line. */
export interface Origin {
  requestId: string | null;
  address: string | null;
}

/** Never holds a secret. `at` is in epoch milliseconds. */
export interface AuditEntry extends Origin {
  id: string;
  /** Null for a line about the installation. */
  tenantId: string | null;
  at: number;
  actor: Actor;
  action: string;
  target: string | null;
  details: Record<string, unknown>;
}

/** At or after `from` and before `to`, in epoch milliseconds. */
export interface AuditFilter {
  action?: string | undefined;
  from?: number | null;
  to?: number | null;
}

export type LinesOf = { tenantId: string | null } | 'all';

/** Append-only: refuses to change lines, or to remove them within their retention. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first, by id: ids are ordered by time. */
  list(of: LinesOf, asked: AuditFilter & { limit: number; offset: number }): Promise<Page<AuditEntry>>;
  /** Oldest first; `afterId` is a cursor, at first `''`. */
  next(of: LinesOf, asked: AuditFilter & { afterId: string; limit: number }): Promise<AuditEntry[]>;
  /** `before` must be older than `AUDIT_DAYS`. Returns the number of removed lines. */
  prune(before: number): Promise<number>;
}
