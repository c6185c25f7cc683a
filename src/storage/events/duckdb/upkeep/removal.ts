import type { DuckDBConnection } from '@duckdb/node-api';
import { observedTransaction, type StageObserver } from '../observer.ts';
import { eventsOf } from '../tables.ts';
import type { Transact } from '../transactions.ts';
import type { TenantPaths } from '../write/learned.ts';

/** Removals exclude compaction, so every run is complete. */
const EVERY_RUN = 2 ** 31 - 1;

export type Removed = { threadId: string } | { executionIds: string[] } | { before: number };

export function removeTenant(
  transact: Transact,
  { number, tenantId }: TenantPaths,
  observer: StageObserver,
): Promise<number> {
  return observedTransaction(transact, 'erase', observer, async (connection) => {
    await connection.run('INSERT INTO ids_to_forget VALUES ($1, NULL)', [tenantId]);
    const events = await deleteEvents(connection, `tenant = ${number}`, []);
    for (const table of ['known_events', 'known_properties', 'learned']) {
      await connection.run(`DELETE FROM ${table} WHERE tenant = ${number}`);
    }
    await connection.run(`DELETE FROM tenants WHERE number = ${number}`);
    return events;
  });
}

export interface EventName {
  agentId: string;
  eventName: string;
}

/** `vanished`: names without events left. */
export async function removeEvents(
  transact: Transact,
  { number, tenantId, listedAll }: TenantPaths,
  removed: Removed,
  observer: StageObserver,
): Promise<{ events: number; vanished: EventName[] }> {
  let vanished: EventName[] = [];
  const events = await observedTransaction(transact, 'erase', observer, async (connection) => {
    const [condition, value] = conditionOf(removed);
    // Ids of expired events stay: resent events must not be stored again.
    if (!('before' in removed)) {
      const source = eventsOf(number, EVERY_RUN, ['id', 'thread_id', 'execution_id']);
      const erased = `SELECT $2, id FROM ${source} WHERE ${condition}`;
      await connection.run(`INSERT INTO ids_to_forget ${erased}`, [value, tenantId]);
    }
    const count = await deleteEvents(connection, `tenant = ${number} AND ${condition}`, [value]);
    if (count > 0) {
      await recount(connection, number, listedAll);
      vanished = await removeVanished(connection, number);
    }
    return count;
  });
  return { events, vanished };
}

/** For `hot`, `cold` and `eventsOf`; `$1` is the value. */
function conditionOf(removed: Removed): [condition: string, value: string | bigint] {
  if ('before' in removed) return ['timestamp < $1', BigInt(removed.before)];
  if ('threadId' in removed) return ['thread_id = $1', removed.threadId];
  const given = `SELECT unnest(from_json($1, '["VARCHAR"]'))`;
  return [`thread_id IS NULL AND execution_id IN (${given})`, JSON.stringify(removed.executionIds)];
}

/** Saved in the erasure's transaction: a crash loses none. `ids` null: all of the tenant. */
export async function idsToForget(connection: DuckDBConnection): Promise<{ tenantId: string; ids: string[] | null }[]> {
  const reader = await connection.runAndReadAll(
    'SELECT tenant_id, bool_or(id IS NULL), list(id) FILTER (id IS NOT NULL)::JSON::VARCHAR FROM ids_to_forget GROUP BY tenant_id',
  );
  return reader.getRows().map(([tenantId, whole, ids]) => ({
    tenantId: String(tenantId),
    ids: whole === true ? null : (JSON.parse(String(ids)) as string[]),
  }));
}

/** Null for a tenant with more names than are listed. */
export async function firstSeen(connection: DuckDBConnection): Promise<[tenantId: string, epochMs: number | null][]> {
  const reader = await connection.runAndReadAll(`
    SELECT tenant_id, CASE WHEN listed_all THEN min(first_seen) END FROM tenants LEFT JOIN known_events ON tenant = number
    GROUP BY tenant_id, listed_all HAVING NOT listed_all OR count(first_seen) > 0`);
  return reader.getRows().map(([tenantId, first]) => [String(tenantId), first === null ? null : Number(first)]);
}

/** Recounts the runs, so that runs that became small are merged. */
async function deleteEvents(
  connection: DuckDBConnection,
  condition: string,
  values: (string | bigint)[],
): Promise<number> {
  const hot = await connection.run(`DELETE FROM hot WHERE ${condition}`, values);
  const cold = await connection.run(`DELETE FROM cold WHERE ${condition}`, values);
  if (cold.rowsChanged > 0) await recountRuns(connection);
  return hot.rowsChanged + cold.rowsChanged;
}

async function recountRuns(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `UPDATE runs SET events = coalesce((SELECT count(*) FROM cold WHERE cold.run = runs.run), 0);
     DELETE FROM runs WHERE events = 0`,
  );
}

async function recount(connection: DuckDBConnection, tenant: number, listedAll: boolean): Promise<void> {
  const source = eventsOf(tenant, EVERY_RUN, ['agent_id', 'event_name', 'timestamp']);
  const listed = listedAll ? '' : 'WHERE (agent_id, event_name) IN (SELECT (agent_id, event_name) FROM listed)';
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE listed AS SELECT agent_id, event_name FROM known_events WHERE tenant = ${tenant};
    CREATE OR REPLACE TEMP TABLE counted AS
      SELECT agent_id, event_name, count(*) AS events, min(timestamp) AS first_seen, max(timestamp) AS last_seen
      FROM ${source} ${listed} GROUP BY agent_id, event_name;
    DELETE FROM known_events WHERE tenant = ${tenant}
      AND (agent_id, event_name) NOT IN (SELECT (agent_id, event_name) FROM counted);
    UPDATE known_events SET events = counted.events, first_seen = counted.first_seen, last_seen = counted.last_seen
      FROM counted WHERE known_events.tenant = ${tenant} AND known_events.agent_id = counted.agent_id
      AND known_events.event_name = counted.event_name;
    DROP TABLE listed; DROP TABLE counted`);
}

async function removeVanished(connection: DuckDBConnection, tenant: number): Promise<EventName[]> {
  const vanished = `tenant = ${tenant} AND
    (agent_id, event_name) NOT IN (SELECT (agent_id, event_name) FROM known_events WHERE tenant = ${tenant})`;
  const names = `SELECT DISTINCT agent_id, event_name FROM known_properties WHERE ${vanished}`;
  const reader = await connection.runAndReadAll(names);
  await connection.run(`DELETE FROM known_properties WHERE ${vanished}`);
  return reader.getRows().map(([agentId, eventName]) => ({ agentId: String(agentId), eventName: String(eventName) }));
}
