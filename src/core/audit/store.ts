import type { Page } from '../shared/paging.ts';

/** Who did something: the operator at the command line, an API key, or a portal user. */
export interface Actor {
  kind: 'operator' | 'key' | 'user';
  /** Of the key or the user; null for the operator. */
  id: string | null;
  label: string;
}

/** Whoever works on the data directory itself. */
export const OPERATOR: Actor = { kind: 'operator', id: null, label: 'operator' };

/** Where a line comes from: the request, and the client's address; null for the operator at the command line. */
export interface Origin {
  requestId: string | null;
  address: string | null;
}

/** One line of the audit log. Never holds a secret. */
export interface AuditEntry extends Origin {
  id: string;
  /** Null: it is about the installation, which the operator alone reads. */
  tenantId: string | null;
  /** Epoch milliseconds. */
  at: number;
  actor: Actor;
  /** Noun and deed: `key.created`, `user.updated`, `settings.updated`, `login.failed`, ... */
  action: string;
  /** Id of what it was done to. */
  target: string | null;
  details: Record<string, unknown>;
}

/** Which lines: of one action, at or after `from`, before `to` (epoch milliseconds). */
export interface AuditFilter {
  action?: string | undefined;
  from?: number | null;
  to?: number | null;
}

/** Whose lines: of a tenant, of the installation (null), or all. */
export type LinesOf = { tenantId: string | null } | 'all';

/**
 * What was changed by whom. Lines are only ever added; the store itself refuses to change them, and to remove those that
 * are younger than their retention, unless their tenant is removed.
 */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first, by id: ids are made in the order of time. */
  list(of: LinesOf, asked: AuditFilter & { limit: number; offset: number }): Promise<Page<AuditEntry>>;
  /** Oldest first, those after the line with that id; `''` begins. */
  next(of: LinesOf, asked: AuditFilter & { afterId: string; limit: number }): Promise<AuditEntry[]>;
  /** Removes what is from before that time, which is older than `AUDIT_DAYS`. Says how many went. */
  prune(before: number): Promise<number>;
}
