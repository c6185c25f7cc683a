import type { AuditLog } from '../../base/audit/log.ts';
import { administers, type Caller, type Role, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, forbidden, invalid, notFound, RuntimeError } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { parse } from '../../base/shared/parse.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { Buckets, Rate } from '../../limits/rates/buckets.ts';
import { grantedLimits, requireWithinOwn } from '../limits/schema.ts';
import type { UserStore } from '../users/store.ts';
import type { AgentService } from './agents.ts';
import { mayGiveRole, mayGrant } from './rights.ts';
import {
  type ApiKey,
  type CreateKey,
  createKeySchema,
  type IssuedKey,
  type KeyMaker,
  type KeysQuery,
  type RotatedKey,
  type RotateKey,
  rotateKeySchema,
  type ShownApiKey,
} from './schema.ts';
import { hashSecret, newKey, parseKey } from './secrets.ts';
import { formerSecretUntil, issuedKey, shownKey } from './shown-key.ts';
import type { KeyStore } from './store.ts';

const MAX_OF_TENANT = 1_000;
const MAX_OF_USER = 100;
const CREATION: Rate = { perMinute: 10, burst: 30 };

interface KeyParts {
  store: KeyStore;
  agents: Pick<AgentService, 'register' | 'listAll'>;
  users: Pick<UserStore, 'find'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  /** Default lifetime of a key, in milliseconds; null: unlimited. */
  lifetimeMs: number | null;
  creations: Buckets;
}

/** Administrators manage all keys of their tenant, other portal users their own. */
export class KeyService {
  private readonly parts: KeyParts;

  constructor(parts: KeyParts) {
    this.parts = parts;
  }

  /** Newest first. */
  async list(caller: Caller, query: KeysQuery): Promise<Page<ShownApiKey>> {
    requirePortal(caller, 'user');
    const { maker = null, search, ...asked } = query;
    // Others see their own: the keys of another maker are none of theirs.
    if (!administers(caller.role) && maker !== null && maker !== caller.userId) return { items: [], total: 0 };
    const createdBy = administers(caller.role) ? maker : caller.userId;
    const now = this.parts.effects.now();
    const filter = { ...asked, createdBy, now, search: parseKey(search)?.id ?? search };
    const { items, total } = await this.parts.store.page(caller.tenantId, filter);
    return { items: items.map((key) => shownKey(key, now)), total };
  }

  async listAll(tenantId: string | null): Promise<ShownApiKey[]> {
    const now = this.parts.effects.now();
    return (await this.parts.store.list(tenantId)).map((key) => shownKey(key, now));
  }

  /** For the operator: of any tenant. Throws `not_found`. */
  async get(id: string): Promise<ApiKey> {
    const key = await this.parts.store.find(id);
    if (key) return key;
    throw notFound(
      `There is no key with the id ${shownId(id)}. The id is the part between ar_ and the second underscore.`,
    );
  }

  /** Throws `forbidden` for scopes that `by` lacks, and as `admit`. */
  async create(tenantId: string, input: CreateKey, by: Caller | null): Promise<IssuedKey> {
    if (by) requirePortal(by, 'user');
    const { agentId, label, scopes, limits: asked, expiresAt: wanted } = parse(createKeySchema, input);
    if (by && agentId !== null && !administers(by.role)) await this.requireAgent(by, agentId);
    const expiresAt = this.expiryOf(wanted, by);
    const excess = by ? scopes.filter((scope) => !mayGrant(by, scope)) : [];
    if (excess.length > 0) {
      throw forbidden(`You cannot grant scopes that you lack: ${excess.join(', ')}.`);
    }
    const limits = grantedLimits(by, asked, agentId);
    if (by) await this.admit(by);
    const { store, agents, audit, effects } = this.parts;
    const userId = by?.userId ?? null;
    if (agentId !== null) await agents.register({ tenantId, userId }, [agentId]);
    const { id, secret } = newKey();
    const key: ApiKey = {
      id,
      tenantId,
      agentId,
      label,
      scopes: [...new Set(scopes)],
      limits,
      secretHash: hashSecret(secret),
      createdAt: effects.now(),
      expiresAt,
      lastUsedAt: null,
      revokedAt: null,
      createdBy: userId,
      formerHash: null,
      formerUntil: null,
    };
    await store.create(key);
    await audit.record(by, tenantId, 'key.created', id, detailsOf(key));
    return issuedKey(key, secret);
  }

