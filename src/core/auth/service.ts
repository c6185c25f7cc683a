import type { AuditLog } from '../audit/log.ts';
import { checkTimezone, formatUtc } from '../events/time.ts';
import type { Caller } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { invalid, notFound, type RefusedCredential, RuntimeError } from '../shared/errors.ts';
import { parse } from '../shared/parse.ts';
import { KeyLimits } from './key-limits.ts';
import { mayGrant } from './rights.ts';
import {
  type Agent,
  type ApiKey,
  type CreateKey,
  createAgentSchema,
  createKeySchema,
  createTenantSchema,
  type IssuedKey,
  type Settings,
  type Tenant,
  updateSettingsSchema,
} from './schema.ts';
import { formatKey, hashSecret, matchesHash, newKey, parseKey } from './secrets.ts';
import type { AgentStore, KeyStore, TenantStore } from './store.ts';

export interface AuthParts {
  tenants: TenantStore;
  agents: AgentStore;
  keys: KeyStore;
  audit: AuditLog;
  effects: Effects;
  /** After how long keys expire that name no date, in milliseconds; null: never. */
  keyLifetimeMs?: number | null | undefined;
}

/** `lastUsedAt` is a help for people: once a minute is fresh enough, and spares a write with every request. */
const TOUCH_INTERVAL_MS = 60_000;
const MAX_KNOWN_AGENTS = 10_000;

/** On whose behalf an agent comes to be. */
type Registrant = Pick<Caller, 'tenantId' | 'userId'>;

/** The agent of events that name none, sent with a key that is bound to none. */
export const DEFAULT_AGENT = 'default';

/**
 * Tenants, agents and API keys, and the way from a key to a Caller. `by` is who is written down for a deed, null the operator at
 * the command line; what portal users may do is decided by the services before it.
 */
export class AuthService {
  private readonly stores: Pick<AuthParts, 'tenants' | 'agents' | 'keys'>;
  private readonly audit: AuditLog;
  private readonly effects: Effects;
  private readonly keyLifetimeMs: number | null;
  private readonly touched = new Map<string, number>();
  private readonly knownAgents = new Set<string>();
  private readonly shut = new Set<string>();
  private readonly keyLimits: KeyLimits;

  constructor({ audit, effects, keyLifetimeMs = null, ...stores }: AuthParts) {
    this.stores = stores;
    this.audit = audit;
    this.effects = effects;
    this.keyLimits = new KeyLimits(stores.keys, effects.now);
    this.keyLifetimeMs = keyLifetimeMs;
  }

  /**
   * The caller behind an API key. Throws `unauthenticated`. The key is read anew each time, so that a revocation by any
   * process holds from the next request on.
   */
  async authenticate(apiKey: string): Promise<Caller> {
    const parts = parseKey(apiKey);
    const key = parts && (await this.stores.keys.find(parts.id));
    if (!parts || !key) throw invalidKey();
    this.refuseIfShut(key.tenantId);
    const refused = { tenantId: key.tenantId, kind: 'key', id: key.id, label: key.label } as const;
    if (!matchesHash(parts.secret, key.secretHash)) throw invalidKey(refused);
    const now = this.effects.now();
    if (key.revokedAt !== null) throw new RuntimeError('unauthenticated', 'The API key has been revoked.', { refused });
    if (key.expiresAt !== null && key.expiresAt <= now) {
      throw new RuntimeError('unauthenticated', 'The API key has expired.', { refused });
    }
    await this.touch(key.id, now);
    const { tenantId, agentId, label, scopes, timezone } = key;
    const credential = { kind: 'key', id: key.id } as const;
    return { tenantId, agentId, label, scopes, timezone, credential, userId: key.createdBy, role: null };
  }

  /**
   * Lets nobody of the tenant in any more, nor those write who are in: its erasure has begun. What has passed
   * `registerAgents` before is on its way.
   */
  blockTenant(tenantId: string): void {
    this.shut.add(tenantId);
  }

  isShut(tenantId: string): boolean {
    return this.shut.has(tenantId);
  }

  unblockTenant(tenantId: string): void {
    this.shut.delete(tenantId);
  }

