import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { readNumber, readTexts, tableNames } from '../read/rows.ts';
import { FROM_VERSION_2, FROM_VERSION_3, SCHEMA } from '../tables.ts';
import type { SpooledBatch } from '../write/spool.ts';
import { refuseNewer } from './file-checks.ts';

/** Renames the events of version 1 for `earlierEvents`. */
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

const EARLIER_EVENTS = 'events_1';
const IMPORT_EVENTS = 10_000;

export interface EarlierEvents {
  batches: SpooledBatch[];
  remove: string;
}

/** Null: none are left. They are flushed like new events, so their names are counted. */
export async function earlierEvents(connection: DuckDBConnection): Promise<EarlierEvents | null> {
  if (!(await tableNames(connection)).has(EARLIER_EVENTS)) return null;
  const rows = await readTexts(connection, {
    sql: `SELECT json_array(rowid, tenant_id, id, agent_id, event_name, timestamp, thread_id, execution_id, properties)::VARCHAR
      FROM ${EARLIER_EVENTS} ORDER BY rowid LIMIT ${IMPORT_EVENTS}`,
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

/** 0 for a new file. */
export async function versionOf(connection: DuckDBConnection): Promise<number> {
  if (!(await tableNames(connection)).has('schema_version')) return 0;
  return readNumber(connection, 'SELECT max(version) FROM schema_version');
}

async function snapshot(connection: DuckDBConnection, path: string): Promise<void> {
  await connection.run('CHECKPOINT');
  const directory = join(dirname(path), 'snapshots');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const copy = join(
    directory,
    `${basename(path, '.duckdb')}-of-version-1-${new Date().toISOString().replaceAll(':', '')}.duckdb`,
  );
  // Renamed when complete, as a crash may truncate the copy.
  copyFileSync(path, `${copy}.partial`);
  renameSync(`${copy}.partial`, copy);
}
