import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { jsonPointer } from '../../shared/known-names.ts';
import { KnownTenant, KnownTenants } from '../../shared/tenants.ts';
import { TenantColumns } from '../columns.ts';

/** Tenants of the flushes of one holder of the lease. No other node changes them. */
export class FlushTenants extends KnownTenants<TenantColumns> {
  private readonly savedColumns = new WeakMap<TenantColumns, number>();

  /** Gives new tenants a number. The former flush has saved what it learned. */
  async load(client: PostgresClient, tenantIds: string[]): Promise<void> {
    const missing = this.missing(tenantIds);
    if (missing.length === 0) return;
    await client.query(
      `INSERT INTO event_tenants (tenant_id, version, flush, columns) SELECT tenant_id, 0, 0, '{}' FROM unnest($1::text[]) AS t(tenant_id)
        ON CONFLICT DO NOTHING`,
      [missing],
    );
    const { rows } = await client.query<{ tenant_id: string; number: number; columns: string }>(
      'SELECT tenant_id, number, columns FROM event_tenants WHERE tenant_id = ANY($1)',
      [missing],
    );
    for (const row of rows) {
      const columns = new TenantColumns(row.columns);
      this.known.set(row.tenant_id, new KnownTenant(row.tenant_id, row.number, columns));
      this.savedColumns.set(columns, columns.size);
    }
    await this.loadNames(client, missing);
  }

  /** Before the insert: whatever becomes of it, a retry finds the same columns. */
  async saveColumns(transaction: PostgresClient, tenantIds: string[]): Promise<void> {
    const changed = [...new Set(tenantIds)]
      .map((tenantId) => this.tenant(tenantId))
      .filter(({ columns }) => columns.size !== this.savedColumns.get(columns));
    if (changed.length === 0) return;
    await transaction.query(
      `UPDATE event_tenants SET columns = changed.columns
        FROM unnest($1::text[], $2::text[]) AS changed(tenant_id, columns) WHERE event_tenants.tenant_id = changed.tenant_id`,
      [changed.map(({ tenantId }) => tenantId), changed.map(({ columns }) => String(columns))],
    );
    for (const { columns } of changed) this.savedColumns.set(columns, columns.size);
  }

  private async loadNames(client: PostgresClient, tenantIds: string[]): Promise<void> {
    const { rows: events } = await client.query<{ tenant_id: string; agent_id: string; event_name: string }>(
      'SELECT tenant_id, agent_id, event_name FROM event_names WHERE tenant_id = ANY($1)',
      [tenantIds],
    );
    for (const { tenant_id, agent_id, event_name } of events) this.tenant(tenant_id).eventNames(agent_id, event_name);
    const { rows } = await client.query<{
      tenant_id: string;
      agent_id: string;
      event_name: string;
      path: string;
      types: number;
    }>('SELECT tenant_id, agent_id, event_name, path, types FROM event_properties WHERE tenant_id = ANY($1)', [
      tenantIds,
    ]);
    for (const { tenant_id, agent_id, event_name, path: json, types } of rows) {
      const path = JSON.parse(json) as PropertyPath;
      this.tenant(tenant_id)
        .eventNames(agent_id, event_name)
        ?.note({ path, pointer: jsonPointer(path) }, types);
    }
  }
}
