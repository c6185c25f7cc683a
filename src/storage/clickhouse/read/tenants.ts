import { LRUCache } from 'lru-cache';
import type { PostgresClient } from '../../postgres/pool.ts';
import { TenantColumns } from '../columns.ts';

/** A tenant at one moment: all of its events up to `flush` are visible, and no others. */
export interface VisibleTenant {
  number: number;
  flush: number;
  columns: TenantColumns | null;
  /** Another one after each change of its events. */
  version: string;
}

/** No event of the tenant was ever stored. */
const NO_TENANT: VisibleTenant = { number: 0, flush: 0, columns: null, version: '' };

const MAX_TENANTS = 10_000;

interface Known {
  number: number;
  length: number;
  columns: TenantColumns;
}

/** Reads the state that a query sees; columns are parsed when they have changed. */
export class VisibleTenants {
  private readonly pool: PostgresClient;
  private readonly known = new LRUCache<string, Known>({ max: MAX_TENANTS });

  constructor(pool: PostgresClient) {
    this.pool = pool;
  }

  async read(tenantId: string): Promise<VisibleTenant> {
    const known = this.known.get(tenantId);
    const { rows } = await this.pool.query<{ number: number; version: number; flush: number; columns: string | null }>(
      // Columns are only ever added.
      `SELECT number, version, flush, CASE WHEN number = $2 AND octet_length(columns) = $3 THEN NULL ELSE columns END AS columns
        FROM event_tenants WHERE tenant_id = $1`,
      [tenantId, known?.number ?? 0, known?.length ?? 0],
    );
    const [row] = rows;
    if (!row) return NO_TENANT;
    const { number, version, flush } = row;
    const columns = row.columns === null ? known!.columns : this.parsed(tenantId, number, row.columns);
    return { number, flush, columns, version: `${number}:${version}` };
  }

  private parsed(tenantId: string, number: number, text: string): TenantColumns {
    const columns = new TenantColumns(text);
    this.known.set(tenantId, { number, length: Buffer.byteLength(text), columns });
    return columns;
  }
}
