import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { hashSecret } from '../../core/access/auth/secrets.ts';
import type { AssertedRequest } from '../../core/access/oauth/enterprise-grants.ts';
import type { OAuthRecord, OAuthStore, StoredClient, StoredGrant } from '../../core/access/oauth/store.ts';
import type { SecretKey } from '../../core/base/sealing/secret-key.ts';
import type { Caller } from '../../core/base/shared/caller.ts';
import type { OAuthBase } from './address.ts';

/** Within it, a used refresh token works again: requests run in parallel, and answers get lost. */
const REFRESH_GRACE_MS = 60_000;
/** Records of one kind and grant: more than a host has at once, too few to fill the disk. */
const MAX_OF_GRANT = 50;
/** The lifetime of ids of client assertions, whose expiry clients choose. */
const MAX_ASSERTION_SECONDS = 600;

/** Why a grant ended without a person's doing. */
type EndReason = 'revoked by the application' | 'a used refresh token or code came again';

export interface AuthorizationServerParts {
  store: OAuthStore;
  secretKey: SecretKey;
  /** Epoch milliseconds. */
  now: () => number;
  isActiveUser(id: string): Promise<boolean>;
  /** Whether the user of a grant may still act by it. */
  isLive(grant: StoredGrant): Promise<boolean>;
  /** Null if the token, its grant or its user does not hold any more. */
  callerOf(token: string, audience: string): Promise<Caller | null>;
  /**
   * Whether another metadata document may be fetched, from a server that anybody names at this
   * address.
   */
  mayFetch(clientId: string, base: OAuthBase, address: string): boolean;
  /** For metadata documents and key sets of clients, which anybody may name: behind the guard. */
  fetch: typeof fetch;
  /** The grant of an identity provider's assertion. Rejects with an AssertionRefused. */
  assertedGrant(request: AssertedRequest): Promise<StoredGrant>;
  onEnded(grant: StoredGrant, reason: EndReason): Promise<void>;
  onError(error: unknown): void;
}

type AdapterParts = Pick<AuthorizationServerParts, 'store' | 'secretKey' | 'isLive' | 'now'>;

/** Keeps the records of `oidc-provider` in the port `OAuthStore`. */
export function adapterFor(kind: string, parts: AdapterParts): Adapter {
  if (kind === 'Client') return new ClientAdapter(parts);
  if (kind === 'Grant') return new GrantAdapter(parts);
  // Who is logged in is known by the session of the portal alone, so the library's own sessions are
  // not kept.
  if (kind === 'Session') return new EmptyAdapter(parts);
  return new RecordAdapter(kind, parts);
}

/** Has nothing and keeps nothing. */
class EmptyAdapter implements Adapter {
  protected readonly parts: AdapterParts;

  constructor(parts: AdapterParts) {
    this.parts = parts;
  }

  async upsert(_id: string, _payload: AdapterPayload, _expiresIn: number): Promise<void> {}
  async find(_id: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }
  async findByUserCode(_code: string): Promise<undefined> {
    return undefined;
  }
  async findByUid(_uid: string): Promise<undefined> {
    return undefined;
  }
  async consume(_id: string): Promise<void> {}
  async destroy(_id: string): Promise<void> {}
  async revokeByGrantId(_grantId: string): Promise<void> {}
}

class ClientAdapter extends EmptyAdapter {
  override async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { client_secret: secret, ...metadata } = payload as Record<string, unknown>;
    const name = typeof metadata.client_name === 'string' ? metadata.client_name : null;
    const secretHash = typeof secret === 'string' ? hashSecret(secret) : null;
    const createdAt = this.parts.now();
    await this.parts.store.putClient({
      id,
      kind: 'registered',
      name,
      metadata,
      secretHash,
      createdAt,
      lastUsedAt: null,
    });
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const client = await this.parts.store.findClient(id);
    return client ? metadataOf(client) : undefined;
  }

  override async destroy(id: string): Promise<void> {
    await this.parts.store.removeClient(id, this.parts.now());
  }
}

/** The hash stands for the secret: see `compareClientSecret` of the authorization server. */
function metadataOf({ id, metadata, secretHash }: StoredClient): AdapterPayload {
  return {
    ...metadata,
    client_id: id,
    ...(secretHash === null ? {} : { client_secret: secretHash }),
  } as AdapterPayload;
}

/** Grants are made by `ConsentService`. */
class GrantAdapter extends EmptyAdapter {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { store, isLive } = this.parts;
    const grant = await store.findGrant(id);
    return grant && grant.endedAt === null && (await isLive(grant)) ? payloadOf(grant) : undefined;
  }

  override async destroy(id: string): Promise<void> {
    await this.parts.store.endGrant(id, this.parts.now());
  }
}

