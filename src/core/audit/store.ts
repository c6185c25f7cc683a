import type { Page } from '../shared/paging.ts';

export interface Actor {
  kind: 'operator' | 'key' | 'user';
  /** Id of the key or the user; null for the operator. */
  id: string | null;
  label: string;
}

export const OPERATOR: Actor = { kind: 'operator', id: null, label: 'operator' };

/** The request and the client's address; null for the operator at the command line. */
export interface Origin {
  requestId: string | null;
  address: string | null;
}

/** One line of the audit log. Never holds a secret. */
export interface AuditEntry extends Origin {
  id: string;
  /** Null: about the installation, for the operator alone. */
  tenantId: string | null;
  /** Epoch milliseconds. */
  at: number;
  actor: Actor;
  /** Noun and verb: `key.created`, `user.updated`, `settings.updated`, `login.failed`, ... */
  action: string;
  target: string | null;
  details: Record<string, unknown>;
}

/** Lines of one action, at or after `from` and before `to` (epoch milliseconds). */
export interface AuditFilter {
  action?: string | undefined;
  from?: number | null;
  to?: number | null;
}

/** Lines of a tenant, of the installation (null), or all. */
export type LinesOf = { tenantId: string | null } | 'all';

/** Append-only: the store refuses to change lines, or to remove them within their retention. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first, by id: ids are ordered by time. */
  list(of: LinesOf, asked: AuditFilter & { limit: number; offset: number }): Promise<Page<AuditEntry>>;
  /** Oldest first, after the line with this id (a cursor); `''` begins. */
  next(of: LinesOf, asked: AuditFilter & { afterId: string; limit: number }): Promise<AuditEntry[]>;
  /** Removes lines from before a time, which is older than `AUDIT_DAYS`. Returns their number. */
  prune(before: number): Promise<number>;
}
