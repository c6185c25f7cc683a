import { openWith, type SealingKeys, type SecretPlace } from '../../base/sealing/sealing.ts';
import type { StoredUser } from '../users/store.ts';
import type { IdentityProviderDefinition } from './schema.ts';

/** Times are epoch milliseconds. */
export interface StoredIdentityProvider extends IdentityProviderDefinition {
  /** The id of the row: a provider that is made again under the same `id` is another one. */
  uid: string;
  /** Null for a provider of the whole installation. */
  tenantId: string | null;
  id: string;
  /** See `secretPlace`. */
  sealedSecret: string | null;
  /** The highest role of users whom it may let in: that of who answers for it. */
  authority: 'ADMIN' | 'SUPER_ADMIN';
  /** Counts the changes. */
  revision: number;
  createdAt: number;
  updatedAt: number;
}

/** Reads return what any process has committed. */
export interface IdentityProviderStore {
  create(
    provider: StoredIdentityProvider,
    maximum: number,
  ): Promise<'created' | 'duplicate' | 'too many' | 'unknown tenant'>;
  /** By id. Null: those of the whole installation. */
  list(tenantId: string | null): Promise<StoredIdentityProvider[]>;
  find(tenantId: string | null, id: string): Promise<StoredIdentityProvider | null>;
  /** In every tenant and of the installation, with or without a slash at its end; oldest first. */
  ofIssuer(issuer: string): Promise<StoredIdentityProvider[]>;
  /**
   * In one statement: `stale` when the revision is another one, `last` when it would disable the
   * only provider of a tenant without password logins.
   */
  change(provider: StoredIdentityProvider, seenRevision: number): Promise<'changed' | 'stale' | 'last'>;
  /** In one statement, as `change`. Identities go with it. */
  remove(uid: string): Promise<'removed' | 'unknown' | 'last'>;
}

/** Whom a provider means. Never an e-mail, which may get another owner. */
export interface Identity {
  providerUid: string;
  /** The issuer of the token: a provider whose issuer was changed has other people. */
  issuer: string;
  subject: string;
  tenantId: string;
}

export interface EndedByProvider {
  tenantId: string;
  userId: string;
  sessions: number;
}

export interface IdentityStore {
  /** The id of the user, who may be of any state. */
  userOf(identity: Identity): Promise<string | null>;
  /**
   * In one statement. `taken`: the identity belongs to a user already; `other account`: the user
   * has another of the provider.
   */
  link(identity: Identity, userId: string, at: number): Promise<'linked' | 'taken' | 'other account'>;
  /** User and identity in one transaction: a crash leaves neither. */
  createUser(
    user: StoredUser,
    identity: Identity,
  ): Promise<'created' | 'duplicate email' | 'duplicate identity' | 'unknown tenant'>;
  /** The provider with which the session was opened. */
  providerOfSession(sessionId: string): Promise<string | null>;
  /**
   * Ends live sessions that the provider opened, of a subject, of its own session id, or of both
   * together.
   */
  endSessions(
    of: { providerUid: string; issuer: string; subject: string | null; idpSession: string | null },
    now: number,
  ): Promise<EndedByProvider[]>;
  /** Uses a name up, in every process: false when it was used. Forgets it after `expiresAt`. */
  useOnce(name: string, expiresAt: number, now: number): Promise<boolean>;
}

/** In place of a tenant in addresses. */
export const INSTALLATION = 'installation';

/** `<tenant>/<id>`, as in its addresses. */
export function providerAddress({ tenantId, id }: Pick<StoredIdentityProvider, 'tenantId' | 'id'>): string {
  return `${tenantId ?? INSTALLATION}/${id}`;
}

/** To register at the provider. `baseUrl` is the public address, with a slash at its end. */
export function addressesOf(provider: Pick<StoredIdentityProvider, 'tenantId' | 'id'>, baseUrl: string) {
  const base = `${baseUrl}api/v1/portal/login/sso/${providerAddress(provider)}`;
  return { redirectUri: `${base}/callback`, backchannelLogoutUri: `${base}/backchannel-logout` };
}

/** The issuer is sealed in: writing to the row cannot send the secret elsewhere. */
export function secretPlace({ uid, issuer }: Pick<StoredIdentityProvider, 'uid' | 'issuer'>): SecretPlace {
  return ['identity provider', uid, 'client secret', issuer];
}

/** Throws an UnopenableSecret. */
export function openSecret(keys: Pick<SealingKeys, 'keyFor'>, provider: StoredIdentityProvider): string | null {
  return provider.sealedSecret === null ? null : openWith(keys, provider.sealedSecret, secretPlace(provider));
}
