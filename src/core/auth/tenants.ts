import type { AuditLog } from '../audit/log.ts';
import { checkTimezone } from '../events/time.ts';
import { DEFAULT_AGENT } from '../shared/agent.ts';
import { type Caller, requirePortal } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { notFound, RuntimeError } from '../shared/errors.ts';
import { parse } from '../shared/parse.ts';
import { createTenantSchema, type Settings, type Tenant, updateSettingsSchema } from './schema.ts';
import type { AgentStore, TenantStore } from './store.ts';

interface TenantParts {
  store: TenantStore;
  agents: Pick<AgentStore, 'register'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  /** Throws `conflict` unless the caller logged in with an identity provider. */
  requireOwnWayIn: (by: Caller) => Promise<void>;
}

export class TenantService {
  private readonly parts: TenantParts;
  private readonly blocked = new Set<string>();

  constructor(parts: TenantParts) {
    this.parts = parts;
  }

  /** Throws `conflict` when the name is taken. */
  async create(input: { name: string }): Promise<Tenant> {
    const { store, agents, audit, effects } = this.parts;
    const { name } = parse(createTenantSchema, input);
    const createdAt = effects.now();
    const id = effects.newId();
    const settings: Settings = { timezone: 'UTC', retentionDays: null, secondFactor: 'optional', passwordLogin: true };
    const created = await store.create({ id, name, createdAt, ...settings });
    if (!created) throw new RuntimeError('conflict', `A tenant named "${name}" exists already.`);
    await agents.register([{ tenantId: id, name: DEFAULT_AGENT, createdAt, createdBy: null }]);
    await audit.record(null, null, 'tenant.created', id);
    return created;
  }

  list(): Promise<Tenant[]> {
    return this.parts.store.list();
  }

  find(idOrName: string): Promise<Tenant | null> {
    return this.parts.store.find(idOrName);
  }

  /** Throws `not_found` with the names of all tenants. */
  async get(idOrName: string): Promise<Tenant> {
    const tenant = await this.find(idOrName);
    if (tenant) return tenant;
    const names = (await this.list()).map((known) => known.name);
    throw notFound(`There is no tenant "${idOrName}". Known tenants: ${names.join(', ') || 'none'}.`);
  }

  async settings(caller: Caller): Promise<Settings> {
    requirePortal(caller, 'user');
    return settingsOf(await this.get(caller.tenantId));
  }

  async changeSettings(idOrName: string, input: Partial<Settings>, by: Caller | null): Promise<Tenant> {
    if (by) requirePortal(by, 'administrator');
    const changes = parse(updateSettingsSchema, input);
    if (changes.timezone !== undefined) changes.timezone = checkTimezone(changes.timezone);
    const tenant = await this.get(idOrName);
    const changed = { ...tenant, ...changes };
    const isSwitchedOff = tenant.passwordLogin && !changed.passwordLogin;
    if (isSwitchedOff && by) await this.parts.requireOwnWayIn(by);
    if ((await this.parts.store.change(tenant.id, changes)) === 'no other login') throw noOtherLogin();
    const names = (Object.keys(changes) as (keyof Settings)[]).filter((name) => changed[name] !== tenant[name]);
    const details = Object.fromEntries(names.map((name) => [name, { from: tenant[name], to: changed[name] }]));
    if (names.length > 0) await this.parts.audit.record(by, tenant.id, 'settings.updated', tenant.id, details);
    return changed;
  }

  /** Refuses keys, logins and writes during an erasure. Earlier writes may still run. */
  block(tenantId: string): void {
    this.blocked.add(tenantId);
  }

  unblock(tenantId: string): void {
    this.blocked.delete(tenantId);
  }

  isBlocked(tenantId: string): boolean {
    return this.blocked.has(tenantId);
  }

  /** Throws `unauthenticated` for a blocked tenant, as if it did not exist. */
  requireUnblocked(tenantId: string): void {
    if (this.blocked.has(tenantId)) throw new RuntimeError('unauthenticated', 'The API key is not valid.');
  }
}

export function settingsOf({ timezone, retentionDays, secondFactor, passwordLogin }: Tenant): Settings {
  return { timezone, retentionDays, secondFactor, passwordLogin };
}

function noOtherLogin(): RuntimeError {
  return new RuntimeError(
    'conflict',
    'passwordLogin: the tenant has no enabled identity provider, so nobody could log in. Add one first.',
  );
}
