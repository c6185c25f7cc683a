import { type Caller, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { forbidden } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { toDollars } from '../../limits/quotas/kinds.ts';
import type {
  KeyQuotas,
  QuotaChanges,
  QuotaLimits,
  QuotasQuery,
  TenantQuotas,
  UsageHistory,
  UsageHistoryQuery,
} from '../../limits/quotas/schema.ts';
import type { QuotaSettings } from '../../limits/quotas/settings.ts';
import type { BudgetStore } from '../../limits/quotas/store.ts';
import { daysUntil } from '../../limits/quotas/windows.ts';
import type { KeyService } from './keys.ts';
import type { ApiKey } from './schema.ts';
import type { TenantService } from './tenants.ts';
import type { UsageService } from './usage.ts';

export interface QuotaAdministrationParts {
  settings: Pick<QuotaSettings, 'stored' | 'keys' | 'changeTenant' | 'changeKey'>;
  usage: Pick<UsageService, 'quotas'>;
  budgets: Pick<BudgetStore, 'quarters'>;
  tenants: Pick<TenantService, 'requireOperator'>;
  keys: Pick<KeyService, 'get'>;
  effects: Pick<Effects, 'now'>;
}

/**
 * Quotas in the portal. Administrators see those of their tenant and set those of its keys; the
 * tenant's own are set by users who operate the installation.
 */
export class QuotaAdministration {
  private readonly parts: QuotaAdministrationParts;

  constructor(parts: QuotaAdministrationParts) {
    this.parts = parts;
  }

  /** The tenant's, and a page of those of its keys. */
  async list(caller: Caller, query: QuotasQuery): Promise<{ tenant: TenantQuotas; keys: Page<KeyQuotas> }> {
    requirePortal(caller, 'administrator');
    const { settings, usage } = this.parts;
    const { tenantId, timezone } = caller;
    const [limits, { items, total }] = await Promise.all([
      settings.stored({ tenantId, keyId: null }),
      settings.keys(tenantId, query),
    ]);
    const keys = items.map(async (key) => ({
      ...key,
      quotas: await usage.quotas({ tenantId, keyId: key.id, timezone }, key.limits),
    }));
    return { tenant: await this.tenant(caller, limits), keys: { items: await Promise.all(keys), total } };
  }

  /** Throws `forbidden` and `stale`. */
  async changeTenant(caller: Caller, changes: QuotaChanges, expected: string | undefined): Promise<TenantQuotas> {
    const { settings, tenants } = this.parts;
    await tenants.requireOperator(caller);
    const limits = await settings.changeTenant({ id: caller.tenantId }, changes, { by: caller, expected });
    return this.tenant(caller, limits);
  }

  async ofKey(caller: Caller, id: string): Promise<KeyQuotas> {
    const key = await this.keyOf(caller, id);
    return this.key(caller, key, await this.parts.settings.stored({ tenantId: key.tenantId, keyId: key.id }));
  }

  /** Throws `not_found`, `forbidden` and `stale`. */
  async changeKey(caller: Caller, id: string, changes: QuotaChanges, expected: string | undefined): Promise<KeyQuotas> {
    const key = await this.keyOf(caller, id);
    return this.key(caller, key, await this.parts.settings.changeKey(key, changes, { by: caller, expected }));
  }

  /** The usage of chats on each day of the tenant's time zone, today included. */
  async history(caller: Caller, { unit, days: count, key }: UsageHistoryQuery): Promise<UsageHistory> {
    requirePortal(caller, 'administrator');
    const { tenantId, timezone } = caller;
    const keyId = key === undefined ? null : (await this.keyOf(caller, key)).id;
    const days = daysUntil(this.parts.effects.now(), timezone, count);
    const quarters = await this.parts.budgets.quarters({ tenantId, keyId }, days[0]!.start, days.at(-1)!.end);
    const amountOf = (sum: number) => (unit === 'USD' ? toDollars(sum) : sum);
    let [next, all] = [0, 0];
    const shown = days.map(({ date, end }) => {
      let sum = 0;
      for (; next < quarters.length && quarters[next]!.quarter < end; next++) {
        sum += quarters[next]![unit === 'USD' ? 'nanos' : 'tokens'];
      }
      all += sum;
      return { date, amount: amountOf(sum) };
    });
    return { unit, timezone, days: shown, total: amountOf(all) };
  }

  private async tenant({ tenantId, timezone }: Caller, limits: QuotaLimits): Promise<TenantQuotas> {
    const quotas = await this.parts.usage.quotas({ tenantId, keyId: null, timezone }, limits);
    return { id: tenantId, timezone, limits, quotas };
  }

  private async key({ timezone }: Caller, { id, label, tenantId }: ApiKey, limits: QuotaLimits): Promise<KeyQuotas> {
    return { id, label, limits, quotas: await this.parts.usage.quotas({ tenantId, keyId: id, timezone }, limits) };
  }

  private async keyOf(caller: Caller, id: string): Promise<ApiKey> {
    requirePortal(caller, 'administrator');
    const key = await this.parts.keys.get(id);
    if (key.tenantId === caller.tenantId) return key;
    throw forbidden('This API key belongs to another tenant.');
  }
}
