import { type RawBuilder, sql } from 'kysely';
import type { IdentityProviderDefinition } from '../../../../core/access/sso/schema.ts';
import type { IdentityProviderStore, StoredIdentityProvider } from '../../../../core/access/sso/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { dialectOf, type SqlDialect } from '../dialect.ts';
import { fromRow, toRow } from '../rows.ts';
import { violationAsResult } from '../violations.ts';

type ProviderRow = StateTables['identity_providers'];

export class SqlIdentityProviderStore implements IdentityProviderStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async create(provider: StoredIdentityProvider, maximum: number) {
    const insert = this.database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, 'all tenants');
      const { rows } = await sql<{ total: number }>`
        SELECT count(*) AS total FROM identity_providers WHERE tenant_id IS NOT DISTINCT FROM ${provider.tenantId}`.execute(
        transaction,
      );
      if (rows[0]!.total >= maximum) return 'too many' as const;
      await transaction.insertInto('identity_providers').values(toProviderRow(provider)).execute();
      return 'created' as const;
    });
    return violationAsResult(insert, VIOLATIONS);
  }

  async list(tenantId: string | null): Promise<StoredIdentityProvider[]> {
    const rows = this.database
      .selectFrom('identity_providers')
      .selectAll()
      .where('tenant_id', 'is not distinct from', tenantId);
    return (await rows.orderBy('id').execute()).map(toIdentityProvider);
  }

  async find(tenantId: string | null, id: string): Promise<StoredIdentityProvider | null> {
    const rows = this.database
      .selectFrom('identity_providers')
      .selectAll()
      .where('tenant_id', 'is not distinct from', tenantId);
    const row = await rows.where('id', '=', id).executeTakeFirst();
    return row ? toIdentityProvider(row) : null;
  }

  async ofIssuer(issuer: string): Promise<StoredIdentityProvider[]> {
    const bare = issuer.replace(/\/$/, '');
    const rows = this.database
      .selectFrom('identity_providers')
      .selectAll()
      .where(dialectOf(this.database).textOf(sql.ref('definition'), 'issuer'), 'in', [bare, `${bare}/`]);
    return (await rows.orderBy('created_at').orderBy('uid').execute()).map(toIdentityProvider);
  }

  async change(provider: StoredIdentityProvider, seenRevision: number) {
    const { uid, tenant_id: _, id: __, created_at: ___, ...values } = toProviderRow(provider);
    const changed = await this.beforeTenants(async (database) => {
      let update = database
        .updateTable('identity_providers')
        .set(values)
        .where('uid', '=', uid)
        .where('revision', '=', seenRevision);
      if (!provider.enabled) update = update.where(isNotNeeded(dialectOf(database)));
      return (await update.executeTakeFirst()).numUpdatedRows === 1n;
    });
    if (changed) return 'changed';
    return (await this.revisionOf(uid)) === seenRevision ? 'last' : 'stale';
  }

  async remove(uid: string) {
    const removed = await this.beforeTenants(async (database) => {
      const removal = database.deleteFrom('identity_providers').where('uid', '=', uid);
      return (await removal.where(isNotNeeded(dialectOf(database))).executeTakeFirst()).numDeletedRows === 1n;
    });
    if (removed) return 'removed';
    return (await this.revisionOf(uid)) === null ? 'unknown' : 'last';
  }

  /** While no tenant changes whether it needs a provider. */
  private beforeTenants<Result>(statement: (database: StateDatabase) => Promise<Result>): Promise<Result> {
    const { database } = this;
    return dialectOf(database).whileLocked(database, 'all tenants', statement);
  }

  private async revisionOf(uid: string): Promise<number | null> {
    const row = this.database.selectFrom('identity_providers').select('revision').where('uid', '=', uid);
    return (await row.executeTakeFirst())?.revision ?? null;
  }
}

const VIOLATIONS = { unique: 'duplicate', 'foreign key': 'unknown tenant' } as const;

/** No tenant without password logins has this row as its only enabled provider. */
const isNotNeeded = (dialect: SqlDialect): RawBuilder<boolean> => sql<boolean>`NOT EXISTS (
  SELECT 1 FROM tenants AS tenant
  WHERE tenant.password_login = 0
    AND ${serves(dialect, 'identity_providers', 'tenant')}
    AND NOT EXISTS (
      SELECT 1 FROM identity_providers AS other
      WHERE other.uid != identity_providers.uid AND other.is_enabled = 1
        AND ${serves(dialect, 'other', 'tenant')}))`;

/**
 * Whether people of the tenant may log in with the provider: rows of these names. One of the
 * installation must map the tenant.
 */
export function serves(dialect: SqlDialect, provider: string, tenant: string): RawBuilder<boolean> {
  const [ofTenant, definition, id] = [
    sql.ref(`${provider}.tenant_id`),
    sql.ref(`${provider}.definition`),
    sql.ref(`${tenant}.id`),
  ];
  return sql`(${ofTenant} = ${id} OR (${ofTenant} IS NULL AND EXISTS (
    SELECT 1 FROM ${dialect.elements(definition, 'tenantMapping')} AS mapped
    WHERE mapped.value ->> 'tenant' = ${id})))`;
}

function toProviderRow(provider: StoredIdentityProvider): ProviderRow {
  const { uid, tenantId, id, sealedSecret, authority, revision, createdAt, updatedAt, enabled, ...definition } =
    provider;
  return {
    ...toRow({ uid, tenantId, id, sealedSecret, authority, revision, createdAt, updatedAt }),
    definition: JSON.stringify(definition),
    is_enabled: enabled ? 1 : 0,
  };
}

function toIdentityProvider({ definition, is_enabled: isEnabled, ...row }: ProviderRow): StoredIdentityProvider {
  const defined = JSON.parse(definition) as Omit<IdentityProviderDefinition, 'enabled'>;
  // Definitions of before have no `mcp`.
  return { ...defined, mcp: defined.mcp ?? false, ...fromRow(row), enabled: isEnabled === 1 };
}
