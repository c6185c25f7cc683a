import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Agent, PageQuery, Settings, Tenant } from '../../../core/access/auth/schema.ts';
import type { AgentStore, TenantStore } from '../../../core/access/auth/store.ts';
import { withoutUndefined } from '../../../core/base/json-schema/values.ts';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { StateTables } from '../schema/types.ts';
import { ALL_TABLES } from '../tables.ts';
import type { StateDatabase } from './database.ts';
import { dialectOf, type SqlDialect } from './dialect.ts';
import { fromRow, jsonOrNull, parsedOrNull, toRow } from './rows.ts';
import { serves } from './sso/providers.ts';

export class SqlTenantStore implements TenantStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async create(tenant: Tenant): Promise<Tenant | null> {
    const { isBeingErased: _, passwordLogin, roleLimits, ...columns } = tenant;
    const result = await this.database
      .insertInto('tenants')
      .values({ ...toRow(columns), password_login: passwordLogin ? 1 : 0, role_limits: jsonOrNull(roleLimits) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    return result.numInsertedOrUpdatedRows === 1n ? tenant : null;
  }

  async find(idOrName: string): Promise<Tenant | null> {
    const row = await this.database
      .selectFrom('tenants')
      .selectAll()
      .select(isBeingErased(this.database).as('is_being_erased'))
      .where((where) => where.or([where('id', '=', idOrName), where('name', '=', idOrName)]))
      .executeTakeFirst();
    if (!row) return null;
    const { is_being_erased: isErased, ...tenant } = row;
    return { ...toTenant(tenant), ...(isErased && { isBeingErased: true as const }) };
  }

  async list(most?: number): Promise<Tenant[]> {
    const all = this.database.selectFrom('tenants').selectAll().orderBy('created_at');
    return (await (most === undefined ? all : all.limit(most)).execute()).map(toTenant);
  }

  async shortestRetention(): Promise<number | null> {
    const shortest = this.database.selectFrom('tenants').select(({ fn }) => fn.min('retention_days').as('days'));
    return (await shortest.executeTakeFirstOrThrow()).days;
  }

  async change(id: string, { passwordLogin, roleLimits, ...settings }: Partial<Settings>) {
    const password = passwordLogin === undefined ? {} : { password_login: passwordLogin ? 1 : 0 };
    const limits = roleLimits === undefined ? {} : { role_limits: jsonOrNull(roleLimits) };
    const values = { ...withoutUndefined(toRow(settings)), ...password, ...limits };
    const { database } = this;
    const change = async (inDatabase: StateDatabase) => {
      let update = inDatabase.updateTable('tenants').set(values).where('id', '=', id);
      if (passwordLogin === false) update = update.where(hasOtherLogin(dialectOf(database)));
      return (await update.executeTakeFirst()).numUpdatedRows === 1n;
    };
    // Another process may have removed the last provider.
    const changed =
      passwordLogin === false
        ? await dialectOf(database).whileLocked(database, 'all tenants', change)
        : await change(database);
    if (changed) return 'changed' as const;
    return (await this.find(id)) ? ('no other login' as const) : ('unknown' as const);
  }

  async markErasing(id: string): Promise<boolean> {
    const former = await this.database.selectFrom('tenants').select('erasing_since').where('id', '=', id).execute();
    const { now } = dialectOf(this.database);
    await this.database.updateTable('tenants').set({ erasing_since: now }).where('id', '=', id).execute();
    return former.some(({ erasing_since: since }) => since !== null);
  }

  async unmarkErasing(id: string): Promise<void> {
    await this.database.updateTable('tenants').set({ erasing_since: INTERRUPTED }).where('id', '=', id).execute();
  }

  async unmarkInterrupted(): Promise<string[]> {
    const marked = (
      await this.database.selectFrom('tenants').select('id').where('erasing_since', '>', INTERRUPTED).execute()
    ).map(({ id }) => id);
    for (const id of marked) await this.unmarkErasing(id);
    return marked;
  }

  async erasing(): Promise<string[]> {
    const rows = await this.database.selectFrom('tenants').select('id').where(isBeingErased(this.database)).execute();
    return rows.map(({ id }) => id);
  }

  async remove(id: string): Promise<Record<string, number> | null> {
    return this.database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, { table: 'tenants', id, forRemoval: true });
      const removed: Record<string, number> = {};
      for (const [table, { removedBy, countedAs }] of ALL_TABLES.toReversed()) {
        const isOfTenant = ROWS_OF_TENANT[removedBy ?? ''];
        if (isOfTenant === undefined) continue;
        const { numAffectedRows } = await sql`DELETE FROM ${sql.table(table)} WHERE ${isOfTenant(id)}`.execute(
          transaction,
        );
        if (countedAs !== undefined) removed[countedAs] = Number(numAffectedRows);
      }
      // Cascades to the audit log.
      const { numDeletedRows } = await transaction.deleteFrom('tenants').where('id', '=', id).executeTakeFirst();
      return numDeletedRows === 1n ? removed : null;
    });
  }
}

