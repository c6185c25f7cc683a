import type { Page } from '../shared/paging.ts';
import type { PageQuery } from './schema.ts';

/** A session of a portal user: one login. Times are epoch milliseconds. */
export interface StoredSession {
  id: string;
  tenantId: string;
  userId: string;
  /** The user's at the login. The session is void once the user has another. */
  sessionVersion: number | null;
  createdAt: number;
  /** To five minutes. */
  lastSeenAt: number;
  expiresAt: number;
  address: string;
  /** The client's User-Agent, at most 200 characters. */
  userAgent: string | null;
  /** Null unless the session was ended early. */
  revokedAt: number | null;
}

/** Selects the live sessions of a user at `now`. */
export interface SessionsOf {
  userId: string;
  sessionVersion: number | null;
  now: number;
}

/** Sessions of portal users. Reading one sees at once what any process has committed. */
export interface SessionStore {
  /** Also removes the oldest sessions of the user beyond the newest `keep`. */
  create(session: StoredSession, keep: number): Promise<void>;
  /** A session of any tenant: the caller must compare the tenant. */
  find(id: string): Promise<StoredSession | null>;
  page(tenantId: string, of: SessionsOf, asked: PageQuery): Promise<Page<StoredSession>>;
  touch(id: string, at: number): Promise<void>;
  /** Ends one live session of a user, or all but `except` (null: all). Returns their number. */
  end(tenantId: string, of: SessionsOf, which: { id: string } | { except: string | null }): Promise<number>;
  /** Removes sessions that expired before `before`. */
  prune(before: number): Promise<void>;
}
