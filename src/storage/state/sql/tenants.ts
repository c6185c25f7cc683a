import { type Selectable, sql } from 'kysely';
import type { Agent, PageQuery, Settings, Tenant } from '../../../core/access/auth/schema.ts';
import type { AgentStore, InstallationStore, RemovedTenant, TenantStore } from '../../../core/access/auth/store.ts';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { StateDatabase } from './database.ts';
import { dialectOf, type SqlDialect } from './dialect.ts';
import { isBeingErased } from './erasing.ts';
import type { StateTables } from './schema.ts';
import { serves } from './sso/providers.ts';

export class SqlTenantStore implements TenantStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async create(tenant: Tenant): Promise<Tenant | null> {
    const { id, name, timezone, createdAt, retentionDays, secondFactor, passwordLogin } = tenant;
    const result = await this.database
      .insertInto('tenants')
      .values({
        id,
        name,
        timezone,
        created_at: createdAt,
        retention_days: retentionDays,
        second_factor: secondFactor,
        password_login: passwordLogin ? 1 : 0,
      })
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
    return row ? { ...toTenant(row), ...(row.is_being_erased && { isBeingErased: true as const }) } : null;
  }

  async list(): Promise<Tenant[]> {
    return (await this.database.selectFrom('tenants').selectAll().orderBy('created_at').execute()).map(toTenant);
  }

  async change(id: string, { timezone, retentionDays, secondFactor, passwordLogin }: Partial<Settings>) {
    const values = {
      ...(timezone === undefined ? {} : { timezone }),
      ...(retentionDays === undefined ? {} : { retention_days: retentionDays }),
      ...(secondFactor === undefined ? {} : { second_factor: secondFactor }),
      ...(passwordLogin === undefined ? {} : { password_login: passwordLogin ? 1 : 0 }),
    };
    const { database } = this;
    const change = async (inDatabase: StateDatabase) => {
      let update = inDatabase.updateTable('tenants').set(values).where('id', '=', id);
      if (passwordLogin === false) update = update.where(hasOtherLogin(dialectOf(database)));
      return (await update.executeTakeFirst()).numUpdatedRows === 1n;
    };
    // Another process may remove the last provider meanwhile.
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

  async remove(id: string): Promise<RemovedTenant | null> {
    return this.database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, { table: 'tenants', id, forRemoval: true });
      const remove = async (table: OwnedTable) =>
        Number((await transaction.deleteFrom(table).where('tenant_id', '=', id).executeTakeFirst()).numDeletedRows);
      // Referencing rows go before the rows they reference.
      for (const table of ['alert_changes', 'session_identities', 'user_identities'] as const) await remove(table);
      for (const table of ['totp_factors', 'passkeys', 'recovery_codes'] as const) await remove(table);
      const grants = transaction.selectFrom('oauth_grants').select('id').where('tenant_id', '=', id);
      await transaction.deleteFrom('oauth_records').where('grant_id', 'in', grants).execute();
      const removed = {
        dashboardCards: await remove('dashboard_cards'),
        dashboardTabs: await remove('dashboard_tabs'),
        agents: await remove('agents'),
        users: await remove('users'),
        apiKeys: await remove('api_keys'),
        providers: await remove('providers'),
        connectors: await remove('connectors'),
        credentials: await remove('credentials'),
        metrics: await remove('metrics'),
        terms: await remove('terms'),
        annotations: await remove('annotations'),
        alerts: await remove('alerts'),
        digests: await remove('digests'),
        segments: await remove('segments'),
        grants: await remove('oauth_grants'),
        identityProviders: await remove('identity_providers'),
      };
      await remove('sessions');
      for (const table of WITHOUT_COUNT) await remove(table);
      // Cascades to the audit log.
      const { numDeletedRows } = await transaction.deleteFrom('tenants').where('id', '=', id).executeTakeFirst();
      return numDeletedRows === 1n ? removed : null;
    });
  }
}

/** No time of an erasure: long ago, so that it locks nobody out. */
const INTERRUPTED = 0;

const WITHOUT_COUNT = [
  'quotas',
  'budget_usage',
  'budget_reservations',
  'deliveries',
  'delivery_messages',
] as const satisfies OwnedTable[];

type OwnedTable =
  | 'dashboard_cards'
  | 'dashboard_tabs'
  | 'api_keys'
  | 'users'
  | 'sessions'
  | 'agents'
  | 'providers'
  | 'connectors'
  | 'credentials'
  | 'metrics'
  | 'terms'
  | 'annotations'
  | 'alerts'
  | 'alert_changes'
  | 'digests'
  | 'segments'
  | 'oauth_grants'
  | 'quotas'
  | 'budget_usage'
  | 'budget_reservations'
  | 'deliveries'
  | 'delivery_messages'
  | 'totp_factors'
  | 'passkeys'
  | 'recovery_codes'
  | 'identity_providers'
  | 'session_identities'
  | 'user_identities';

/** Of the row of `tenants`. */
const hasOtherLogin = (dialect: SqlDialect) => sql<boolean>`EXISTS (
  SELECT 1 FROM identity_providers
  WHERE is_enabled = 1 AND ${serves(dialect, 'identity_providers', 'tenants')})`;

function toTenant(row: Selectable<StateTables['tenants']>): Tenant {
  const { id, name, timezone, created_at: createdAt, retention_days: retentionDays } = row;
  const { second_factor: secondFactor, password_login: passwords } = row;
  return { id, name, timezone, createdAt, retentionDays, secondFactor, passwordLogin: passwords === 1 };
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
          .values(
            rows.map(({ tenantId, name, createdAt, createdBy }) => ({
              tenant_id: tenantId,
              name,
              created_at: createdAt,
              created_by: createdBy,
            })),
          )
          .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
          .executeTakeFirst();
        made += result.numInsertedOrUpdatedRows ?? 0n;
      }
    });
    return Number(made);
  }

  async list(tenantId: string): Promise<Agent[]> {
    const rows = await this.database
      .selectFrom('agents')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .orderBy('name')
      .execute();
    return rows.map(toAgent);
  }

  async page(tenantId: string, { limit, offset }: PageQuery): Promise<Page<Agent>> {
    const ofTenant = this.database.selectFrom('agents').where('tenant_id', '=', tenantId);
    const rows = await ofTenant.selectAll().orderBy('name').limit(limit).offset(offset).execute();
    const { total } = await ofTenant.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(toAgent), total };
  }
}

function toAgent(row: StateTables['agents']): Agent {
  const { tenant_id: tenantId, name, created_at: createdAt, created_by: createdBy } = row;
  return { tenantId, name, createdAt, createdBy };
}

export class SqlInstallationStore implements InstallationStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async claim(fact: string, at: number): Promise<boolean> {
    const result = await this.database
      .insertInto('installation')
      .values({ fact, at })
      .onConflict((conflict) => conflict.column('fact').doNothing())
      .executeTakeFirst();
    return result.numInsertedOrUpdatedRows === 1n;
  }

  async forget(fact: string): Promise<void> {
    await this.database.deleteFrom('installation').where('fact', 'like', `${fact} %`).execute();
  }

  async has(fact: string): Promise<boolean> {
    const row = await this.database
      .selectFrom('installation')
      .select('fact')
      .where('fact', '=', fact)
      .executeTakeFirst();
    return row !== undefined;
  }
}
