import type { Page } from '../shared/paging.ts';
import type { PageQuery } from './schema.ts';

/** A session of a portal user: one login. Times are epoch milliseconds. */
export interface StoredSession {
  id: string;
  tenantId: string;
  userId: string;
  /** Of the user at the login. The session is void as soon as the user has another. */
  sessionVersion: number | null;
  createdAt: number;
  /** To five minutes. */
  lastSeenAt: number;
  expiresAt: number;
  /** Where the login came from. */
  address: string;
  /** As the client named itself, at most 200 characters; null: it did not. */
  userAgent: string | null;
  /** When it was ended before its time; null: it was not. */
  revokedAt: number | null;
}

/** A user whose sessions are asked for, and the moment at which they must be live. */
export interface SessionsOf {
  userId: string;
  sessionVersion: number | null;
  now: number;
}

/** Sessions of portal users. Reading one sees at once what any process has committed. */
export interface SessionStore {
  /** Also removes the oldest sessions of the user beyond the newest `keep`. */
  create(session: StoredSession, keep: number): Promise<void>;
  /** Whatever its tenant: the caller compares it. */
  find(id: string): Promise<StoredSession | null>;
  /** Those that are live, newest first. */
  page(tenantId: string, of: SessionsOf, asked: PageQuery): Promise<Page<StoredSession>>;
  touch(id: string, at: number): Promise<void>;
  /** Ends live sessions of a user: one, or all but one (`except`; null: all). Returns how many it ended. */
  end(tenantId: string, of: SessionsOf, which: { id: string } | { except: string | null }): Promise<number>;
  /** Removes those that expired before then. */
  prune(before: number): Promise<void>;
}