const ROWS_OF_TENANT: Record<string, (id: string) => RawBuilder<boolean>> = {
  tenant: (id) => sql`tenant_id = ${id}`,
  grant: (id) => sql`grant_id IN (SELECT id FROM oauth_grants WHERE tenant_id = ${id})`,
};

/** A mark that its erasure did not renew for so long is one of a process that ended. */
const ERASURE_LEASE_MS = 600_000;

/** Whether the row of `tenants` is being erased. */
export function isBeingErased(database: StateDatabase): RawBuilder<boolean> {
  return sql<boolean>`(tenants.erasing_since IS NOT NULL
    AND tenants.erasing_since > ${dialectOf(database).now} - ${sql.lit(ERASURE_LEASE_MS)})`;
}

/** No time of an erasure: long ago, so that it locks nobody out. */
const INTERRUPTED = 0;

/** Whether an identity provider serves the row of `tenants`. */
const hasOtherLogin = (dialect: SqlDialect) => sql<boolean>`EXISTS (
  SELECT 1 FROM identity_providers
  WHERE is_enabled = 1 AND ${serves(dialect, 'identity_providers', 'tenants')})`;

function toTenant(row: Selectable<StateTables['tenants']>): Tenant {
  const { password_login: passwords, erasing_since: _, ...rest } = row;
  return { ...fromRow(rest), passwordLogin: passwords === 1, roleLimits: parsedOrNull(row.role_limits) };
}

/** Four values a row: under SQLite's limit of bound values. */
const ROWS_PER_INSERT = 1_000;

export class SqlAgentStore implements AgentStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async register(agents: Agent[]): Promise<number> {
    let made = 0n;
    // In one order: two statements that insert the same agents could wait for each other.
    const sorted = agents.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    await this.database.transaction().execute(async (transaction) => {
      for (let start = 0; start < agents.length; start += ROWS_PER_INSERT) {
        const rows = sorted.slice(start, start + ROWS_PER_INSERT);
        const result = await transaction
          .insertInto('agents')
          .values(rows.map(toRow))
          .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
          .executeTakeFirst();
        made += result.numInsertedOrUpdatedRows ?? 0n;
      }
    });
    return Number(made);
  }

  async remove(tenantId: string, name: string): Promise<void> {
    await this.database.deleteFrom('agents').where('tenant_id', '=', tenantId).where('name', '=', name).execute();
  }

  async list(tenantId: string): Promise<Agent[]> {
    const rows = await this.database
      .selectFrom('agents')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .orderBy('name')
      .execute();
    return rows.map(fromRow);
  }

  async page(tenantId: string, { limit, offset }: PageQuery): Promise<Page<Agent>> {
    const ofTenant = this.database.selectFrom('agents').where('tenant_id', '=', tenantId);
    const rows = await ofTenant.selectAll().orderBy('name').limit(limit).offset(offset).execute();
    const { total } = await ofTenant.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(fromRow), total };
  }
}
