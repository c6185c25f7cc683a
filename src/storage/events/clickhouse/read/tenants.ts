import { LRUCache } from 'lru-cache';
import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import { EVENTS_LATE_AFTER_MS, type KnownEvent, type KnownProperty } from '../../../../core/analytics/events/store.ts';
import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { knownProperties } from '../../shared/known-names.ts';
import { TenantColumns } from '../columns.ts';
import { SPOOL_NOW_MS } from '../write/spool.ts';

/** A tenant at one moment: all of its events up to `flush` are visible, and no others. */
interface VisibleTenant {
  number: number;
  flush: number;
  columns: TenantColumns | null;
  /** Higher after each change of its events. */
  version: number;
  /**
   * Epoch milliseconds: what was accepted since then should be visible and is not; null if nothing
   * is late.
   */
  lateSince: number | null;
}

/** No event of the tenant was ever stored. */
const NO_TENANT = { number: 0, flush: 0, columns: null, version: 0 };

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
          (SELECT CASE WHEN arrived_at < ${SPOOL_NOW_MS} - ${EVENTS_LATE_AFTER_MS} THEN arrived_at END
            FROM event_spool ORDER BY position LIMIT 1) AS "lateSince"
        FROM (SELECT 1) AS always LEFT JOIN event_tenants ON tenant_id = $1`,
      [tenantId, known?.number ?? 0, known?.length ?? 0],
    );
    const { number, version, flush, lateSince, ...row } = rows[0]!;
    if (number === null) return { ...NO_TENANT, lateSince };
    const columns = row.columns === null ? known!.columns : this.parsed(tenantId, number, row.columns);
    return { number, flush, columns, version, lateSince };
  }

  private parsed(tenantId: string, number: number, text: string): TenantColumns {
    const columns = new TenantColumns(text);
    this.known.set(tenantId, { number, length: Buffer.byteLength(text), columns });
    return columns;
  }
}

export async function knownEvents(
  client: PostgresClient,
  tenantId: string,
  agentId: string | null,
): Promise<KnownEvent[]> {
  const { rows } = await client.query<KnownEvent>(
    `SELECT agent_id AS "agentId", event_name AS "eventName", events, first_seen AS "firstSeen", last_seen AS "lastSeen"
      FROM event_names WHERE tenant_id = $1 AND ($2::text IS NULL OR agent_id = $2) ORDER BY last_seen DESC, event_name`,
    [tenantId, agentId],
  );
  return rows;
}

export async function knownPropertiesOf(
  client: PostgresClient,
  tenantId: string,
  { agentId, eventNames }: { agentId: string | null; eventNames: string[] },
): Promise<KnownProperty[]> {
  const { rows } = await client.query<{ path: string; bits: number; order: number }>(
    `SELECT path, bit_or(types) AS bits, min(seen_order) AS order FROM event_properties
      WHERE tenant_id = $1 AND ($2::text IS NULL OR agent_id = $2) AND event_name = ANY($3::text[]) GROUP BY path`,
    [tenantId, agentId, eventNames],
  );
  return knownProperties(rows.map((row) => ({ ...row, path: JSON.parse(row.path) as PropertyPath })));
}
