import { type CompiledQuery, sql } from 'kysely';
import type { ApiKey, PageQuery } from '../../../core/access/auth/schema.ts';
import type { KeyStore } from '../../../core/access/auth/store.ts';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { fromRow, toRow } from './rows.ts';
import { isBeingErased } from './tenants.ts';

/** The time zone is null while the tenant is being erased. */
type KeyRow = StateTables['api_keys'] & { timezone: string | null };

export class SqlKeyStore implements KeyStore {
  private readonly database: StateDatabase;
  /** Compiled once. A subquery, since joins are slow here (`npm run bench -- mcp`). */
  private readonly findById: CompiledQuery<KeyRow>;

  constructor(database: StateDatabase) {
    this.database = database;
    this.findById = database
      .selectFrom('api_keys')
      .selectAll()
      .select((key) =>
        key
          .selectFrom('tenants')
          .select('tenants.timezone')
          .whereRef('tenants.id', '=', 'api_keys.tenant_id')
          .where(sql<boolean>`NOT ${isBeingErased(database)}`)
          .$asScalar()
          .as('timezone'),
      )
      .where('id', '=', '')
      .compile();
  }

  async create(key: ApiKey): Promise<void> {
    await this.database
      .insertInto('api_keys')
      .values({ ...toRow(key), scopes: JSON.stringify(key.scopes) })
      .execute();
  }

  async find(id: string): Promise<(ApiKey & { timezone: string }) | null> {
    const { rows } = await this.database.executeQuery<KeyRow>({ ...this.findById, parameters: [id] });
    const { timezone = null, ...row } = rows[0] ?? {};
    return timezone === null ? null : { ...toKey(row as KeyRow), timezone };
  }

  async list(tenantId: string | null): Promise<ApiKey[]> {
    let query = this.database.selectFrom('api_keys').selectAll().orderBy('created_at', 'desc').orderBy('id');
    if (tenantId !== null) query = query.where('tenant_id', '=', tenantId);
    return (await query.execute()).map(toKey);
  }

  async page(tenantId: string, createdBy: string | null, { limit, offset }: PageQuery): Promise<Page<ApiKey>> {
    let matching = this.database.selectFrom('api_keys').where('tenant_id', '=', tenantId);
    if (createdBy !== null) matching = matching.where('created_by', '=', createdBy);
    const newest = matching.selectAll().orderBy('created_at', 'desc').orderBy('id');
    const rows = await newest.limit(limit).offset(offset).execute();
    const { total } = await matching.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(toKey), total };
  }

  async replaceSecret(
    id: string,
    { secretHash, createdBy }: Pick<ApiKey, 'secretHash' | 'createdBy'>,
  ): Promise<boolean> {
    return this.update(id, { secret_hash: secretHash, created_by: createdBy });
  }

  async revoke(id: string, at: number): Promise<boolean> {
    const result = await this.database
      .updateTable('api_keys')
      .set((set) => ({ revoked_at: set.fn.coalesce('revoked_at', set.val(at)) }))
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  async revokeOf(tenantId: string, createdBy: string, at: number): Promise<ApiKey[]> {
    const rows = await this.database
      .updateTable('api_keys')
      .set({ revoked_at: at })
      .where('tenant_id', '=', tenantId)
      .where('created_by', '=', createdBy)
      .where('revoked_at', 'is', null)
      .returningAll()
      .execute();
    return rows.map(toKey).sort((one, other) => other.createdAt - one.createdAt);
  }

  async touch(id: string, at: number): Promise<void> {
    await this.update(id, { last_used_at: at });
  }

  async countActive(tenantId: string, createdBy: string | null, now: number) {
    const { rows } = await sql<{ ofTenant: number; ofUser: number }>`
      SELECT count(*) AS "ofTenant", count(*) FILTER (WHERE created_by = ${createdBy}) AS "ofUser" FROM api_keys
      WHERE tenant_id = ${tenantId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`.execute(
      this.database,
    );
    return rows[0]!;
  }

  private async update(id: string, values: Partial<StateTables['api_keys']>): Promise<boolean> {
    const result = await this.database.updateTable('api_keys').set(values).where('id', '=', id).executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }
}

function toKey(row: StateTables['api_keys']): ApiKey {
  return { ...fromRow(row), scopes: JSON.parse(row.scopes) as ApiKey['scopes'] };
}