function payloadOf(grant: StoredGrant): AdapterPayload {
  return {
    kind: 'Grant',
    jti: grant.id,
    accountId: grant.userId,
    clientId: grant.clientId,
    resources: { [grant.resource]: grant.scopes.join(' ') },
    iat: Math.floor(grant.createdAt / 1_000),
    exp: Math.floor(grant.expiresAt / 1_000),
  } as AdapterPayload;
}

/** Pending requests, codes and tokens. Their ids are secrets, which the store hashes. */
class RecordAdapter extends EmptyAdapter {
  private readonly kind: string;

  constructor(kind: string, parts: AdapterParts) {
    super(parts);
    this.kind = kind;
  }

  override async upsert(id: string, { jti: _, ...content }: AdapterPayload, expiresIn: number): Promise<void> {
    const { store, now } = this.parts;
    const grantId = content.grantId ?? null;
    const seconds = this.kind === 'ReplayDetection' ? Math.min(expiresIn, MAX_ASSERTION_SECONDS) : expiresIn;
    const createdAt = now();
    const times = { createdAt, expiresAt: createdAt + seconds * 1_000, consumedAt: null };
    await store.put({ kind: this.kind, id, grantId, content, ...times }, MAX_OF_GRANT);
    if (this.kind === 'AccessToken' && grantId !== null) await store.activateGrant(grantId, now());
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const record = await this.parts.store.find(this.kind, id);
    if (record) return { ...record.content, jti: id, ...this.consumption(record) } as AdapterPayload;
    return this.kind === 'RefreshToken' ? this.forgotten(id) : undefined;
  }

  /**
   * A refresh token of this server that newer ones have pushed out counts as used, so that the
   * library ends the grant.
   */
  private async forgotten(id: string): Promise<AdapterPayload | undefined> {
    const { store, secretKey } = this.parts;
    const grantId = grantOfRefreshToken(secretKey, id);
    const grant = grantId === null ? null : await store.findGrant(grantId);
    if (!grant || grant.endedAt !== null) return undefined;
    const { jti, kind: _, resources: __, ...payload } = payloadOf(grant);
    return { ...payload, kind: 'RefreshToken', jti: id, grantId: jti, consumed: payload.iat } as AdapterPayload;
  }

  /**
   * Atomic, unlike the library's own check, for codes: of two requests with one code, one fails.
   */
  override async consume(id: string): Promise<void> {
    const isFirst = await this.parts.store.consume(this.kind, id, this.parts.now());
    if (!isFirst && this.kind === 'AuthorizationCode')
      throw new errors.InvalidGrant('authorization code already consumed');
  }

  override async destroy(id: string): Promise<void> {
    await this.parts.store.remove(this.kind, id);
  }

  override async revokeByGrantId(grantId: string): Promise<void> {
    await this.parts.store.removeOfGrant(grantId, this.kind);
  }

  private consumption({ consumedAt }: OAuthRecord): { consumed?: number } {
    if (consumedAt === null) return {};
    const isInGrace = this.kind === 'RefreshToken' && this.parts.now() - consumedAt < REFRESH_GRACE_MS;
    return isInGrace ? {} : { consumed: Math.floor(consumedAt / 1_000) };
  }
}

/*
 * A refresh token is random bytes, its grant and a MAC. So the server knows each one that it
 * issued, however long ago, and keeps the newest alone.
 */

const RANDOM_BYTES = 32;
const GRANT_BYTES = 16;
const MAC_BYTES = 16;
const BYTES = RANDOM_BYTES + GRANT_BYTES + MAC_BYTES;

export function newRefreshToken(secretKey: SecretKey, grantId: string): string {
  const named = Buffer.concat([randomBytes(RANDOM_BYTES), Buffer.from(grantId.replaceAll('-', ''), 'hex')]);
  return Buffer.concat([named, macOf(secretKey, named)]).toString('base64url');
}

/** Null unless it is a refresh token of this server. */
export function grantOfRefreshToken(secretKey: SecretKey, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== BYTES) return null;
  const named = bytes.subarray(0, -MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), macOf(secretKey, named))) return null;
  const hex = named.subarray(-GRANT_BYTES).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function macOf(secretKey: SecretKey, named: Uint8Array): Buffer {
  return createHmac('sha256', secretKey.keyFor('refresh tokens')).update(named).digest().subarray(0, MAC_BYTES);
}