  /** Remembers agents on their first use: whatever writes for a tenant comes by here. */
  async registerAgents({ tenantId, userId }: Registrant, names: string[]): Promise<void> {
    this.refuseIfShut(tenantId);
    const isKnown = (name: string) => this.knownAgents.has(`${tenantId}\0${name}`);
    const unknown = names.filter((name) => !isKnown(name));
    if (unknown.length === 0) return;
    const createdAt = this.effects.now();
    await this.stores.agents.register(unknown.map((name) => ({ tenantId, name, createdAt, createdBy: userId })));
    // Forgetting costs one look into the store for each agent that comes again.
    if (this.knownAgents.size > MAX_KNOWN_AGENTS) this.knownAgents.clear();
    for (const name of unknown) this.knownAgents.add(`${tenantId}\0${name}`);
  }

  async createTenant(input: { name: string }): Promise<Tenant> {
    const { name } = parse(createTenantSchema, input);
    const createdAt = this.effects.now();
    const tenant = { id: this.effects.newId(), name, timezone: 'UTC', createdAt, retentionDays: null };
    const created = await this.stores.tenants.create(tenant);
    if (!created) throw new RuntimeError('conflict', `A tenant named "${name}" exists already.`);
    await this.registerAgents({ tenantId: tenant.id, userId: null }, [DEFAULT_AGENT]);
    await this.audit.record(null, null, 'tenant.created', tenant.id);
    return created;
  }

  async tenant(idOrName: string): Promise<Tenant> {
    const tenant = await this.stores.tenants.find(idOrName);
    if (tenant) return tenant;
    const names = (await this.stores.tenants.list()).map((known) => known.name);
    throw notFound(`There is no tenant "${idOrName}". Known tenants: ${names.join(', ') || 'none'}.`);
  }

  /** Changes what is named. It holds for keys and users from their next request on. */
  async changeSettings(idOrName: string, input: Partial<Settings>, by: Caller | null): Promise<Tenant> {
    const changes = parse(updateSettingsSchema, input);
    if (changes.timezone !== undefined) changes.timezone = checkTimezone(changes.timezone);
    const tenant = await this.tenant(idOrName);
    const changed = { ...tenant, ...changes };
    await this.stores.tenants.change(tenant.id, changes);
    const names = (Object.keys(changes) as (keyof Settings)[]).filter((name) => changed[name] !== tenant[name]);
    const details = Object.fromEntries(names.map((name) => [name, { from: tenant[name], to: changed[name] }]));
    if (names.length > 0) await this.audit.record(by, tenant.id, 'settings.updated', tenant.id, details);
    return changed;
  }

  listTenants(): Promise<Tenant[]> {
    return this.stores.tenants.list();
  }

  async createAgent(tenantId: string, input: { name: string }, by: Caller | null): Promise<Agent> {
    const { name } = parse(createAgentSchema, input);
    const agent = { tenantId, name, createdAt: this.effects.now(), createdBy: by?.userId ?? null };
    if ((await this.stores.agents.register([agent])) === 0) {
      throw new RuntimeError('conflict', `The tenant has an agent named "${name}" already.`);
    }
    await this.audit.record(by, tenantId, 'agent.created', name);
    return agent;
  }

  listAgents(tenantId: string): Promise<Agent[]> {
    return this.stores.agents.list(tenantId);
  }

  /**
   * Makes a key. `grantedBy` is who asks, or null for the operator at the command line: nobody grants more than they
   * have, and only the operator may make more keys than `KeyLimits` allows.
   */
  async createKey(tenantId: string, input: CreateKey, grantedBy: Caller | null): Promise<IssuedKey> {
    const { agentId, label, scopes, expiresAt: wanted } = parse(createKeySchema, input);
    const expiresAt = this.expiryOf(wanted, grantedBy);
    const excess = grantedBy ? scopes.filter((scope) => !mayGrant(grantedBy, scope)) : [];
    if (excess.length > 0) {
      throw new RuntimeError('forbidden', `You cannot grant scopes that you lack: ${excess.join(', ')}.`);
    }
    if (grantedBy) await this.keyLimits.admit(grantedBy);
    const userId = grantedBy?.userId ?? null;
    if (agentId !== null) await this.registerAgents({ tenantId, userId }, [agentId]);
    const { id, secret } = newKey();
    const key: ApiKey = {
      id,
      tenantId,
      agentId,
      label,
      scopes: [...new Set(scopes)],
      secretHash: hashSecret(secret),
      createdAt: this.effects.now(),
      expiresAt,
      lastUsedAt: null,
      revokedAt: null,
      createdBy: userId,
    };
    await this.stores.keys.create(key);
    await this.audit.record(grantedBy, tenantId, 'key.created', id, detailsOf(key));
    return issued(key, secret);
  }

