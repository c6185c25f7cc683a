import type { AuditLog } from '../../base/audit/log.ts';
import { DEFAULT_AGENT } from '../../base/shared/agent.ts';
import { administers, type Caller, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, forbidden, notFound, RuntimeError } from '../../base/shared/errors.ts';
import { parse } from '../../base/shared/parse.ts';
import { checkTimezone } from '../../base/time/time.ts';
import { ErasingTenants } from './erasing.ts';
import { createTenantSchema, type Settings, type Tenant, updateSettingsSchema } from './schema.ts';
import type { AgentStore, TenantStore } from './store.ts';

interface TenantParts {
  store: TenantStore;
  agents: Pick<AgentStore, 'register'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  /** Other processes serve the same tenants. */
  isShared?: boolean;
  onError?: (error: unknown) => void;
  /** Throws `conflict` unless the caller logged in with an identity provider. */
  requireOtherLogin: (by: Caller) => Promise<void>;
}

/** Names of tenants in an error. */
const MOST_NAMED = 100;

export class TenantService {
  private readonly parts: TenantParts;
  /** Erasures of tenants, whose credentials and writes are refused until they end. */
  readonly erasing: ErasingTenants;

  constructor(parts: TenantParts) {
    this.parts = parts;
    const { store, isShared = false, onError = () => undefined } = parts;
    this.erasing = new ErasingTenants({ store, isShared, onError });
  }

  /** Throws `conflict` when the name is taken. */
  async create(input: { name: string }): Promise<Tenant> {
    const { store, agents, audit, effects } = this.parts;
    const { name } = parse(createTenantSchema, input);
    const createdAt = effects.now();
    const id = effects.newId();
    const settings: Settings = {
      ...{ timezone: 'UTC', retentionDays: null, executionRetentionDays: null, secondFactor: 'optional' },
      passwordLogin: true,
      roleLimits: null,
    };
    const created = await store.create({ id, name, createdAt, ...settings });
    if (!created) throw conflict(`A tenant named "${name}" exists already.`);
    await agents.register([{ tenantId: id, name: DEFAULT_AGENT, createdAt, createdBy: null }]);
    await audit.record(null, null, 'tenant.created', id);
    return created;
  }

  /** In the order of their creation; `most`: the first of them. */
  list(most?: number): Promise<Tenant[]> {
    return this.parts.store.list(most);
  }

  async find(idOrName: string): Promise<Tenant | null> {
    const found = await this.parts.store.find(idOrName);
    if (found) this.erasing.note(found);
    return found;
  }

  /** Throws `not_found` with the names of the first tenants. */
  async get(idOrName: string): Promise<Tenant> {
    const tenant = await this.find(idOrName);
    if (tenant) return tenant;
    const names = (await this.list(MOST_NAMED + 1)).map((known) => known.name);
    const shown = names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), 'and more'] : names;
    throw notFound(`There is no tenant "${idOrName}". Known tenants: ${shown.join(', ') || 'none'}.`);
  }

  async settings(caller: Caller): Promise<Settings> {
    requirePortal(caller, 'user');
    const settings = settingsOf(await this.get(caller.tenantId));
    return administers(caller.role) ? settings : { ...settings, roleLimits: null };
  }

  async changeSettings(idOrName: string, input: Partial<Settings>, by: Caller | null): Promise<Tenant> {
    if (by) requirePortal(by, 'administrator');
    const changes = parse(updateSettingsSchema, input);
    if (changes.timezone !== undefined) changes.timezone = checkTimezone(changes.timezone);
    const tenant = await this.get(idOrName);
    const changed = { ...tenant, ...changes };
    const isSwitchedOff = tenant.passwordLogin && !changed.passwordLogin;
    if (isSwitchedOff && by) await this.parts.requireOtherLogin(by);
    if ((await this.parts.store.change(tenant.id, changes)) === 'no other login') throw noOtherLogin();
    const names = (Object.keys(changes) as (keyof Settings)[]).filter((name) => changed[name] !== tenant[name]);
    const details = Object.fromEntries(names.map((name) => [name, { from: tenant[name], to: changed[name] }]));
    if (names.length > 0) await this.parts.audit.record(by, tenant.id, 'settings.updated', tenant.id, details);
    return changed;
  }

  /** For a SUPER_ADMIN of the only tenant: what concerns the whole installation is theirs. */
  async operates({ role }: Pick<Caller, 'role'>): Promise<boolean> {
    return role === 'SUPER_ADMIN' && (await this.list(2)).length === 1;
  }

  /** Throws `forbidden` unless the caller operates the installation. */
  async requireOperator(caller: Caller): Promise<void> {
    requirePortal(caller, 'administrator');
    if (await this.operates(caller)) return;
    throw forbidden(
      'This concerns the whole installation: it is for a SUPER_ADMIN while there is one tenant, and otherwise for the operator at the command line.',
    );
  }

  isBlocked(tenantId: string): boolean {
    return this.erasing.isBlocked(tenantId);
  }

  /** Throws `unauthenticated` for a blocked tenant, as if it did not exist. */
  requireUnblocked(tenantId: string): void {
    if (this.isBlocked(tenantId)) throw new RuntimeError('unauthenticated', 'The API key is not valid.');
  }
}

export function settingsOf({ id: _, name: __, createdAt: ___, isBeingErased: ____, ...settings }: Tenant): Settings {
  return settings;
}

function noOtherLogin(): RuntimeError {
  return conflict('passwordLogin: the tenant has no enabled identity provider, so nobody could log in. Add one first.');
}
