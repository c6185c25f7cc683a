import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import type { KnownEvent, KnownProperty } from '../../../../core/analytics/events/store.ts';
import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { knownProperties } from '../../shared/known-names.ts';

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