  listKeys(tenantId: string | null): Promise<ApiKey[]> {
    return this.stores.keys.list(tenantId);
  }

  /**
   * A new secret for the same key; the old one is void at once. What a key with `*` may make of users goes by who made it:
   * that is whoever knows its secret now.
   */
  async rotateKey(id: string, by: Caller | null = null): Promise<IssuedKey> {
    const key = await this.key(id);
    if (key.revokedAt !== null) {
      throw new RuntimeError('conflict', `The key ${id} is revoked; create a new one instead.`);
    }
    if (key.expiresAt !== null && key.expiresAt <= this.effects.now()) {
      throw new RuntimeError('conflict', `The key ${id} has expired; create a new one instead.`);
    }
    const { secret } = newKey(id);
    const createdBy = by && key.scopes.includes('*') ? by.userId : key.createdBy;
    await this.stores.keys.replaceSecret(id, { secretHash: hashSecret(secret), createdBy });
    await this.audit.record(by, key.tenantId, 'key.rotated', id, detailsOf(key));
    return issued(key, secret);
  }

  /** Makes a key void, at once and for good. */
  async revokeKey(id: string, by: Caller | null = null): Promise<ApiKey> {
    const key = await this.key(id);
    if (key.revokedAt !== null) return key;
    await this.stores.keys.revoke(id, this.effects.now());
    await this.audit.record(by, key.tenantId, 'key.revoked', id, detailsOf(key));
    return this.key(id);
  }

  /** Makes all valid keys void that a user made, at once and for good. Returns them. */
  async revokeKeysOf(tenantId: string, userId: string, by: Caller | null = null): Promise<ApiKey[]> {
    const revoked = await this.stores.keys.revokeOf(tenantId, userId, this.effects.now());
    for (const key of revoked) await this.audit.record(by, tenantId, 'key.revoked', key.id, detailsOf(key));
    return revoked;
  }

  /** Whosever it is. */
  async key(id: string): Promise<ApiKey> {
    const key = await this.stores.keys.find(id);
    if (key) return key;
    throw notFound(
      `There is no key with the id ${shownId(id)}. The id is the part between ar_ and the second underscore.`,
    );
  }

  /** Throws `invalid` for the past, and `forbidden` beyond the usual lifetime of keys for those who do not administer. */
  private expiryOf(wanted: number | null | undefined, grantedBy: Caller | null): number | null {
    const now = this.effects.now();
    const usual = this.keyLifetimeMs === null ? null : now + this.keyLifetimeMs;
    if (wanted === undefined) return usual;
    if (wanted !== null && wanted <= now) throw invalid('expiresAt: lies in the past');
    const isLonger = usual !== null && (wanted === null || wanted > usual);
    if (isLonger && grantedBy && !grantedBy.scopes.includes('*')) {
      const message = `expiresAt: must be ${formatUtc(usual)} at the latest (AGENT_RUNTIME_KEY_LIFETIME); an administrator of the tenant may go beyond that.`;
      throw new RuntimeError('forbidden', message);
    }
    return wanted;
  }

  private refuseIfShut(tenantId: string): void {
    if (this.shut.has(tenantId)) throw invalidKey();
  }

  private async touch(id: string, now: number): Promise<void> {
    if (now - (this.touched.get(id) ?? 0) < TOUCH_INTERVAL_MS) return;
    this.touched.set(id, now);
    // A disk that takes no writes must not lock every reader out.
    await this.stores.keys.touch(id, now).catch(() => undefined);
  }
}

function invalidKey(refused?: RefusedCredential): RuntimeError {
  return new RuntimeError('unauthenticated', 'The API key is not valid.', refused && { refused });
}

const MAX_SHOWN_ID = 100;

/** A whole key that was sent in the place of its id is not said again. */
function shownId(id: string): string {
  return JSON.stringify(parseKey(id)?.id ?? id.slice(0, MAX_SHOWN_ID));
}

function detailsOf({ label, agentId, scopes }: ApiKey): Record<string, unknown> {
  return { label, agentId, scopes };
}

function issued(key: ApiKey, secret: string): IssuedKey {
  const { id, tenantId, agentId, label, scopes, expiresAt } = key;
  return {
    id,
    key: formatKey({ id, secret }),
    tenantId,
    agentId,
    label,
    scopes,
    expiresAt: expiresAt === null ? null : formatUtc(expiresAt),
  };
}
