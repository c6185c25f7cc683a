import type { QuotaLimits } from '../../../core/limits/quotas/schema.ts';
import type { QuotaStore, TenantLimits } from '../../../core/limits/quotas/store.ts';
import type { StateDatabase } from './database.ts';

/** The key id of the whole tenant. */
export const WHOLE_TENANT = '';

export class SqlQuotaStore implements QuotaStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async limits(tenantId: string): Promise<TenantLimits> {
    const rows = await this.database
      .selectFrom('quotas')
      .select(['key_id', 'limits'])
      .where('tenant_id', '=', tenantId)
      .execute();
    const limits = new Map(rows.map((row) => [row.key_id, JSON.parse(row.limits) as QuotaLimits]));
    const tenant = limits.get(WHOLE_TENANT) ?? {};
    limits.delete(WHOLE_TENANT);
    return { tenant, keys: limits };
  }

  async put(tenantId: string, keyId: string | null, limits: QuotaLimits, now: number): Promise<void> {
    const place = { tenant_id: tenantId, key_id: keyId ?? WHOLE_TENANT };
    if (Object.keys(limits).length === 0) {
      await this.database
        .deleteFrom('quotas')
        .where('tenant_id', '=', place.tenant_id)
        .where('key_id', '=', place.key_id)
        .execute();
      return;
    }
    const values = { limits: JSON.stringify(limits), updated_at: now };
    await this.database
      .insertInto('quotas')
      .values({ ...place, ...values })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'key_id']).doUpdateSet(values))
      .execute();
  }
}
