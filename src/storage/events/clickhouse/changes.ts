import { RESERVED_EVENT_PREFIX } from '../../../core/analytics/events/fields.ts';
import type { PostgresClient } from '../../state/postgres/pool.ts';
import { dayOf, daysOf, type Reach } from '../shared/reach.ts';
import type { SpooledBatch } from './write/spool.ts';

/** The name of changes that concern every name and day. No event has it. */
const ALL = '';

/** Notes the version of each tenant at its last change, by name and day (UTC). */
export async function noteAdded(
  transaction: PostgresClient,
  batches: Pick<SpooledBatch, 'tenantId' | 'events'>[],
): Promise<void> {
  const rows = new Map<string, [tenantId: string, name: string, day: number]>();
  for (const { tenantId, events } of batches) {
    for (const { event } of events) {
      const row: [string, string, number] = [tenantId, String(event?.eventName), dayOf(Number(event?.timestamp)) || 0];
      rows.set(row.join('\0'), row);
    }
  }
  await note(transaction, [...rows.values()]);
}

/** Events of the tenant went, and maybe the last of a name. */
export async function noteRemoved(transaction: PostgresClient, tenantId: string): Promise<void> {
  await transaction.query('DELETE FROM event_changes WHERE tenant_id = $1', [tenantId]);
  await note(transaction, [[tenantId, ALL, 0]]);
}

/** A node of an earlier release notes nothing: `noted` is then behind the version. */
async function note(transaction: PostgresClient, rows: [tenantId: string, name: string, day: number][]) {
  const columns = [0, 1, 2].map((at) => rows.map((row) => row[at]));
  await transaction.query(
    `INSERT INTO event_changes (tenant_id, event_name, day, version)
      SELECT tenant_id, event_name, day, version
        FROM unnest($1::text[], $2::text[], $3::integer[]) AS changed (tenant_id, event_name, day) JOIN event_tenants USING (tenant_id)
      UNION SELECT tenant_id, '${ALL}', 0, version FROM event_tenants WHERE tenant_id = ANY($1::text[]) AND noted <> version - 1
      ON CONFLICT (tenant_id, event_name, day) DO UPDATE SET version = excluded.version`,
    columns,
  );
  await transaction.query('UPDATE event_tenants SET noted = version WHERE tenant_id = ANY($1::text[])', [columns[0]]);
}

/** Whether an event within the reach was added or removed after a version of the tenant. */
export async function hasChanged(
  client: PostgresClient,
  tenantId: string,
  { since, reach }: { since: number; reach: Reach[] },
): Promise<boolean> {
  const values: unknown[] = [tenantId, since];
  const within = reach.map((one) => conditionOf(one, values));
  const { rows } = await client.query<{ changed: boolean }>(
    `SELECT EXISTS (SELECT FROM event_changes
        WHERE tenant_id = $1 AND version > $2 AND (event_name = '${ALL}' OR ${within.join(' OR ')}))
      OR EXISTS (SELECT FROM event_tenants WHERE tenant_id = $1 AND noted <> version) AS changed`,
    values,
  );
  return rows[0]!.changed;
}

function conditionOf({ names, includesOwn, ...range }: Reach, values: unknown[]): string {
  const { first, last } = daysOf(range);
  const conditions = [
    ...(names === null ? [] : [`event_name = ANY($${values.push(names)}::text[])`]),
    ...(names === null && !includesOwn ? [`NOT starts_with(event_name, $${values.push(RESERVED_EVENT_PREFIX)})`] : []),
    ...(Number.isFinite(first) ? [`day >= $${values.push(first)}`] : []),
    ...(Number.isFinite(last) ? [`day <= $${values.push(last)}`] : []),
  ];
  return `(${conditions.join(' AND ') || 'true'})`;
}
