import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { formatUtc } from '../../base/time/time.ts';
import { type BudgetName, QUOTA_NAMES, QUOTAS, type QuotaName, toDollars } from '../../limits/quotas/kinds.ts';
import type { QuotaLimits, QuotaUsage, Usage } from '../../limits/quotas/schema.ts';
import type { QuotaSettings } from '../../limits/quotas/settings.ts';
import type { BudgetStore, Spending } from '../../limits/quotas/store.ts';
import { windowOf } from '../../limits/quotas/windows.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { TenantService } from './tenants.ts';

export interface UsageParts {
  settings: Pick<QuotaSettings, 'ofTenant' | 'ofCaller'>;
  budgets: Pick<BudgetStore, 'spending'>;
  stored: {
    events(tenantId: string): Promise<number>;
    documents(tenantId: string): Promise<number>;
    deliveries(tenantId: string): Promise<number>;
  };
  rateLimiter: Pick<RateLimiter, 'left'>;
  tenants: Pick<TenantService, 'get'>;
  effects: Effects;
}

export interface TenantUsage {
  tenant: Usage['tenant'] & { name: string };
  keys: NonNullable<Usage['key']>[];
}

interface Owner {
  tenantId: string;
  keyId: string | null;
  timezone: string;
}

export class UsageService {
  private readonly parts: UsageParts;

  constructor(parts: UsageParts) {
    this.parts = parts;
  }

  /** Needs no scope. */
  async own(caller: Caller): Promise<Usage> {
    const { tenantId, timezone, credential } = caller;
    const limits = await this.parts.settings.ofCaller(caller);
    const [ofTenant, ofKey] = await Promise.all([
      this.quotas({ tenantId, keyId: null, timezone }, limits.tenant),
      this.quotas({ tenantId, keyId: credential.id, timezone }, limits.key),
    ]);
    return {
      // They count what lies outside of its limits, too.
      tenant: { id: tenantId, timezone, quotas: caller.limits ? [] : ofTenant },
      key: credential.kind === 'key' ? { id: credential.id, quotas: ofKey } : null,
    };
  }

  async ofTenant(idOrName: string): Promise<TenantUsage> {
    const { id: tenantId, name, timezone } = await this.parts.tenants.get(idOrName);
    const { tenant, keys } = await this.parts.settings.ofTenant(tenantId);
    const quotas = await this.quotas({ tenantId, keyId: null, timezone }, tenant);
    const ofKeys = [...keys].map(async ([id, limits]) => ({
      id,
      quotas: await this.quotas({ tenantId, keyId: id, timezone }, limits),
    }));
    return { tenant: { id: tenantId, name, timezone, quotas }, keys: await Promise.all(ofKeys) };
  }

  /** How much of these limits is used. */
  quotas(owner: Owner, limits: QuotaLimits): Promise<QuotaUsage[]> {
    const names = QUOTA_NAMES.filter((name) => limits[name] !== undefined);
    return Promise.all(names.map((name) => this.quota(owner, name, limits[name]!)));
  }

  private async quota(owner: Owner, quota: QuotaName, limit: number): Promise<QuotaUsage> {
    const { used, reserved, ...window } = await this.taken(owner, quota, limit);
    const { unit } = QUOTAS[quota];
    const remaining = Math.max(0, Number((limit - used - reserved).toFixed(9)));
    return { quota, unit, limit, used, reserved, remaining, windowStart: null, windowEnd: null, ...window };
  }

  private async taken(owner: Owner, quota: QuotaName, limit: number) {
    const { stored, rateLimiter } = this.parts;
    const { tenantId, keyId } = owner;
    if (quota === 'events') return { used: await stored.events(tenantId), reserved: 0 };
    if (quota === 'documents') return { used: await stored.documents(tenantId), reserved: 0 };
    if (quota === 'deliveries') return { used: await stored.deliveries(tenantId), reserved: 0 };
    if (quota === 'requests-per-minute') {
      return { used: limit - Math.min(limit, rateLimiter.left(owner, keyId, limit)), reserved: 0 };
    }
    return this.spent(owner, quota);
  }

  private async spent({ tenantId, keyId, timezone }: Owner, budget: BudgetName) {
    const { unit, window } = QUOTAS[budget];
    const { start, end } = windowOf(window, this.parts.effects.now(), timezone);
    const { used, reserved } = await this.parts.budgets.spending(tenantId, keyId, start, end);
    const amount = ({ tokens, nanos }: Spending) => (unit === 'USD' ? toDollars(nanos) : tokens);
    const bounds = { windowStart: formatUtc(start), windowEnd: formatUtc(end) };
    return { used: amount(used), reserved: amount(reserved), ...bounds };
  }
}
