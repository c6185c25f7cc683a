import { type Selectable, sql } from 'kysely';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { AlertStore, Settlement, StoredAlert, StoredChange } from '../../../../core/watch/alerts/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase, StateTransaction } from '../database.ts';
import { fromRow, toRow } from '../rows.ts';
import { ScheduledStore } from './scheduled-store.ts';

type AlertRow = Selectable<StateTables['alerts']>;
type ChangeRow = Selectable<StateTables['alert_changes']>;

/** Older changes of the alert are removed. */
const KEPT_CHANGES = 1_000;

export class SqlAlertStore extends ScheduledStore<StoredAlert, 'alerts'> implements AlertStore {
  constructor(database: StateDatabase) {
    super(database, { table: 'alerts', toRow: toAlertRow, toItem: toAlert });
  }

  list(tenantId: string, { state, ...page }: Parameters<AlertStore['list']>[1]): Promise<Page<StoredAlert>> {
    return this.page(tenantId, page, state === undefined ? undefined : sql<boolean>`state = ${state}`);
  }

  async count(tenantId: string): Promise<number> {
    return (await this.list(tenantId, { limit: 0, offset: 0 })).total;
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

  override replace(alert: StoredAlert, change: StoredChange | null = null): Promise<boolean> {
    return this.commits.run(async (transaction) => {
      if (!(await this.change(transaction, alert, toAlertRow(alert)))) return false;
      await recordChange(transaction, alert, change);
      return true;
    });
  }

  settle(
    alert: Pick<StoredAlert, 'id' | 'tenantId' | 'revision'>,
    { memory, lastCheck, nextDue, change, deliveries }: Settlement,
  ): Promise<boolean> {
    const changes = {
      state: memory.state,
      memory: JSON.stringify(memory),
      last_check: JSON.stringify(lastCheck),
      checked_at: lastCheck.at,
      next_due: nextDue,
    };
    return this.settleWith(alert, { at: lastCheck.at, changes, deliveries }, (transaction) =>
      recordChange(transaction, alert, change),
    );
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
    await this.commits.run(async (transaction) => {
      for (const id of ids) {
        await transaction.updateTable('alert_changes').set({ is_recorded: 1 }).where('id', '=', id).execute();
      }
    });
  }
}

async function recordChange(
  transaction: StateTransaction,
  { id, tenantId }: Pick<StoredAlert, 'id' | 'tenantId'>,
  change: StoredChange | null,
): Promise<void> {
  if (!change) return;
  await transaction.insertInto('alert_changes').values(toChangeRow(tenantId, change)).execute();
  await sql`DELETE FROM alert_changes WHERE alert_id = ${id} AND is_recorded = 1 AND id <= (
    SELECT id FROM alert_changes WHERE alert_id = ${id} ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_CHANGES}
  )`.execute(transaction);
}

function toAlertRow({ definition, sealedTargets, memory, lastCheck, maker, ...alert }: StoredAlert): AlertRow {
  return {
    ...toRow(alert),
    definition: JSON.stringify(definition),
    targets: sealedTargets,
    state: memory.state,
    memory: JSON.stringify(memory),
    last_check: lastCheck && JSON.stringify(lastCheck),
    checked_at: lastCheck?.at ?? null,
    maker: maker ?? null,
  };
}

function toAlert({ definition, targets, memory, last_check: lastCheck, maker, ...row }: AlertRow): StoredAlert {
  const { state: _, checked_at: __, ...rest } = row;
  return {
    ...fromRow(rest),
    definition: JSON.parse(definition),
    sealedTargets: targets,
    memory: JSON.parse(memory),
    lastCheck: lastCheck === null ? null : JSON.parse(lastCheck),
    ...(maker !== null && { maker }),
  };
}

function toChangeRow(tenantId: string, { from, to, notified, ...change }: StoredChange): ChangeRow {
  const states = { from_state: from, to_state: to };
  return { ...toRow(change), ...states, tenant_id: tenantId, is_notified: notified ? 1 : 0, is_recorded: 0 };
}

function toChange({ tenant_id: _, from_state: from, to_state: to, ...row }: ChangeRow): StoredChange {
  const { is_notified: notified, is_recorded: __, ...rest } = row;
  return { ...fromRow(rest), from, to, notified: notified === 1 };
}
