import type { AuditLog } from '../../base/audit/log.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { invalid } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { parse } from '../../base/shared/parse.ts';
import { ShortCache } from '../../base/shared/short-cache.ts';
import { editVersion, requireVersion } from '../../base/shared/versions.ts';
import { KEY_QUOTAS, QUOTA_NAMES, type QuotaName } from './kinds.ts';
import { type QuotaChanges, type QuotaLimits, quotaChangesSchema } from './schema.ts';
import type { LimitedKey, LimitedKeysPage, QuotaOwner, QuotaStore, TenantLimits } from './store.ts';

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

export interface QuotaChange {
  /** The operator at the command line is null. */
  by?: Caller | null;
  /** The version of the limits that was read: if it is outdated, the change is refused. */
  expected?: string | undefined;
}

/** The operator changes them; callers decide who else may. */
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

  /** The stored ones of the tenant or a key, as any process has committed them. */
  async stored({ tenantId, keyId }: QuotaOwner): Promise<QuotaLimits> {
    const { tenant, keys } = await this.parts.store.limits(tenantId);
    return (keyId === null ? tenant : keys.get(keyId)) ?? NONE;
  }

  keys(tenantId: string, asked: Omit<LimitedKeysPage, 'now'>): Promise<Page<LimitedKey>> {
    return this.parts.store.keys(tenantId, { ...asked, now: this.parts.effects.now() });
  }

  /** Throws `stale`. */
  async changeTenant(tenant: { id: string }, input: QuotaChanges, change: QuotaChange = {}): Promise<QuotaLimits> {
    return this.change({ tenantId: tenant.id, keyId: null }, parse(quotaChangesSchema, input), change);
  }

  /** Throws `stale`. */
  async changeKey(
    key: { id: string; tenantId: string },
    input: QuotaChanges,
    change: QuotaChange = {},
  ): Promise<QuotaLimits> {
    const changes = parse(quotaChangesSchema, input);
    const foreign = namesOf(changes).filter((name) => !(KEY_QUOTAS as readonly QuotaName[]).includes(name));
    if (foreign.length > 0) throw invalid(...foreign.map((name) => `${name}: is a quota of tenants, not of keys`));
    return this.change({ tenantId: key.tenantId, keyId: key.id }, changes, change);
  }

  /** Optimistic concurrency: decides again when the limits have changed in between. */
  private async change(
    owner: QuotaOwner,
    changes: QuotaChanges,
    { by = null, expected }: QuotaChange,
  ): Promise<QuotaLimits> {
    const { store, audit, effects } = this.parts;
    const { tenantId, keyId } = owner;
    for (;;) {
      const before = await this.stored(owner);
      requireVersion(
        expected,
        quotaVersion(before),
        keyId === null ? 'The quotas of the tenant' : `The quotas of the key ${keyId}`,
      );
      const after = withChanges(before, changes);
      const changed = namesOf(changes).filter((name) => before[name] !== after[name]);
      if (changed.length === 0) return after;
      if (!(await store.replace(owner, { before, after }, effects.now()))) continue;
      this.cache.clear();
      const details = changed.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]);
      await audit.record(by, tenantId, 'quota.changed', keyId ?? tenantId, Object.fromEntries(details));
      return after;
    }
  }
}

/** Equal limits have equal versions, in whatever order they are. */
export function quotaVersion(limits: QuotaLimits): string {
  return editVersion(withChanges(limits, {}));
}

function withChanges(before: QuotaLimits, changes: QuotaChanges): QuotaLimits {
  const after: QuotaLimits = {};
  for (const name of QUOTA_NAMES) {
    const limit = changes[name] === undefined ? before[name] : changes[name];
    if (limit !== undefined && limit !== null) after[name] = limit;
  }
  return after;
}

function namesOf(changes: QuotaChanges): QuotaName[] {
  return QUOTA_NAMES.filter((name) => changes[name] !== undefined);
}
