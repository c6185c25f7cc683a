import type { PostgresClient } from '../../../state/postgres/pool.ts';

export type Counted = [agentId: string, eventName: string, events: number, firstSeen: number, lastSeen: number];

export async function removeNames(transaction: PostgresClient, tenantId: string): Promise<void> {
  for (const table of ['event_names', 'event_properties']) {
    await transaction.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
  }
}

/** Names beyond the limit of listed ones stay unlisted. */
export async function recount(transaction: PostgresClient, tenantId: string, counts: Counted[]): Promise<void> {
  await transaction.query(
    `UPDATE event_names AS known SET events = counted.events, first_seen = counted.first, last_seen = counted.last
      FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[]) AS counted(agent_id, event_name, events, first, last)
      WHERE known.tenant_id = $1 AND known.agent_id = counted.agent_id AND known.event_name = counted.event_name`,
    [tenantId, ...[0, 1, 2, 3, 4].map((column) => counts.map((row) => row[column]))],
  );
  for (const table of ['event_names', 'event_properties']) {
    await transaction.query(
      `DELETE FROM ${table} AS known WHERE tenant_id = $1 AND NOT EXISTS
        (SELECT FROM unnest($2::text[], $3::text[]) AS counted(agent_id, event_name)
          WHERE known.agent_id = counted.agent_id AND known.event_name = counted.event_name)`,
      [tenantId, counts.map(([agentId]) => agentId), counts.map(([, eventName]) => eventName)],
    );
  }
}
