import type { DuckDBConnection } from '@duckdb/node-api';
import type { KnownEvent } from '../../../../core/analytics/events/store.ts';
import type { SeenNames } from '../../shared/seen-names.ts';
import { DUCKDB } from '../read/sql.ts';

/** Keeps a statement's JSON within a few megabytes. */
const SLICE_ROWS = 5_000;

/** Runs in the transaction of the events. */
export async function saveSeenNames(connection: DuckDBConnection, { events, properties }: SeenNames): Promise<void> {
  const numbered = <Row extends { tenant: { number: number } }>({ tenant: { number }, ...row }: Row) => ({
    ...row,
    tenant: number,
  });
  await runWithRows(connection, ADD_EVENTS, events.map(numbered));
  await runWithRows(connection, ADD_PROPERTIES, properties.map(numbered));
}

/** The statement's only parameter is the JSON of rows. */
export async function runWithRows(connection: DuckDBConnection, sql: string, rows: object[]): Promise<void> {
  for (let start = 0; start < rows.length; start += SLICE_ROWS) {
    await connection.run(sql, [JSON.stringify(rows.slice(start, start + SLICE_ROWS))]);
  }
}

const ADD_EVENTS = `INSERT INTO known_events
  SELECT r.tenant, r."agentId", r."eventName", r.events, r."firstSeen", r."lastSeen" FROM (SELECT unnest(from_json($1,
    '[{"tenant":"INTEGER","agentId":"VARCHAR","eventName":"VARCHAR","events":"BIGINT","firstSeen":"BIGINT","lastSeen":"BIGINT"}]')) AS r)
  ON CONFLICT DO UPDATE SET events = events + excluded.events,
    first_seen = least(first_seen, excluded.first_seen), last_seen = greatest(last_seen, excluded.last_seen)`;

const ADD_PROPERTIES = `INSERT INTO known_properties (tenant, agent_id, event_name, path, type)
  SELECT r.tenant, r."agentId", r."eventName", r.path, r.type FROM (SELECT unnest(from_json($1,
    '[{"tenant":"INTEGER","agentId":"VARCHAR","eventName":"VARCHAR","path":"VARCHAR","type":"VARCHAR"}]')) AS r)`;

export async function knownEvents(
  connection: DuckDBConnection,
  tenant: number,
  agentId: string | null,
): Promise<KnownEvent[]> {
  const ofAgent = agentId === null ? '' : ` AND agent_id = ${DUCKDB.text(agentId)}`;
  const reader = await connection.runAndReadAll(
    `SELECT agent_id, event_name, events, first_seen, last_seen
    FROM known_events WHERE tenant = ${tenant}${ofAgent} ORDER BY last_seen DESC, event_name`,
  );
  return reader.getRows().map(([agent, name, ...numbers]) => {
    const [events, firstSeen, lastSeen] = numbers.map(Number) as [number, number, number];
    return { agentId: String(agent), eventName: String(name), events, firstSeen, lastSeen };
  });
}
