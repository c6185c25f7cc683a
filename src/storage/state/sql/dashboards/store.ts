import { type RawBuilder, sql } from 'kysely';
import type {
  AgentChange,
  CardChanges,
  CardName,
  CardToPut,
  DashboardStore,
  PutResult,
  StoredCard,
  StoredTab,
  TabChanges,
  TabToPut,
} from '../../../../core/analytics/dashboards/store.ts';
import { withoutUndefined } from '../../../../core/base/json-schema/values.ts';
import type { StateDatabase } from '../database.ts';
import { dialectOf, greater } from '../dialect.ts';
import { toRow } from '../rows.ts';
import { violationAsResult } from '../violations.ts';
import { keepChange } from './changes.ts';
import { columnsOf, removeTab, toCard, toTab } from './rows.ts';

type Table = 'dashboard_cards' | 'dashboard_tabs';

export class SqlDashboardStore implements DashboardStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  /** One of several concurrent calls creates the card, and the others update it. */
  async putCard(tenantId: string, card: CardToPut, by?: AgentChange): Promise<PutResult<StoredCard> | 'unknown tab'> {
    const { title, cardType, config, tabId, gridLayout, sortOrder, updatedAt } = card;
    const changes = columnsOf({ title, cardType, config, tabId, gridLayout, sortOrder });
    const put = this.inTenant(tenantId, by, async (database) => {
      const former = by && (await this.ofIdentity(tenantId, card.agentId, card.identity, database));
      if (former && changesNothing(former, changes)) return former;
      const row = await database
        .insertInto('dashboard_cards')
        .values({
          ...toRow(card),
          tenant_id: tenantId,
          config: JSON.stringify(config),
          grid_layout: gridLayout ? JSON.stringify(gridLayout) : null,
          sort_order: sortOrder ?? nextSortOrder('dashboard_cards', tenantId, card.agentId),
          tab_id: tabId ?? null,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['tenant_id', 'agent_id', 'identity'])
            .doUpdateSet({ ...changes, updated_at: later('dashboard_cards', updatedAt) }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      if (by) await keepChange(database, by, { kind: 'card', former: row.id === card.id ? null : former!, row });
      return row;
    });
    const result = await violationAsResult(put, UNKNOWN_TAB);
    if (result === 'unknown tab') return result;
    return { created: result.id === card.id, stored: toCard(result) };
  }

  async listCards(tenantId: string, agentId: string | null): Promise<StoredCard[]> {
    return (await this.sorted('dashboard_cards', tenantId, agentId).selectAll().execute()).map(toCard);
  }

  async listCardNames(tenantId: string, agentId: string | null): Promise<CardName[]> {
    const sorted = this.sorted('dashboard_cards', tenantId, agentId);
    const rows = await sorted.select(['id', 'title', 'card_type', 'tab_id']).execute();
    return rows.map((row) => ({ id: row.id, title: row.title, cardType: row.card_type, tabId: row.tab_id }));
  }

  async countCards(tenantId: string, agentId: string): Promise<number> {
    const { count } = await this.database
      .selectFrom('dashboard_cards')
      .select((card) => card.fn.countAll<number>().as('count'))
      .where('tenant_id', '=', tenantId)
      .where('agent_id', '=', agentId)
      .executeTakeFirstOrThrow();
    return count;
  }

  async findCard(tenantId: string, id: string): Promise<StoredCard | null> {
    const row = await this.find('dashboard_cards', tenantId, id);
    return row ? toCard(row) : null;
  }

  async cardOfIdentity(tenantId: string, agentId: string, identity: string): Promise<StoredCard | null> {
    const row = await this.ofIdentity(tenantId, agentId, identity);
    return row ? toCard(row) : null;
  }

  async changeCard(tenantId: string, id: string, changes: CardChanges, updatedAt: number, by?: AgentChange) {
    const columns = columnsOf(changes);
    const change = this.inTenant(tenantId, by, async (database) => {
      const former = by && (await this.find('dashboard_cards', tenantId, id, database));
      if (former && changesNothing(former, columns)) return former;
      const row = await database
        .updateTable('dashboard_cards')
        .set({ ...columns, updated_at: later('dashboard_cards', updatedAt) })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (by && row) await keepChange(database, by, { kind: 'card', former: former!, row });
      return row;
    });
    const result = await violationAsResult(change, { ...CONFLICT, ...UNKNOWN_TAB });
    return typeof result === 'string' ? result : result ? toCard(result) : null;
  }

  async removeCard(tenantId: string, id: string, by?: AgentChange): Promise<StoredCard | null> {
    const row = await this.inTenant(tenantId, by, async (database) => {
      const removed = await database
        .deleteFrom('dashboard_cards')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (by && removed) await keepChange(database, by, { kind: 'card', former: removed, row: null });
      return removed;
    });
    return row ? toCard(row) : null;
  }

  async putTab(tenantId: string, tab: TabToPut, by?: AgentChange): Promise<PutResult<StoredTab>> {
    const { id, agentId, name, sortOrder, updatedAt } = tab;
    const row = await this.inTenant(tenantId, by, async (database) => {
      const named = database.selectFrom('dashboard_tabs').selectAll().where('tenant_id', '=', tenantId);
      const former = by && (await named.where('agent_id', '=', agentId).where('name', '=', name).executeTakeFirst());
      if (former && changesNothing(former, withoutUndefined({ sort_order: sortOrder }))) return former;
      const put = await database
        .insertInto('dashboard_tabs')
        .values({
          ...toRow(tab),
          tenant_id: tenantId,
          sort_order: sortOrder ?? nextSortOrder('dashboard_tabs', tenantId, agentId),
        })
        .onConflict((conflict) =>
          conflict
            .columns(['tenant_id', 'agent_id', 'name'])
            .doUpdateSet(
              sortOrder === undefined
                ? { name }
                : { sort_order: sortOrder, updated_at: later('dashboard_tabs', updatedAt) },
            ),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      if (by) await keepChange(database, by, { kind: 'tab', former: put.id === id ? null : former!, row: put });
      return put;
    });
    return { created: row.id === id, stored: toTab(row) };
  }

  async listTabs(tenantId: string, agentId: string | null): Promise<StoredTab[]> {
    return (await this.sorted('dashboard_tabs', tenantId, agentId).selectAll().execute()).map(toTab);
  }

  async findTab(tenantId: string, id: string): Promise<StoredTab | null> {
    const row = await this.find('dashboard_tabs', tenantId, id);
    return row ? toTab(row) : null;
  }

  async changeTab(tenantId: string, id: string, { name, sortOrder }: TabChanges, updatedAt: number) {
    const result = await violationAsResult(
      this.database
        .updateTable('dashboard_tabs')
        .set({ ...withoutUndefined({ name, sort_order: sortOrder }), updated_at: later('dashboard_tabs', updatedAt) })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),
      CONFLICT,
    );
    if (result === 'conflict') return result;
    return result ? toTab(result) : null;
  }

  async removeTab(tenantId: string, id: string): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, { table: 'tenants', id: tenantId });
      return removeTab(transaction, tenantId, id);
    });
  }

  async tenantOf(kind: 'card' | 'tab', id: string): Promise<string | null> {
    const row = await this.database
      .selectFrom(kind === 'card' ? 'dashboard_cards' : 'dashboard_tabs')
      .select('tenant_id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.tenant_id ?? null;
  }

  /**
   * Writes one after the other: sort orders follow each other, and no card gets a tab that is being
   * removed. With `by`, whose change is kept, in a transaction; else `write` is one statement.
   */
  private inTenant<Result>(
    tenantId: string,
    by: AgentChange | undefined,
    write: (database: StateDatabase) => Promise<Result>,
  ): Promise<Result> {
    const { database } = this;
    const tenant = { table: 'tenants', id: tenantId } as const;
    if (!by) return dialectOf(database).whileLocked(database, tenant, write);
    return database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, tenant);
      return write(transaction);
    });
  }

  private sorted(table: Table, tenantId: string, agentId: string | null) {
    let query = this.database.selectFrom(table).where('tenant_id', '=', tenantId);
    if (agentId !== null) query = query.where('agent_id', '=', agentId);
    return query.orderBy('sort_order').orderBy('created_at').orderBy('id');
  }

  private ofIdentity(tenantId: string, agentId: string, identity: string, database = this.database) {
    const ofTenant = database.selectFrom('dashboard_cards').selectAll().where('tenant_id', '=', tenantId);
    return ofTenant.where('agent_id', '=', agentId).where('identity', '=', identity).executeTakeFirst();
  }

  private find(table: Table, tenantId: string, id: string, database = this.database) {
    const ofTenant = database.selectFrom(table).selectAll().where('tenant_id', '=', tenantId);
    return ofTenant.where('id', '=', id).executeTakeFirst();
  }
}

const UNKNOWN_TAB = { 'foreign key': 'unknown tab' } as const;
const CONFLICT = { unique: 'conflict' } as const;

function nextSortOrder(table: Table, tenantId: string, agentId: string): RawBuilder<number> {
  return sql<number>`(SELECT coalesce(max(sort_order) + 1, 0) FROM ${sql.table(table)} WHERE tenant_id = ${tenantId} AND agent_id = ${agentId})`;
}

function changesNothing(former: object, columns: object): boolean {
  return Object.entries(columns).every(([column, value]) => former[column as keyof typeof former] === value);
}

/** The time of a change, after that of the one before. */
function later(table: Table, updatedAt: number): RawBuilder<number> {
  return greater(sql<number>`${updatedAt}`, sql<number>`${sql.ref(`${table}.updated_at`)} + 1`);
}
