import { sql } from 'kysely';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { QuotaLimits } from '../../../core/limits/quotas/schema.ts';
import type {
  LimitedKey,
  LimitedKeysPage,
  QuotaOwner,
  QuotaStore,
  TenantLimits,
} from '../../../core/limits/quotas/store.ts';
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

  async replace(
    { tenantId, keyId }: QuotaOwner,
    { before, after }: { before: QuotaLimits; after: QuotaLimits },
    now: number,
  ): Promise<boolean> {
    const key = { tenant_id: tenantId, key_id: keyId ?? WHOLE_TENANT };
    const values = { limits: JSON.stringify(after), updated_at: now };
    if (isEmpty(before)) {
      if (isEmpty(after)) return true;
      const { numInsertedOrUpdatedRows } = await this.database
        .insertInto('quotas')
        .values({ ...key, ...values })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'key_id']).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    }
    const place = sql<boolean>`tenant_id = ${key.tenant_id} AND key_id = ${key.key_id}
      AND limits = ${JSON.stringify(before)}`;
    if (isEmpty(after)) {
      const { numDeletedRows } = await this.database.deleteFrom('quotas').where(place).executeTakeFirst();
      return numDeletedRows === 1n;
    }
    const { numUpdatedRows } = await this.database.updateTable('quotas').set(values).where(place).executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async keys(tenantId: string, { search, limit, offset, now }: LimitedKeysPage): Promise<Page<LimitedKey>> {
    const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
    const found = sql<boolean>`(lower(label) LIKE ${pattern} ESCAPE '\\' OR lower(id) LIKE ${pattern} ESCAPE '\\')`;
    let usable = this.database
      .selectFrom('api_keys')
      .where('api_keys.tenant_id', '=', tenantId)
      .where('revoked_at', 'is', null)
      .where(sql<boolean>`(expires_at IS NULL OR expires_at > ${now})`);
    if (search !== '') usable = usable.where(found);
    const { total } = await usable.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await usable
      .leftJoin('quotas', (join) =>
        join.onRef('quotas.tenant_id', '=', 'api_keys.tenant_id').onRef('quotas.key_id', '=', 'api_keys.id'),
      )
      .select(['id', 'label', 'quotas.limits'])
      .orderBy(sql`quotas.limits IS NULL`)
      .orderBy('label')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute();
    return { items: rows.map((row) => ({ ...row, limits: JSON.parse(row.limits ?? '{}') as QuotaLimits })), total };
  }
}

function isEmpty(limits: QuotaLimits): boolean {
  return Object.keys(limits).length === 0;
}
