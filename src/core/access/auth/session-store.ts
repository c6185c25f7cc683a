import type { Page } from '../../base/shared/paging.ts';
import type { PageQuery } from './schema.ts';

/** One login of a portal user. Times are epoch milliseconds. */
export interface StoredSession {
  id: string;
  tenantId: string;
  userId: string;
  /** The user's version at the login; another one voids the session. */
  sessionVersion: number | null;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  address: string;
  userAgent: string | null;
  revokedAt: number | null;
  /** When the user last gave a second factor in it. */
  secondFactorAt: number | null;
}

/** Of a session that an identity provider opened, and may end. */
export interface SessionIdentity {
  providerUid: string;
  issuer: string;
  subject: string;
  /** The provider's own session (`sid`); null if it names none. */
  idpSession: string | null;
}

export interface SessionsOf {
  userId: string;
  sessionVersion: number | null;
  now: number;
}

/** Reads return what any process has committed. */
export interface SessionStore {
  /**
   * With its identity in one transaction. Removes the user's oldest sessions beyond the newest
   * `keep`.
   */
  create(session: StoredSession, keep: number, identity?: SessionIdentity): Promise<void>;
  /** Of any tenant: the caller must compare the tenant. */
  find(id: string): Promise<StoredSession | null>;
  page(tenantId: string, of: SessionsOf, asked: PageQuery): Promise<Page<StoredSession>>;
  touch(id: string, at: number): Promise<void>;
  recordSecondFactor(id: string, at: number): Promise<void>;
  /** Ends one session, or all but `except` (null: all). Returns their number. */
  end(tenantId: string, of: SessionsOf, which: { id: string } | { except: string | null }): Promise<number>;
  prune(before: number): Promise<void>;
}
