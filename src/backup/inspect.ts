import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { EVENTS_VERSION } from '../storage/events/duckdb/tables.ts';
import { installationIn as idOfEvents } from '../storage/events/duckdb/upkeep/file-checks.ts';
import { EVENTS_FILE, KNOWLEDGE_FILE, SPOOL_FILE, STATE_FILE } from '../storage/installation/names.ts';
import { versionOf } from '../storage/knowledge/sqlite/schema.ts';
import { otherVersion } from '../storage/state/schema/index.ts';
import { installationInState } from '../storage/state/sqlite/identity.ts';
import { SQLITE } from '../storage/state/sqlite/schema.ts';
import type { Manifest } from './manifest.ts';

export type Inspected = Pick<Manifest, 'events' | 'schema'> & { installationId: string };

/** Null if this version can restore it. */
export function ageOf({ state, events }: Manifest['schema']): 'a newer' | 'an older' | null {
  const age = otherVersion([state], SQLITE)?.is;
  if (events > EVENTS_VERSION || age === 'newer') return 'a newer';
  return events < EVENTS_VERSION || age === 'older' ? 'an older' : null;
}

/** Counts stored and spooled events. Throws for damage and for mixed installations. */
export async function inspect(directory: string): Promise<Inspected> {
  const ids = new Set<string | null>();
  const state = withSqlite(join(directory, STATE_FILE), (database) => {
    checkIntegrity(database);
    ids.add(installationInState(database));
    return database.prepare<[], { name: string }>('SELECT name FROM kysely_migration ORDER BY name DESC LIMIT 1').get()!
      .name;
  });
  const { spoolId, waitingAfter } = withSqlite(join(directory, SPOOL_FILE), (database) => {
    checkIntegrity(database);
    ids.add(installationInState(database));
    return {
      spoolId: database.prepare<[], { id: string }>('SELECT id FROM spool').get()!.id,
      waitingAfter: database
        .prepare<[], { position: number; events: number }>(
          'SELECT position, CASE json_valid(events) WHEN 1 THEN json_array_length(events) ELSE 0 END AS events FROM batches',
        )
        .all(),
    };
  });
  // Absent without documents.
  const knowledge = join(directory, KNOWLEDGE_FILE);
  if (existsSync(knowledge)) ids.add(withSqlite(knowledge, checkKnowledge));
  const { version, stored, flushed, id } = await inspectEvents(join(directory, EVENTS_FILE), spoolId);
  const [installationId = null, ...others] = ids.add(id);
  if (installationId === null) throw new Error('its databases carry no id of an installation');
  if (others.length > 0) throw new Error('its databases are of several installations');
  const waiting = waitingAfter.filter(({ position }) => position > flushed);
  return {
    events: waiting.reduce((sum, { events }) => sum + events, stored),
    schema: { state, events: version },
    installationId,
  };
}

async function inspectEvents(path: string, spoolId: string) {
  if (!existsSync(path)) throw new Error(`${path} is missing`);
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const number = async (sql: string, values: string[] = []) =>
    Number((await connection.runAndReadAll(sql, values)).getRows()[0]?.[0] ?? 0);
  try {
    const reader = await connection.runAndReadAll(
      "SELECT table_name FROM duckdb_tables() WHERE table_name IN ('hot', 'cold')",
    );
    let stored = 0;
    for (const [table] of reader.getRows()) stored += await number(`SELECT count(*) FROM ${String(table)}`);
    return {
      stored,
      id: await idOfEvents(connection),
      version: await number('SELECT max(version) FROM schema_version'),
      flushed: await number('SELECT position FROM flushed WHERE spool_id = $1', [spoolId]),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** VACUUM: free pages may hold erased data. */
export function compactBackup(directory: string): void {
  for (const name of [STATE_FILE, SPOOL_FILE]) withSqlite(join(directory, name), (database) => database.exec('VACUUM'));
}

function withSqlite<Result>(path: string, use: (database: Database) => Result): Result {
  const database = new BetterSqlite3(path, { fileMustExist: true });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

function checkKnowledge(database: Database): string | null {
  checkIntegrity(database);
  versionOf(database);
  return installationInState(database);
}

function checkIntegrity(database: Database): void {
  const found = database.pragma('integrity_check(1)', { simple: true });
  if (found !== 'ok') throw new Error(`${database.name}: ${String(found)}`);
}
