import { type RawBuilder, sql } from 'kysely';
import type {
  CardChanges,
  CardName,
  CardToPut,
  DashboardStore,
  PutResult,
  StoredCard,
  StoredTab,
  TabChanges,
  TabToPut,
} from '../../../core/analytics/dashboards/store.ts';
import { withoutUndefined } from '../../../core/base/json-schema/values.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { dialectOf } from './dialect.ts';
import { fromRow, toRow } from './rows.ts';
import { violationAsResult } from './violations.ts';

type CardRow = StateTables['dashboard_cards'];
type TabRow = StateTables['dashboard_tabs'];
type Table = 'dashboard_cards' | 'dashboard_tabs';

export class SqlDashboardStore implements DashboardStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  /** One of several concurrent calls creates the card, and the others update it. */
  async putCard(tenantId: string, card: CardToPut): Promise<PutResult<StoredCard> | 'unknown tab'> {
    const { config, tabId, gridLayout, sortOrder, updatedAt } = card;
    const result = await violationAsResult(
      this.inTenant(tenantId, (database) =>
        database
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
            conflict.columns(['tenant_id', 'agent_id', 'identity']).doUpdateSet({
              ...columnsOf({ title: card.title, cardType: card.cardType, config, tabId, gridLayout, sortOrder }),
              updated_at: updatedAt,
            }),
          )
          .returningAll()
          .executeTakeFirstOrThrow(),
      ),
      UNKNOWN_TAB,
    );
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

  async changeCard(tenantId: string, id: string, changes: CardChanges, updatedAt: number) {
    const result = await violationAsResult(
      this.inTenant(tenantId, (database) =>
        database
          .updateTable('dashboard_cards')
          .set({ ...columnsOf(changes), updated_at: updatedAt })
          .where('tenant_id', '=', tenantId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst(),
      ),
      { ...CONFLICT, ...UNKNOWN_TAB },
    );
    return typeof result === 'string' ? result : result ? toCard(result) : null;
  }

  async removeCard(tenantId: string, id: string): Promise<boolean> {
    const result = await this.database
      .deleteFrom('dashboard_cards')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows === 1n;
  }

  async putTab(tenantId: string, tab: TabToPut): Promise<PutResult<StoredTab>> {
    const { id, agentId, name, sortOrder, updatedAt } = tab;
    const row = await this.inTenant(tenantId, (database) =>
      database
        .insertInto('dashboard_tabs')
        .values({
          ...toRow(tab),
          tenant_id: tenantId,
          sort_order: sortOrder ?? nextSortOrder('dashboard_tabs', tenantId, agentId),
        })
        .onConflict((conflict) =>
          conflict
            .columns(['tenant_id', 'agent_id', 'name'])
            .doUpdateSet(sortOrder === undefined ? { name } : { sort_order: sortOrder, updated_at: updatedAt }),
        )
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
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
        .set({ ...withoutUndefined({ name, sort_order: sortOrder }), updated_at: updatedAt })
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
      await transaction
        .updateTable('dashboard_cards')
        .set({ tab_id: null })
        .where('tenant_id', '=', tenantId)
        .where('tab_id', '=', id)
        .execute();
      const result = await transaction
        .deleteFrom('dashboard_tabs')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .executeTakeFirst();
      return result.numDeletedRows === 1n;
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
   * Runs statements one after the other: sort orders follow each other, and no card gets a tab that
   * is being removed.
   */
  private inTenant<Result>(tenantId: string, statement: (database: StateDatabase) => Promise<Result>) {
    const { database } = this;
    return dialectOf(database).whileLocked(database, { table: 'tenants', id: tenantId }, statement);
  }

  private sorted(table: Table, tenantId: string, agentId: string | null) {
    let query = this.database.selectFrom(table).where('tenant_id', '=', tenantId);
    if (agentId !== null) query = query.where('agent_id', '=', agentId);
    return query.orderBy('sort_order').orderBy('created_at').orderBy('id');
  }

  private find(table: Table, tenantId: string, id: string) {
    const ofTenant = this.database.selectFrom(table).selectAll().where('tenant_id', '=', tenantId);
    return ofTenant.where('id', '=', id).executeTakeFirst();
  }
}

const UNKNOWN_TAB = { 'foreign key': 'unknown tab' } as const;
const CONFLICT = { unique: 'conflict' } as const;

function nextSortOrder(table: Table, tenantId: string, agentId: string): RawBuilder<number> {
  return sql<number>`(SELECT coalesce(max(sort_order) + 1, 0) FROM ${sql.table(table)} WHERE tenant_id = ${tenantId} AND agent_id = ${agentId})`;
}

function columnsOf({ config, gridLayout, ...changes }: CardChanges) {
  return withoutUndefined({
    ...toRow(changes),
    config: config === undefined ? undefined : JSON.stringify(config),
    grid_layout: gridLayout ? JSON.stringify(gridLayout) : gridLayout,
  });
}

function toCard({ tenant_id: _, ...row }: CardRow): StoredCard {
  const { config, gridLayout, ...card } = fromRow(row);
  return { ...card, config: JSON.parse(config), gridLayout: gridLayout === null ? null : JSON.parse(gridLayout) };
}

function toTab({ tenant_id: _, ...row }: TabRow): StoredTab {
  return fromRow(row);
}
