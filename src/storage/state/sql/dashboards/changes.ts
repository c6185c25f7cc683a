import { type Selectable, sql } from 'kysely';
import {
  type ChangeState,
  type ChangesAsked,
  type DashboardChangeStore,
  MAX_CHANGES,
  type StoredDashboardChange,
} from '../../../../core/analytics/dashboards/changes/store.ts';
import type { AgentChange } from '../../../../core/analytics/dashboards/store.ts';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase, StateTransaction } from '../database.ts';
import { ALL, dialectOf } from '../dialect.ts';
import { fromRow, toRow } from '../rows.ts';
import { violationAsResult } from '../violations.ts';
import { type CardRow, removeTab, type TabRow, toCard, toTab } from './rows.ts';

type ChangeRow = Selectable<StateTables['dashboard_changes']> & { state: ChangeState };

type ShownRow = Omit<ChangeRow, 'former'> & { former?: string | null };

/** Without the row before, which may be large. */
const SHOWN = [
  ...(['id', 'tenant_id', 'at', 'kind', 'item_id', 'agent_id', 'title', 'action', 'maker_kind', 'maker_id'] as const),
  ...(['maker', 'client', 'user_id', 'tool', 'intent', 'undone_at', 'undone_by'] as const),
];

/** Whether the card or tab is as the change left it. */
const STATE = sql<ChangeState>`CASE WHEN undone_at IS NOT NULL THEN 'undone'
  WHEN at = coalesce(
    (SELECT updated_at FROM dashboard_cards WHERE dashboard_cards.id = item_id),
    (SELECT updated_at FROM dashboard_tabs WHERE dashboard_tabs.id = item_id),
    CASE WHEN action = 'deleted' THEN at END
  ) THEN 'current' ELSE 'superseded' END`;

export class SqlDashboardChangeStore implements DashboardChangeStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async list(
    tenantId: string,
    { agentId, state, since, limit, offset }: ChangesAsked,
  ): Promise<Page<StoredDashboardChange>> {
    let asked = this.database
      .selectFrom('dashboard_changes')
      .where('tenant_id', '=', tenantId)
      .where('at', '>=', since);
    if (agentId !== null) asked = asked.where('agent_id', '=', agentId);
    if (state !== undefined) asked = asked.where(STATE, '=', state);
    const newest = asked.select(SHOWN).select(STATE.as('state')).orderBy('at', 'desc').orderBy('id', 'desc');
    const rows = await newest.limit(limit).offset(offset).execute();
    const { total } = await asked.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(toChange), total };
  }

  async find(tenantId: string, id: string) {
    const row = await this.row(this.database, tenantId, id);
    if (!row) return null;
    const { kind, former } = row;
    const before = former === null ? null : kind === 'card' ? toCard(JSON.parse(former)) : toTab(JSON.parse(former));
    return { change: toChange(row), former: before };
  }

  async undo(tenantId: string, id: string, { at, by }: { at: number; by: string }) {
    const undone = this.database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, { table: 'tenants', id: tenantId });
      const change = await this.row(transaction, tenantId, id);
      if (!change) return null;
      if (change.state !== 'current') return 'not current';
      await putBack(transaction, change);
      await transaction
        .updateTable('dashboard_changes')
        .set({ undone_at: at, undone_by: by })
        .where('id', '=', id)
        .execute();
      return toChange({ ...change, state: 'undone', undone_at: at, undone_by: by });
    });
    return violationAsResult(undone, { unique: 'conflict' } as const);
  }

  async prune(before: number): Promise<void> {
    await this.database.deleteFrom('dashboard_changes').where('at', '<', before).execute();
  }

  private row(database: StateDatabase, tenantId: string, id: string): Promise<ChangeRow | undefined> {
    const ofTenant = database.selectFrom('dashboard_changes').where('tenant_id', '=', tenantId);
    return ofTenant.where('id', '=', id).selectAll().select(STATE.as('state')).executeTakeFirst();
  }
}

async function putBack(transaction: StateTransaction, change: ChangeRow): Promise<void> {
  const { kind, item_id: id, tenant_id: tenantId, action, former } = change;
  if (former === null) {
    if (kind === 'tab') await removeTab(transaction, tenantId, id);
    else await transaction.deleteFrom('dashboard_cards').where('id', '=', id).execute();
    return;
  }
  if (kind === 'tab') {
    await transaction.updateTable('dashboard_tabs').set(JSON.parse(former)).where('id', '=', id).execute();
    return;
  }
  const card = JSON.parse(former) as CardRow;
  const tab = transaction.selectFrom('dashboard_tabs').select('id').where('tenant_id', '=', tenantId);
  const hasTab = card.tab_id !== null && (await tab.where('id', '=', card.tab_id).executeTakeFirst());
  const row = { ...card, tab_id: hasTab ? card.tab_id : null };
  if (action === 'deleted') await transaction.insertInto('dashboard_cards').values(row).execute();
  else await transaction.updateTable('dashboard_cards').set(row).where('id', '=', id).execute();
}

interface Written {
  kind: StoredDashboardChange['kind'];
  /** The row before; null: there was none. */
  former: CardRow | TabRow | null;
  /** The row after; null: it was removed. */
  row: CardRow | TabRow | null;
}

/** Adds the row of a change, in the transaction of its write. */
export async function keepChange(
  transaction: StateDatabase,
  { by: { kind: makerKind, id: makerId, label: maker, client, userId }, at, ...change }: AgentChange,
  { kind, former, row }: Written,
): Promise<void> {
  const item = (row ?? former)!;
  const action: StoredDashboardChange['action'] = former === null ? 'created' : row === null ? 'deleted' : 'changed';
  const kept = {
    ...{ ...change, kind, action, makerKind, makerId, maker, client, userId, undoneAt: null, undoneBy: null },
    ...{ tenantId: item.tenant_id, itemId: item.id, agentId: item.agent_id, at: row?.updated_at ?? at },
    title: 'title' in item ? item.title : item.name,
    former: former && JSON.stringify(former),
  };
  await transaction.insertInto('dashboard_changes').values(toRow(kept)).execute();
  // Deletions apart: changes of others must not take away what brings a card back.
  await sql`DELETE FROM dashboard_changes WHERE id IN (
    SELECT id FROM dashboard_changes
    WHERE tenant_id = ${item.tenant_id} AND (action = 'deleted') = (${action} = 'deleted')
    ORDER BY at DESC, id DESC LIMIT ${sql.lit(ALL)} OFFSET ${sql.lit(MAX_CHANGES)})`.execute(transaction);
}

function toChange(row: ShownRow): StoredDashboardChange {
  const { tenantId: _, former: __, makerKind, makerId, maker, client, userId, ...change } = fromRow(row);
  return { ...change, by: { kind: makerKind, id: makerId, label: maker, client, userId } };
}