  /**
   * The old secret is void after the overlap, an older one immediately. Throws `forbidden` unless
   * `by` could have made the key.
   */
  async rotate(id: string, by: Caller | null, input: RotateKey = {}): Promise<RotatedKey> {
    const { overlapSeconds } = parse(rotateKeySchema, input);
    const key = await this.keyOf(by, id);
    if (by) await this.requireRotating(by, key);
    if (by && overlapSeconds > 0) await this.requireOverlap(by, key);
    if (key.revokedAt !== null) {
      throw conflict(`The key ${id} is revoked; create a new one instead.`);
    }
    const { store, audit, effects } = this.parts;
    const now = effects.now();
    if (key.expiresAt !== null && key.expiresAt <= now) {
      throw conflict(`The key ${id} has expired; create a new one instead.`);
    }
    const { secret } = newKey(id);
    const createdBy = by && key.scopes.includes('*') ? by.userId : key.createdBy;
    const formerUntil = overlapSeconds === 0 ? null : now + overlapSeconds * 1_000;
    await store.replaceSecret(id, { secretHash: hashSecret(secret), createdBy, formerUntil });
    const overlap = overlapSeconds === 0 ? {} : { overlapSeconds };
    await audit.record(by, key.tenantId, 'key.rotated', id, { ...detailsOf(key), ...overlap });
    return { ...issuedKey(key, secret), formerSecretUntil: formerSecretUntil({ ...key, formerUntil }, now) };
  }

  async revoke(id: string, by: Caller | null): Promise<ShownApiKey> {
    const key = await this.keyOf(by, id);
    const { effects } = this.parts;
    const shown = async (one: ApiKey) => shownKey({ ...one, maker: await this.makerOf(one.createdBy) }, effects.now());
    if (key.revokedAt !== null) return shown(key);
    await this.parts.store.revoke(id, effects.now());
    await this.parts.audit.record(by, key.tenantId, 'key.revoked', id, detailsOf(key));
    return shown(await this.get(id));
  }

  async revokeOf(tenantId: string, userId: string, by: Caller | null): Promise<ShownApiKey[]> {
    if (by) requirePortal(by, 'user');
    if (by && !administers(by.role) && userId !== by.userId) {
      throw forbidden("Only an administrator of the tenant may revoke another user's keys.");
    }
    const now = this.parts.effects.now();
    const revoked = await this.parts.store.revokeOf(tenantId, userId, now);
    for (const key of revoked) await this.parts.audit.record(by, tenantId, 'key.revoked', key.id, detailsOf(key));
    const maker = await this.makerOf(userId);
    return revoked.map((key) => shownKey({ ...key, maker }, now));
  }

  private async makerOf(id: string | null): Promise<KeyMaker | null> {
    if (id === null) return null;
    const { name = null, email = null, isActive = false } = (await this.parts.users.find(id)) ?? {};
    return { id, name, email, isActive };
  }

  /** Throws `rate_limited` or `conflict`. */
  private async admit({ tenantId, userId, role, credential }: Caller): Promise<void> {
    const { store, creations, effects } = this.parts;
    const lacking = creations.takeEach([{ name: credential.id, rate: CREATION }]);
    if (lacking) {
      const message = `Too many API keys are being made: ${CREATION.perMinute} a minute are allowed.`;
      throw new RuntimeError('rate_limited', message, { retryAfter: lacking.retryAfter });
    }
    const { ofTenant, ofUser } = await store.countActive(tenantId, userId, effects.now());
    if (ofTenant >= MAX_OF_TENANT) throw tooMany('The tenant has', MAX_OF_TENANT);
    if (!administers(role) && ofUser >= MAX_OF_USER) throw tooMany('You have', MAX_OF_USER);
  }

