import type { CardChanges, StoredCard, StoredTab } from '../../../../core/analytics/dashboards/store.ts';
import { withoutUndefined } from '../../../../core/base/json-schema/values.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateTransaction } from '../database.ts';
import { fromRow, toRow } from '../rows.ts';

export type CardRow = StateTables['dashboard_cards'];
export type TabRow = StateTables['dashboard_tabs'];

export function columnsOf({ config, gridLayout, ...changes }: CardChanges): Partial<CardRow> {
  return withoutUndefined({
    ...toRow(changes),
    config: config === undefined ? undefined : JSON.stringify(config),
    grid_layout: gridLayout ? JSON.stringify(gridLayout) : gridLayout,
  }) as Partial<CardRow>;
}

export function toCard({ tenant_id: _, ...row }: CardRow): StoredCard {
  const { config, gridLayout, ...card } = fromRow(row);
  return { ...card, config: JSON.parse(config), gridLayout: gridLayout === null ? null : JSON.parse(gridLayout) };
}

export function toTab({ tenant_id: _, ...row }: TabRow): StoredTab {
  return fromRow(row);
}

/** Its cards stay, without a tab. */
export async function removeTab(transaction: StateTransaction, tenantId: string, id: string): Promise<boolean> {
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
}
