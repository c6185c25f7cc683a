import type { Selectable } from 'kysely';
import type { DashboardLinkStore, StoredLink } from '../../../../core/analytics/dashboards/links/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { fromRow, jsonOrNull, parsedOrNull, toRow } from '../rows.ts';
import { violationAsResult } from '../violations.ts';

export class SqlDashboardLinkStore implements DashboardLinkStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async add(link: StoredLink) {
    const row = { ...toRow(link), limits: jsonOrNull(link.limits) };
    const added = this.database.insertInto('dashboard_links').values(row).execute();
    return violationAsResult(
      added.then(() => 'added' as const),
      { 'foreign key': 'unknown tab' } as const,
    );
  }

  async find(secretHash: string, now: number): Promise<StoredLink | null> {
    const row = await this.database
      .selectFrom('dashboard_links')
      .selectAll()
      .where('secret_hash', '=', secretHash)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
      .executeTakeFirst();
    return row ? toLink(row) : null;
  }

  async list(tenantId: string, tabId: string): Promise<StoredLink[]> {
    const rows = await this.database
      .selectFrom('dashboard_links')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('tab_id', '=', tabId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toLink);
  }

  async count(tenantId: string): Promise<number> {
    const { total } = await this.database
      .selectFrom('dashboard_links')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow();
    return total;
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const removed = this.database.deleteFrom('dashboard_links').where('tenant_id', '=', tenantId).where('id', '=', id);
    return (await removed.executeTakeFirst()).numDeletedRows === 1n;
  }

  async setUsed(tenantId: string, id: string, at: number): Promise<void> {
    await this.database
      .updateTable('dashboard_links')
      .set({ last_used_at: at })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute();
  }
}

function toLink(row: Selectable<StateTables['dashboard_links']>): StoredLink {
  return { ...fromRow(row), limits: parsedOrNull(row.limits) };
}
