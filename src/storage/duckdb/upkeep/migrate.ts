import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { readTexts } from '../read/rows.ts';
import { FROM_VERSION_2, FROM_VERSION_3, SCHEMA } from '../tables.ts';
import type { SpooledBatch } from '../write/spool.ts';
import { refuseNewer } from './file-checks.ts';

/** Makes the tables of this version. What version 1 left is set aside under another name, to be taken in. */
export async function migrateTables(connection: DuckDBConnection, path: string): Promise<void> {
  const version = await versionOf(connection);
  refuseNewer(path, version);
  if (version === 0) await connection.run(`BEGIN; ${SCHEMA} COMMIT;`);
  if (version === 1) {
    await snapshot(connection, path);
    await connection.run(`BEGIN; ${SET_ASIDE_VERSION_1} ${SCHEMA} COMMIT;`);
  }
  if (version === 2) await connection.run(`BEGIN; ${FROM_VERSION_2} ${FROM_VERSION_3} COMMIT;`);
  if (version === 3) await connection.run(`BEGIN; ${FROM_VERSION_3} COMMIT;`);
}

/** The events of version 1. */
const EARLIER_EVENTS = 'events_1';
/** Events that are taken in at once. */
const TAKE_IN = 10_000;

/** Some events of an earlier version, and what removes them there once they are in. */
export interface EarlierEvents {
  batches: SpooledBatch[];
  remove: string;
}

/** Null: none are left. Names and counts come from the events themselves, as if they arrived. */
export async function earlierEvents(connection: DuckDBConnection): Promise<EarlierEvents | null> {
  const found = await connection.runAndReadAll(`SELECT 1 FROM duckdb_tables() WHERE table_name = '${EARLIER_EVENTS}'`);
  if (found.currentRowCount === 0) return null;
  const rows = await readTexts(connection, {
    sql: `SELECT json_array(rowid, tenant_id, id, agent_id, event_name, timestamp, thread_id, execution_id, properties)::VARCHAR
      FROM ${EARLIER_EVENTS} ORDER BY rowid LIMIT ${TAKE_IN}`,
    params: [],
  });
  const events = rows.map((row) => JSON.parse(row) as EarlierRow);
  const last = events.at(-1)?.[0];
  if (last === undefined) return { batches: [], remove: `DROP TABLE ${EARLIER_EVENTS}` };
  return {
    batches: events.map(([, tenantId, id, agentId, eventName, timestamp, threadId, executionId, properties]) => ({
      position: 0,
      arrivedAt: timestamp,
      tenantId,
      size: properties.length,
      events: [{ id, idFromCaller: false, agentId, eventName, timestamp, threadId, executionId, properties }],
    })),
    remove: `DELETE FROM ${EARLIER_EVENTS} WHERE rowid <= ${last}`,
  };
}

type EarlierRow = [
  rowid: number,
  tenantId: string,
  id: string,
  agentId: string,
  eventName: string,
  timestamp: number,
  threadId: string | null,
  executionId: string | null,
  properties: string,
];

const SET_ASIDE_VERSION_1 = `
  ALTER TABLE events RENAME TO ${EARLIER_EVENTS};
  DROP TABLE known_events; DROP TABLE known_properties; DROP SEQUENCE property_order; DROP TABLE schema_version;`;

async function versionOf(connection: DuckDBConnection): Promise<number> {
  const tables = await connection.runAndReadAll("SELECT 1 FROM duckdb_tables() WHERE table_name = 'schema_version'");
  if (tables.currentRowCount === 0) return 0;
  const found = await connection.runAndReadAll('SELECT max(version) FROM schema_version');
  return Number(found.getRows()[0]?.[0] ?? 0);
}

/** A copy of what is about to change. */
async function snapshot(connection: DuckDBConnection, path: string): Promise<void> {
  await connection.run('CHECKPOINT');
  const directory = join(dirname(path), 'snapshots');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const copy = join(
    directory,
    `${basename(path, '.duckdb')}-of-version-1-${new Date().toISOString().replaceAll(':', '')}.duckdb`,
  );
  // Under another name until it is whole: a copy that a crash cut short must not look like one.
  copyFileSync(path, `${copy}.partial`);
  renameSync(`${copy}.partial`, copy);
}
