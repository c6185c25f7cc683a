import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { ApiKey, KeyState } from '../../../core/access/auth/schema.ts';
import type { KeyStore, KeysPage, KeyWithMaker } from '../../../core/access/auth/store.ts';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { fromRow, jsonOrNull, parsedOrNull, toRow } from './rows.ts';
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
      .values({ ...toRow(key), scopes: JSON.stringify(key.scopes), limits: jsonOrNull(key.limits) })
      .execute();
  }

  async find(id: string): Promise<(ApiKey & { timezone: string }) | null> {
    const { rows } = await this.database.executeQuery<KeyRow>({ ...this.findById, parameters: [id] });
    const { timezone = null, ...row } = rows[0] ?? {};
    return timezone === null ? null : { ...toKey(row as KeyRow), timezone };
  }

  async list(tenantId: string | null): Promise<KeyWithMaker[]> {
    let query = withMakers(this.database);
    if (tenantId !== null) query = query.where('api_keys.tenant_id', '=', tenantId);
    return (await newestFirst(query).execute()).map(toKeyWithMaker);
  }

  async page(tenantId: string, asked: KeysPage): Promise<Page<KeyWithMaker>> {
    const { createdBy, search, state, leavers, now, limit, offset } = asked;
    let matching = withMakers(this.database).where('api_keys.tenant_id', '=', tenantId);
    if (createdBy !== null) matching = matching.where('api_keys.created_by', '=', createdBy);
    if (search !== '') matching = matching.where(isFoundBy(search));
    if (state !== 'all') matching = matching.where(IN_STATE[state](now));
    if (leavers) matching = matching.where(IN_STATE.active(now)).where(MAKER_HAS_LEFT);
    const rows = await newestFirst(matching).limit(limit).offset(offset).execute();
    const { total } = await matching.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(toKeyWithMaker), total };
  }

  async replaceSecret(
    id: string,
    { secretHash, createdBy, formerUntil }: Pick<ApiKey, 'secretHash' | 'createdBy' | 'formerUntil'>,
  ): Promise<boolean> {
    const result = await this.database
      .updateTable('api_keys')
      .set(({ ref }) => ({
        secret_hash: secretHash,
        created_by: createdBy,
        former_hash: formerUntil === null ? null : ref('secret_hash'),
        former_until: formerUntil,
      }))
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  async revoke(id: string, at: number): Promise<boolean> {
    const result = await this.database
      .updateTable('api_keys')
      .set((set) => ({ revoked_at: set.fn.coalesce('revoked_at', set.val(at)), ...NO_FORMER }))
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  async revokeOf(tenantId: string, createdBy: string, at: number): Promise<ApiKey[]> {
    const rows = await this.database
      .updateTable('api_keys')
      .set({ revoked_at: at, ...NO_FORMER })
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

function withMakers(database: StateDatabase) {
  return database
    .selectFrom('api_keys')
    .leftJoin('users as maker', (join) =>
      join.onRef('maker.id', '=', 'api_keys.created_by').onRef('maker.tenant_id', '=', 'api_keys.tenant_id'),
    );
}

function newestFirst(matching: ReturnType<typeof withMakers>) {
  return matching
    .selectAll('api_keys')
    .select(['maker.name as maker_name', 'maker.email as maker_email', 'maker.is_active as maker_is_active'])
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id');
}

const NO_FORMER = { former_hash: null, former_until: null };

/** Thirty days. */
const SOON_MS = 30 * 86_400_000;

const IN_STATE: Record<Exclude<KeyState, 'all'>, (now: number) => RawBuilder<boolean>> = {
  active: (now) => sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`,
  expiring: (now) => sql`revoked_at IS NULL AND expires_at > ${now} AND expires_at <= ${now + SOON_MS}`,
  expired: (now) => sql`revoked_at IS NULL AND expires_at <= ${now}`,
  revoked: () => sql`revoked_at IS NOT NULL`,
};

const MAKER_HAS_LEFT = sql<boolean>`api_keys.created_by IS NOT NULL AND coalesce(maker.is_active, 0) = 0`;

function isFoundBy(search: string): RawBuilder<boolean> {
  const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`(lower(label) LIKE ${pattern} ESCAPE '\\' OR lower(api_keys.id) LIKE ${pattern} ESCAPE '\\')`;
}

function toKey(row: StateTables['api_keys']): ApiKey {
  return { ...fromRow(row), scopes: JSON.parse(row.scopes) as ApiKey['scopes'], limits: parsedOrNull(row.limits) };
}

type MakerColumns = { maker_name: string | null; maker_email: string | null; maker_is_active: number | null };

function toKeyWithMaker(row: StateTables['api_keys'] & MakerColumns): KeyWithMaker {
  const { maker_name: name, maker_email: email, maker_is_active: isActive, ...key } = row;
  const id = key.created_by;
  return { ...toKey(key), maker: id === null ? null : { id, name, email, isActive: isActive === 1 } };
}