  private async keyOf(by: Caller | null, id: string): Promise<ApiKey> {
    if (by) requirePortal(by, 'user');
    const key = await this.get(id);
    if (by === null) return key;
    if (key.tenantId !== by.tenantId) throw forbidden('This API key belongs to another tenant.');
    if (administers(by.role) || key.createdBy === by.userId) return key;
    throw forbidden("This API key is another user's; an administrator of the tenant may.");
  }

  private async requireRotating(by: Caller, key: ApiKey): Promise<void> {
    const excess = key.scopes.filter((scope) => !mayGrant(by, scope));
    if (excess.length > 0) {
      throw forbidden(`You cannot have a key with scopes that you lack: ${excess.join(', ')}.`);
    }
    requireWithinOwn(by, key.limits);
    if (!key.scopes.includes('*') || mayGiveRole(by, null, await this.ceilingOf(key))) return;
    throw forbidden(
      'This key may make super administrators. Only one of them, or the operator at the command line, may rotate it.',
    );
  }

  /** `by` becomes the maker of a `*` key: whoever knows its old secret must not gain by that. */
  private async requireOverlap({ userId, role }: Caller, { scopes, createdBy, tenantId }: ApiKey): Promise<void> {
    if (!scopes.includes('*') || createdBy === null || createdBy === userId) return;
    const maker = await this.parts.users.find(createdBy);
    const isLeft = !maker?.isActive || maker.tenantId !== tenantId;
    if (!isLeft && role !== null && mayGiveRole({ role: maker.role, scopes }, null, role)) return;
    throw forbidden(
      'overlapSeconds: you become the maker of this key, and its old secret would have your rights over users, which its present maker lacks. Rotate it without an overlap, or create another key.',
    );
  }

  /** A key with `*` may give at most the role of its maker. */
  private async ceilingOf({ createdBy }: ApiKey): Promise<Role> {
    if (createdBy === null) return 'SUPER_ADMIN';
    return (await this.parts.users.find(createdBy))?.role ?? 'SUPER_ADMIN';
  }

  /** A key's first use registers its agent, and only administrators may create agents. */
  private async requireAgent(by: Caller, name: string): Promise<void> {
    if ((await this.parts.agents.listAll(by)).some((agent) => agent.name === name)) return;
    throw notFound(`There is no agent ${JSON.stringify(name)}. An administrator of the tenant can create it.`);
  }

  /** Throws `invalid` for the past, `forbidden` beyond the lifetime unless `by` administers. */
  private expiryOf(wanted: number | null | undefined, by: Caller | null): number | null {
    const { effects, lifetimeMs } = this.parts;
    const now = effects.now();
    const usual = lifetimeMs === null ? null : now + lifetimeMs;
    if (wanted === undefined) return usual;
    if (wanted !== null && wanted <= now) throw invalid('expiresAt: lies in the past');
    const isLonger = usual !== null && (wanted === null || wanted > usual);
    if (isLonger && by && !by.scopes.includes('*')) {
      const message = `expiresAt: must be ${formatUtc(usual)} at the latest (AGENT_RUNTIME_KEY_LIFETIME); an administrator of the tenant may go beyond that.`;
      throw forbidden(message);
    }
    return wanted;
  }
}

const MAX_SHOWN_ID = 100;

/** Omits the secret, if the client sent a whole key as the id. */
function shownId(id: string): string {
  return JSON.stringify(parseKey(id)?.id ?? id.slice(0, MAX_SHOWN_ID));
}

function detailsOf({ label, agentId, scopes, limits }: ApiKey): Record<string, unknown> {
  return { label, agentId, scopes, ...(limits && { limits }) };
}

function tooMany(owner: string, maximum: number): RuntimeError {
  const message = `${owner} ${maximum} active API keys, which is the most. Revoke keys that are not used any more.`;
  return conflict(message);
}
