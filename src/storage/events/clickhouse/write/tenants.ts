import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { jsonPointer } from '../../shared/known-names.ts';
import { PathNode, TenantColumns } from '../columns.ts';
import { KINDS } from '../schema.ts';
import { EventNames, type FlushTenant } from './known.ts';

/** Keys of a tenant that are kept in memory: keys may be data. */
const MAX_NODES = 100_000;
/** Names of all tenants; beyond them all are forgotten, and loaded again with their next events. */
const MAX_TENANTS = 2_000;
const MAX_NODES_IN_ALL = 500_000;

/** Tenants of the flushes of one holder of the lease. No other node changes them. */
export class FlushTenants {
  private readonly known = new Map<string, FlushTenant>();
  private readonly savedColumns = new Map<string, number>();

  /** After a failure, and when another node had the lease. */
  clear(): void {
    this.known.clear();
    this.savedColumns.clear();
  }

  forget(tenantId: string): void {
    this.known.delete(tenantId);
    this.savedColumns.delete(tenantId);
  }

  find(tenantId: string): FlushTenant {
    const tenant = this.known.get(tenantId);
    if (!tenant) throw new Error('The tenant of a batch is not loaded.');
    return tenant;
  }

  /** Gives new tenants a number. The former flush has saved what it learned. */
  async load(client: PostgresClient, tenantIds: string[]): Promise<void> {
    if (this.isFull) this.clear();
    const missing = [...new Set(tenantIds)].filter((tenantId) => !this.known.has(tenantId));
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
      this.known.set(row.tenant_id, {
        tenantId: row.tenant_id,
        number: row.number,
        columns,
        root: new PathNode(null, ''),
        room: { left: MAX_NODES },
        names: new Map(),
      });
      this.savedColumns.set(row.tenant_id, sizeOf(columns));
    }
    await this.loadNames(client, missing);
  }

  /** Before the insert: whatever becomes of it, a retry finds the same columns. */
  async saveColumns(transaction: PostgresClient, tenantIds: string[]): Promise<void> {
    for (const tenantId of new Set(tenantIds)) {
      const { columns } = this.find(tenantId);
      const size = sizeOf(columns);
      if (size === this.savedColumns.get(tenantId)) continue;
      await transaction.query('UPDATE event_tenants SET columns = $2 WHERE tenant_id = $1', [
        tenantId,
        String(columns),
      ]);
      this.savedColumns.set(tenantId, size);
    }
  }

  private get isFull(): boolean {
    const nodes = [...this.known.values()].reduce((sum, { room }) => sum + MAX_NODES - room.left, 0);
    return this.known.size >= MAX_TENANTS || nodes >= MAX_NODES_IN_ALL;
  }

  private async loadNames(client: PostgresClient, tenantIds: string[]): Promise<void> {
    const { rows: events } = await client.query<{ tenant_id: string; agent_id: string; event_name: string }>(
      'SELECT tenant_id, agent_id, event_name FROM event_names WHERE tenant_id = ANY($1)',
      [tenantIds],
    );
    for (const { tenant_id, agent_id, event_name } of events) {
      this.known.get(tenant_id)?.names.set(`${agent_id}\0${event_name}`, new EventNames());
    }
    const { rows } = await client.query<{
      tenant_id: string;
      agent_id: string;
      event_name: string;
      path: string;
      types: number;
    }>('SELECT tenant_id, agent_id, event_name, path, types FROM event_properties WHERE tenant_id = ANY($1)', [
      tenantIds,
    ]);
    for (const { tenant_id, agent_id, event_name, path, types } of rows) {
      const names = this.known.get(tenant_id)?.names.get(`${agent_id}\0${event_name}`);
      names?.add(jsonPointer(JSON.parse(path) as PropertyPath), types);
    }
  }
}

/** Columns are only ever added. */
function sizeOf(columns: TenantColumns): number {
  return KINDS.reduce((sum, kind) => sum + columns.used(kind), 0);
}
