import type { AuditLog } from '../../base/audit/log.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { invalid } from '../../base/shared/errors.ts';
import { parse } from '../../base/shared/parse.ts';
import { ShortCache } from '../../base/shared/short-cache.ts';
import { KEY_QUOTAS, QUOTA_NAMES, type QuotaName } from './kinds.ts';
import { type QuotaChanges, type QuotaLimits, quotaChangesSchema } from './schema.ts';
import type { QuotaStore, TenantLimits } from './store.ts';

const MAX_TENANTS = 1_000;
const NONE: QuotaLimits = {};

export interface QuotaSettingsParts {
  store: QuotaStore;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

export interface CallerLimits {
  tenant: QuotaLimits;
  key: QuotaLimits;
}

/** Only the operator changes them. */
export class QuotaSettings {
  private readonly parts: QuotaSettingsParts;
  private readonly cache: ShortCache<TenantLimits>;

  constructor(parts: QuotaSettingsParts) {
    this.parts = parts;
    this.cache = new ShortCache(parts.effects.now, MAX_TENANTS);
  }

  /** At most half a second old, also when another process changes them. */
  ofTenant(tenantId: string): Promise<TenantLimits> {
    return this.cache.get(tenantId, () => this.parts.store.limits(tenantId));
  }

  async ofCaller({ tenantId, credential }: Pick<Caller, 'tenantId' | 'credential'>): Promise<CallerLimits> {
    const { tenant, keys } = await this.ofTenant(tenantId);
    return { tenant, key: (credential.kind === 'key' && keys.get(credential.id)) || NONE };
  }

  async changeTenant(tenant: { id: string }, input: QuotaChanges): Promise<QuotaLimits> {
    return this.change(tenant.id, null, parse(quotaChangesSchema, input));
  }

  async changeKey(key: { id: string; tenantId: string }, input: QuotaChanges): Promise<QuotaLimits> {
    const changes = parse(quotaChangesSchema, input);
    const foreign = namesOf(changes).filter((name) => !KEY_QUOTAS.includes(name));
    if (foreign.length > 0) throw invalid(...foreign.map((name) => `${name}: is a quota of tenants, not of keys`));
    return this.change(key.tenantId, key.id, changes);
  }

  private async change(tenantId: string, keyId: string | null, changes: QuotaChanges): Promise<QuotaLimits> {
    const { store, audit, effects } = this.parts;
    const stored = await store.limits(tenantId);
    const before = (keyId === null ? stored.tenant : stored.keys.get(keyId)) ?? NONE;
    const after: QuotaLimits = {};
    for (const name of QUOTA_NAMES) {
      const limit = changes[name] === undefined ? before[name] : changes[name];
      if (limit !== undefined && limit !== null) after[name] = limit;
    }
    const changed = namesOf(changes).filter((name) => before[name] !== after[name]);
    if (changed.length === 0) return after;
    await store.put(tenantId, keyId, after, effects.now());
    this.cache.clear();
    const details = changed.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]);
    await audit.record(null, tenantId, 'quota.changed', keyId ?? tenantId, Object.fromEntries(details));
    return after;
  }
}

function namesOf(changes: QuotaChanges): QuotaName[] {
  return QUOTA_NAMES.filter((name) => changes[name] !== undefined);
}
