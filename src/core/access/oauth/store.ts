import type { AccessLimits } from '../../base/filters/limits.ts';
import type { Role, Scope } from '../../base/shared/caller.ts';
import type { Page } from '../../base/shared/paging.ts';
import type { PageQuery } from '../auth/schema.ts';
import type { RoleLimits } from '../limits/schema.ts';

/* Times are epoch milliseconds. */

/**
 * `configured` by the operator, `registered` by itself (RFC 7591), or a `document` at the address
 * that is its id.
 */
export type ClientKind = 'configured' | 'registered' | 'document';

/** Clients with a document are not stored. */
export interface StoredClient {
  id: string;
  kind: Exclude<ClientKind, 'document'>;
  name: string | null;
  /** Client metadata as RFC 7591 names it, without the secret. */
  metadata: Record<string, unknown>;
  /** SHA-256. Null: a public client. */
  secretHash: string | null;
  createdAt: number;
  /** When it last got a grant or a token; null: never. */
  lastUsedAt: number | null;
}

/** The access that a person allowed an application, until `expiresAt`. */
export interface StoredGrant {
  id: string;
  tenantId: string;
  userId: string;
  /** The user's version when it was allowed; another one voids the grant, as it voids sessions. */
  sessionVersion: number | null;
  clientId: string;
  /** The client's name for itself; null without one. */
  clientName: string | null;
  clientKind: ClientKind;
  /** The id of the identity provider that allowed it by an assertion; null: the person did. */
  identityProvider: string | null;
  /** The audience of its tokens. */
  resource: string;
  scopes: Scope[];
  limits: AccessLimits | null;
  createdAt: number;
  expiresAt: number;
  /** When the client fetched its first token; null: not yet. */
  activatedAt: number | null;
  lastUsedAt: number | null;
  /** The time at which a person ended it; null before that. */
  endedAt: number | null;
}

export type GrantOfUser = StoredGrant & { email: string };

/** A pending request, a code or a token. */
export interface OAuthRecord {
  /** The authorization server's name of the kind. */
  kind: string;
  /** The store keeps only its hash, since ids of codes and tokens are secrets. */
  id: string;
  grantId: string | null;
  content: Record<string, unknown>;
  createdAt: number;
  expiresAt: number;
  /** When it was used up; null: it was not. */
  consumedAt: number | null;
}

/** An access token with what its check needs, read in one statement. */
export interface TokenFacts {
  grant: Omit<StoredGrant, 'identityProvider' | 'resource' | 'createdAt' | 'activatedAt'>;
  /** Members of the record, such as `scope` and `aud`. */
  content: Record<string, unknown>;
  expiresAt: number;
  user: { id: string; email: string; role: Role; isActive: boolean; sessionVersion: number | null };
  timezone: string;
  roleLimits: RoleLimits | null;
}

/** State of the authorization server. Reads return what any process has committed. */
export interface OAuthStore {
  putClient(client: StoredClient): Promise<void>;
  findClient(id: string): Promise<StoredClient | null>;
  /** Newest first. */
  clients(asked: PageQuery & { kind?: StoredClient['kind'] | undefined }): Promise<Page<StoredClient>>;
  touchClient(id: string, at: number): Promise<void>;
  /** Ends and returns live grants, also of clients with a document, which are not stored. */
  removeClient(id: string, at: number): Promise<{ removed: boolean; ended: StoredGrant[] }>;

  createGrant(grant: StoredGrant): Promise<void>;
  /**
   * Stores a grant by assertion, in one transaction: in place of the live one of the same user and
   * client, whose id and times of creation and use stay. One of another session version is ended
   * instead. Returns the former one.
   */
  renewGrant(grant: StoredGrant): Promise<{ id: string; former: StoredGrant | null }>;
  findGrant(id: string): Promise<StoredGrant | null>;
  /**
   * Active ones only, of the users' current versions, newest first; counts at most 1,000. `userId`
   * null: of all users; `tenantId` null: of all tenants.
   */
  grants(
    of: { tenantId: string | null; userId: string | null; now: number },
    asked: PageQuery,
  ): Promise<Page<GrantOfUser>>;
  /** The client has fetched its first token. Keeps the time of an earlier one. */
  activateGrant(id: string, at: number): Promise<void>;
  touchGrant(id: string, at: number): Promise<void>;
  /** Ends it and removes its records in one transaction. False: no such grant, or it had ended. */
  endGrant(id: string, at: number): Promise<boolean>;

  /**
   * Replaces a record with the same kind and id. Of those of its kind and grant, the newest `keep`
   * stay.
   */
  put(record: OAuthRecord, keep: number): Promise<void>;
  find(kind: string, id: string): Promise<OAuthRecord | null>;
  /** Atomic. False: it was consumed before, whose time it keeps, or does not exist. */
  consume(kind: string, id: string, at: number): Promise<boolean>;
  remove(kind: string, id: string): Promise<void>;
  removeOfGrant(grantId: string, kind: string): Promise<void>;

  findToken(token: string): Promise<TokenFacts | null>;

  /** Removes what is over: `before` are the latest times of what goes. */
  prune(before: {
    records: number;
    grants: number;
    unusedGrants: number;
    unusedClients: number;
    idleClients: number;
  }): Promise<void>;
}
