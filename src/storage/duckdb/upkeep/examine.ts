import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Database } from 'better-sqlite3';
import { refuseForeign, type StoreIdentity } from '../../files/identity.ts';
import { EVENTS_FILE, EVENTS_LOG_FILE, SPOOL_FILE } from '../../files/names.ts';
import { damaged, isUnusableFile, statFile, UnusableFile } from '../../files/unusable.ts';
import { examineSqlite, hasTable } from '../../sqlite/examine/examine.ts';
import { installationIn } from '../identity.ts';
import type { EventIdentities } from '../parts.ts';
import { readTables, refuseCut, refuseNewer } from './file-checks.ts';

/*
 * Looks at the files of the event store without changing them. Opening them is not enough: SQLite takes an empty file
 * for a new one, and DuckDB silently leaves out what it cannot read at the end of its log.
 */

export interface SpoolFound {
  id: string | null;
  batches: number;
  /** The oldest batch that waits, or would be next; what is before it has been moved to the tables. */
  firstPosition: number;
}

export interface EventsFound {
  version: number;
  events: number;
}

export interface Examination {
  /** Reads everything, however long that takes. */
  thorough: boolean;
  /** Whom the store must belong to; not looked at where there is none. */
  identity?: StoreIdentity | undefined;
  /** Hears the share that is read, 0 to 1. */
  onProgress?: (share: number) => void;
}

export async function examineSpool(directory: string, options: Examination): Promise<SpoolFound | null> {
  return examineSqlite(join(directory, SPOOL_FILE), {
    ...options,
    // The last position is noted with the first flush: there was a spool that had something in it.
    mustHoldSomething: async () => (await readEvents(directory, async (events) => hasFlushed(events))) === true,
    read: readSpool,
  });
}

/** Reads every value of every table when `thorough`: each block has a checksum. Nobody may have the file open. */
export async function examineEvents(
  directory: string,
  spool: SpoolFound | null,
  { thorough, identity, onProgress = () => undefined }: Examination,
): Promise<EventsFound | null> {
  const path = join(directory, EVENTS_FILE);
  return readEvents(directory, async (events) => {
    await refuseCut(events, path);
    if (identity) refuseForeign(path, await installationIn(events), identity);
    const tables = await namesOfTables(events);
    const version = tables.has('schema_version')
      ? await numberFrom(events, 'SELECT max(version) FROM schema_version')
      : 0;
    refuseNewer(path, version);
    if (statFile(join(directory, EVENTS_LOG_FILE))) await checkLog(directory, events, spool);
    if (thorough) await readTables(events, tables, onProgress);
    let count = 0;
    for (const table of ['hot', 'cold', 'events', 'events_1'].filter((name) => tables.has(name))) {
      count += await numberFrom(events, `SELECT count(*) FROM ${table}`);
    }
    return { version, events: count };
  });
}

/** Whether any event was ever accepted in this directory, as far as its spool can tell. */
export async function hasAccepted(directory: string): Promise<boolean> {
  return isUsed(await examineSpool(directory, { thorough: false }));
}

/** Whether events ever went through it. */
export function isUsed(spool: SpoolFound | null): boolean {
  return spool !== null && (spool.batches > 0 || spool.firstPosition > 1);
}

/** What must be so before the store is opened. Its log is looked at only where a crash left one. */
export async function examineStore(directory: string, identities?: EventIdentities): Promise<void> {
  const spool = await examineSpool(directory, { thorough: false, identity: identities?.spool });
  const events = statFile(join(directory, EVENTS_FILE));
  const log = statFile(join(directory, EVENTS_LOG_FILE));
  if (events && log && !isMidCheckpoint(directory))
    await examineEvents(directory, spool, { thorough: false, identity: identities?.events });
}

/** A crash during a checkpoint left two logs: only opening the file for writing puts them together. */
export function isMidCheckpoint(directory: string): boolean {
  return ['checkpoint', 'recovery'].some((name) => existsSync(join(directory, `${EVENTS_LOG_FILE}.${name}`)));
}

