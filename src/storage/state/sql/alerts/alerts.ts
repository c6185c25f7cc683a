import { type Selectable, sql } from 'kysely';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type {
  AlertQuery,
  AlertStore,
  CheckSettlement,
  StoredAlert,
  StoredChange,
} from '../../../../core/watch/alerts/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase, StateTransaction } from '../database.ts';
import { fromRow, toRow } from '../rows.ts';
import { SqlScheduledStore } from './scheduled-store.ts';

type ChangeRow = Selectable<StateTables['alert_changes']>;

/** Older changes of the alert are removed. */
const KEPT_CHANGES = 1_000;

export class SqlAlertStore extends SqlScheduledStore<StoredAlert, 'alerts', StoredChange> implements AlertStore {
  constructor(database: StateDatabase) {
    super(database, { table: 'alerts', toState: stateOf, ofState: toState });
  }

  list(tenantId: string, { state, ...query }: AlertQuery): Promise<Page<StoredAlert>> {
    return this.page(tenantId, query, state === undefined ? undefined : sql<boolean>`state = ${state}`);
  }

  settle(
    alert: Pick<StoredAlert, 'id' | 'tenantId' | 'revision'>,
    { nextDue, change, deliveries, ...checked }: CheckSettlement,
  ): Promise<boolean> {
    const { at } = checked.lastCheck;
    return this.settleWith(alert, { at, state: stateOf(checked), nextDue, deliveries, change });
  }

  async history(
    tenantId: string,
    id: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<Page<StoredChange>> {
    const asked = this.database
      .selectFrom('alert_changes')
      .where('tenant_id', '=', tenantId)
      .where('alert_id', '=', id);
    const rows = await asked.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
    const { total } = await asked.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(toChange), total };
  }

  async unrecorded(limit: number) {
    const rows = await this.database
      .selectFrom('alert_changes')
      .innerJoin('alerts', 'alerts.id', 'alert_changes.alert_id')
      .selectAll('alert_changes')
      .select('definition')
      .where(sql<boolean>`is_recorded = 0`)
      .orderBy('alert_changes.id')
      .limit(limit)
      .execute();
    return rows.map(({ definition, ...row }) => ({
      ...toChange(row),
      tenantId: row.tenant_id,
      title: (JSON.parse(definition) as StoredAlert['definition']).title,
    }));
  }

  async recorded(ids: readonly string[]): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      for (const id of ids) {
        await transaction.updateTable('alert_changes').set({ is_recorded: 1 }).where('id', '=', id).execute();
      }
    });
  }

  protected override async recordChange(
    transaction: StateTransaction,
    { id, tenantId }: Pick<StoredAlert, 'id' | 'tenantId'>,
    change: StoredChange,
  ): Promise<void> {
    await transaction.insertInto('alert_changes').values(toChangeRow(tenantId, change)).execute();
    await sql`DELETE FROM alert_changes WHERE alert_id = ${id} AND is_recorded = 1 AND id <= (
      SELECT id FROM alert_changes WHERE alert_id = ${id} ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_CHANGES}
    )`.execute(transaction);
  }
}

function stateOf({ memory, lastCheck }: Pick<StoredAlert, 'memory' | 'lastCheck'>) {
  return {
    state: memory.state,
    memory: JSON.stringify(memory),
    last_check: lastCheck && JSON.stringify(lastCheck),
    checked_at: lastCheck?.at ?? null,
  };
}

function toState({ memory, last_check: last }: Selectable<StateTables['alerts']>) {
  return { memory: JSON.parse(memory), lastCheck: last === null ? null : JSON.parse(last) };
}

function toChangeRow(tenantId: string, { from, to, notified, ...change }: StoredChange): ChangeRow {
  const states = { from_state: from, to_state: to };
  return { ...toRow(change), ...states, tenant_id: tenantId, is_notified: notified ? 1 : 0, is_recorded: 0 };
}

function toChange({ tenant_id: _, from_state: from, to_state: to, ...row }: ChangeRow): StoredChange {
  const { is_notified: notified, is_recorded: __, ...rest } = row;
  return { ...fromRow(rest), from, to, notified: notified === 1 };
}
