import { LRUCache } from 'lru-cache';
import { LATE_MS } from '../../../../core/analytics/events/store.ts';
import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { TenantColumns } from '../columns.ts';
import { NOW_MS } from '../write/spool.ts';

/** A tenant at one moment: all of its events up to `flush` are visible, and no others. */
export interface VisibleTenant {
  number: number;
  flush: number;
  columns: TenantColumns | null;
  /** Another one after each change of its events. */
  version: string;
  /**
   * Epoch milliseconds: what was accepted since then should be visible and is not; null if nothing
   * is late.
   */
  lateSince: number | null;
}

/** No event of the tenant was ever stored. */
const NO_TENANT = { number: 0, flush: 0, columns: null, version: '' };

const MAX_TENANTS = 10_000;

interface Known {
  number: number;
  length: number;
  columns: TenantColumns;
}

type TenantRow = { columns: string | null; lateSince: number | null } & (
  | { number: number; version: number; flush: number }
  | { number: null; version: null; flush: null }
);

/** Reads the state that a query sees; columns are parsed when they have changed. */
export class VisibleTenants {
  private readonly pool: PostgresClient;
  private readonly known = new LRUCache<string, Known>({ max: MAX_TENANTS });

  constructor(pool: PostgresClient) {
    this.pool = pool;
  }

  async read(tenantId: string): Promise<VisibleTenant> {
    const known = this.known.get(tenantId);
    const { rows } = await this.pool.query<TenantRow>(
      // Columns are only ever added.
      `SELECT number, version, flush, CASE WHEN number = $2 AND octet_length(columns) = $3 THEN NULL ELSE columns END AS columns,
          (SELECT CASE WHEN arrived_at < ${NOW_MS} - ${LATE_MS} THEN arrived_at END
            FROM event_spool ORDER BY position LIMIT 1) AS "lateSince"
        FROM (SELECT 1) AS always LEFT JOIN event_tenants ON tenant_id = $1`,
      [tenantId, known?.number ?? 0, known?.length ?? 0],
    );
    const { number, version, flush, lateSince, ...row } = rows[0]!;
    if (number === null) return { ...NO_TENANT, lateSince };
    const columns = row.columns === null ? known!.columns : this.parsed(tenantId, number, row.columns);
    return { number, flush, columns, version: `${number}:${version}`, lateSince };
  }

  private parsed(tenantId: string, number: number, text: string): TenantColumns {
    const columns = new TenantColumns(text);
    this.known.set(tenantId, { number, length: Buffer.byteLength(text), columns });
    return columns;
  }
}