/** What the engine's error says of the file; null: nothing, or that another process has it open. */
export function damageOfEvents(directory: string, error: unknown): Error | null {
  if (isUnusableFile(error)) return error;
  if (!(error instanceof Error)) return null;
  const path = join(directory, EVENTS_FILE);
  const { message } = error;
  if (/could not set lock|conflicting lock/i.test(message)) return null;
  const [, why = message] = /^[\w ]+ Error: ([^\n]*)/.exec(message) ?? [];
  if (/newer (DuckDB )?version|version number/i.test(message)) {
    return new UnusableFile(path, `was written by a newer program (${why}). Install that version again.`, {
      cause: error,
    });
  }
  if (/WAL file/i.test(message)) return damaged(join(directory, EVENTS_LOG_FILE), `is damaged (${why})`, error);
  if (!/^(IO|Serialization|INTERNAL|FATAL) Error|corrupt/i.test(message) || /no space left/i.test(message)) return null;
  return damaged(path, `is damaged (${why})`, error);
}

/** The newest events may be in the log alone. What was moved out of the spool must be there. */
async function checkLog(directory: string, events: DuckDBConnection, spool: SpoolFound | null): Promise<void> {
  if (spool === null) return;
  const visible =
    spool.id !== null && (await namesOfTables(events)).has('flushed')
      ? await numberFrom(events, 'SELECT max(position) FROM flushed WHERE spool_id = $1', [spool.id])
      : 0;
  const missing = spool.firstPosition - 1 - visible;
  if (missing <= 0) return;
  throw damaged(
    join(directory, EVENTS_LOG_FILE),
    `is damaged: the last ${missing} batches that were moved to the tables are not in it`,
  );
}

function readSpool(database: Database): SpoolFound {
  if (!hasTable(database, 'batches') || !hasTable(database, 'spool')) return { id: null, batches: 0, firstPosition: 1 };
  const one = <Row>(sql: string) => database.prepare<[], Row>(sql).get();
  const last = one<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'batches'")?.seq ?? 0;
  const { batches, first } = one<{ batches: number; first: number | null }>(
    'SELECT count(*) AS batches, min(position) AS first FROM batches',
  )!;
  return { id: one<{ id: string }>('SELECT id FROM spool')?.id ?? null, batches, firstPosition: first ?? last + 1 };
}

async function readEvents<Found>(
  directory: string,
  read: (connection: DuckDBConnection) => Promise<Found>,
): Promise<Found | null> {
  const path = join(directory, EVENTS_FILE);
  const stats = statFile(path);
  statFile(join(directory, EVENTS_LOG_FILE));
  if (!stats) return null;
  let instance: DuckDBInstance | null = null;
  try {
    // Loaded on first use: most starts need not look, and the main thread has no engine of its own.
    const engine = await import('@duckdb/node-api');
    instance = await engine.DuckDBInstance.create(path, {
      access_mode: 'READ_ONLY',
      memory_limit: '512MB',
      threads: '2',
    });
    const connection = await instance.connect();
    try {
      return await read(connection);
    } finally {
      connection.closeSync();
    }
  } catch (error) {
    throw damageOfEvents(directory, error) ?? error;
  } finally {
    instance?.closeSync();
  }
}

async function hasFlushed(events: DuckDBConnection): Promise<boolean> {
  if (!(await namesOfTables(events)).has('flushed')) return false;
  return (await numberFrom(events, 'SELECT count(*) FROM flushed')) > 0;
}

async function namesOfTables(events: DuckDBConnection): Promise<Set<string>> {
  const reader = await events.runAndReadAll('SELECT table_name FROM duckdb_tables()');
  return new Set(reader.getRows().map(([name]) => String(name)));
}

async function numberFrom(events: DuckDBConnection, sql: string, values: string[] = []): Promise<number> {
  return Number((await events.runAndReadAll(sql, values)).getRows()[0]?.[0] ?? 0);
}
