import type { Role } from '../../base/shared/caller.ts';
import type { Page } from '../../base/shared/paging.ts';
import type { StoredUser } from '../users/store.ts';
import type { Agent, ApiKey, KeyMaker, KeyState, PageQuery, Settings, Tenant } from './schema.ts';

export interface TenantStore {
  /** Null when the name is taken. */
  create(tenant: Tenant): Promise<Tenant | null>;
  find(idOrName: string): Promise<Tenant | null>;
  /** In the order of their creation; `most`: the first of them. */
  list(most?: number): Promise<Tenant[]>;

  /** The fewest days for which a tenant keeps its events; null: all keep them for ever. */
  shortestRetention(): Promise<number | null>;
  /**
   * In one statement: `no other login` when it would end password logins of a tenant without an
   * enabled identity provider.
   */
  change(id: string, changes: Partial<Settings>): Promise<'changed' | 'unknown' | 'no other login'>;
  /**
   * Marks that the tenant is being erased, which every process sees; again while it goes on. A mark
   * of ten minutes without renewal is void. Returns whether there was one, of an erasure that goes
   * on or was interrupted.
   */
  markErasing(id: string): Promise<boolean>;
  /** The erasure failed. What was left of it is remembered. */
  unmarkErasing(id: string): Promise<void>;
  /** Removes marks of processes that are known to have ended. Returns the ids of their tenants. */
  unmarkInterrupted(): Promise<string[]>;
  /** Ids of tenants that are being erased. */
  erasing(): Promise<string[]>;
  /**
   * Removes the tenant's rows in one transaction, and says how many of each kind. Null: no such
   * tenant.
   */
  remove(id: string): Promise<Record<string, number> | null>;
}

export interface AgentStore {
  register(agents: Agent[]): Promise<number>;
  remove(tenantId: string, name: string): Promise<void>;
  list(tenantId: string): Promise<Agent[]>;
  page(tenantId: string, asked: PageQuery): Promise<Page<Agent>>;
}

export interface KeysPage extends PageQuery {
  /** Only keys that this user made; null: all. */
  createdBy: string | null;
  /** A part of the label or the id, in any case. */
  search: string;
  state: KeyState;
  /** Only keys that are neither revoked nor expired, and whose maker is inactive or gone. */
  leavers: boolean;
  now: number;
}

export type KeyWithMaker = ApiKey & { maker: KeyMaker | null };

/** Reads return what any process has committed. */
export interface KeyStore {
  create(key: ApiKey): Promise<void>;
  /** Null also while its tenant is being erased. */
  find(id: string): Promise<(ApiKey & { timezone: string }) | null>;
  /** Newest first. Null: of every tenant. */
  list(tenantId: string | null): Promise<KeyWithMaker[]>;
  /** Newest first. */
  page(tenantId: string, asked: KeysPage): Promise<Page<KeyWithMaker>>;
  /**
   * False for an unknown key. In the same statement the secret that is replaced becomes the former
   * one until `formerUntil`; null: there is no former one.
   */
  replaceSecret(id: string, changed: Pick<ApiKey, 'secretHash' | 'createdBy' | 'formerUntil'>): Promise<boolean>;
  /**
   * Keeps the time of an earlier revocation, and ends the former secret. False for an unknown key.
   */
  revoke(id: string, at: number): Promise<boolean>;
  revokeOf(tenantId: string, createdBy: string, at: number): Promise<ApiKey[]>;
  touch(id: string, at: number): Promise<void>;
  countActive(tenantId: string, createdBy: string | null, now: number): Promise<{ ofTenant: number; ofUser: number }>;
}

export interface InstallationStore {
  /** False when it was set before. */
  claim(fact: string, at: number): Promise<boolean>;
  has(fact: string): Promise<boolean>;
  /** Removes the fact and all claims of it. */
  forget(fact: string): Promise<void>;
}

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

/** Identifies a session that an identity provider opened, and may end. */
export interface SessionIdentity {
  providerUid: string;
  issuer: string;
  subject: string;
  /** The provider's own session (`sid`); null if it names none. */
  idpSession: string | null;
}

/** Live sessions of a tenant. */
export interface SessionsOfAll {
  /** A part of the name or the e-mail of their users. */
  search: string;
  now: number;
}

export type SessionWithUser = StoredSession & { user: Pick<StoredUser, 'id' | 'name' | 'email' | 'role'> };

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
  /** A session of any tenant: the caller must compare the tenant. */
  find(id: string): Promise<StoredSession | null>;
  page(tenantId: string, of: SessionsOf, asked: PageQuery): Promise<Page<StoredSession>>;
  /** Sessions of everybody in the tenant, newest first; `total` counts at most `countAtMost`. */
  pageOfAll(
    tenantId: string,
    of: SessionsOfAll,
    asked: PageQuery & { countAtMost: number },
  ): Promise<Page<SessionWithUser>>;
  /** Ends those of all users with these roles, except for one. Returns their number. */
  endOfAll(tenantId: string, of: { roles: readonly Role[]; exceptUser: string; now: number }): Promise<number>;
  touch(id: string, at: number): Promise<void>;
  recordSecondFactor(id: string, at: number): Promise<void>;
  /** Ends one session, or all but `except` (null: all). Returns their number. */
  end(tenantId: string, of: SessionsOf, which: { id: string } | { except: string | null }): Promise<number>;
  prune(before: number): Promise<void>;
}
