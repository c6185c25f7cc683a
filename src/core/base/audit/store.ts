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
  /** With a period at its end, all actions that begin with it. */
  action?: string | undefined;
  /** The id or the label of an actor. */
  actor?: string | undefined;
  target?: string | undefined;
  from?: number | null;
  to?: number | null;
}

/** A place in the order of lines: by time, then by id. */
export type AuditPlace = Pick<AuditEntry, 'at' | 'id'>;

/** `before` and `after` exclude the place. With `after`, the lines next to it. */
export interface AuditPageAsked extends AuditFilter {
  limit: number;
  offset: number;
  before?: AuditPlace | undefined;
  after?: AuditPlace | undefined;
}

export interface AuditPage extends Page<AuditEntry> {
  /** Whether more lines follow in the direction that was read. */
  hasMore: boolean;
}

export type LinesOf = { tenantId: string | null } | 'all';

/** Append-only: refuses to change lines, or to remove them within their retention. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first. Counts at most `MAX_COUNTED_LINES`, without regard to `before` and `after`. */
  list(of: LinesOf, asked: AuditPageAsked): Promise<AuditPage>;
  /** Oldest first, after the place; null: from the first. */
  next(of: LinesOf, asked: AuditFilter & { after: AuditPlace | null; limit: number }): Promise<AuditEntry[]>;
  /** `before` must be older than `AUDIT_DAYS`. Returns the number of removed lines. */
  prune(before: number): Promise<number>;
}
