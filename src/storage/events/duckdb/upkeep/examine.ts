import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Database } from 'better-sqlite3';
import { refuseForeignLinks } from '../../../installation/data-directory.ts';
import { EVENTS_FILE, EVENTS_LOG_FILE, SPOOL_FILE } from '../../../installation/names.ts';
import {
  damaged,
  isUnusableFile,
  refuseForeign,
  type StoreIdentity,
  statFile,
  UnusableFile,
} from '../../../installation/unusable.ts';
import { examineSqlite, hasTable } from '../../../state/sqlite/examine/examine.ts';
import type { EventIdentities } from '../clean-close.ts';
import { readNumber, tableNames } from '../read/rows.ts';
import { readFlushPosition } from '../write/flush-position.ts';
import { installationIn, knownVersion, readTables, refuseTruncated } from './file-checks.ts';

/* Opening is no check: SQLite accepts an empty file, DuckDB ignores a damaged end of its log. */

export interface SpoolFound {
  id: string | null;
  batches: number;
  /** Earlier batches have been flushed. */
  firstPosition: number;
}

export interface EventsFound {
  version: number;
  events: number;
}

export interface CheckOptions {
  thorough: boolean;
  /** Undefined if it is not checked. */
  identity?: StoreIdentity | undefined;
  onProgress?: (share: number) => void;
}

export async function examineSpool(directory: string, options: CheckOptions): Promise<SpoolFound | null> {
  return examineSqlite(join(directory, SPOOL_FILE), {
    ...options,
    // A flush position in the tables proves that the spool had content.
    mustHoldSomething: async () => (await readEvents(directory, async (events) => hasFlushed(events))) === true,
    read: readSpool,
  });
}

/** `thorough` reads every value: each block has a checksum. The file must not be open. */
export async function examineEvents(
  directory: string,
  spool: SpoolFound | null,
  { thorough, identity, onProgress = () => undefined }: CheckOptions,
): Promise<EventsFound | null> {
  const path = join(directory, EVENTS_FILE);
  return readEvents(directory, async (events) => {
    await refuseTruncated(events, path);
    if (identity) refuseForeign(path, await installationIn(events), identity);
    const tables = await tableNames(events);
    const version = await knownVersion(events, path);
    if (statFile(join(directory, EVENTS_LOG_FILE))) await checkLog(directory, events, spool);
    if (thorough) await readTables(events, tables, onProgress);
    let count = 0;
    for (const table of ['hot', 'cold'].filter((name) => tables.has(name))) {
      count += await readNumber(events, `SELECT count(*) FROM ${table}`);
    }
    return { version, events: count };
  });
}

export async function hasAccepted(directory: string): Promise<boolean> {
  return isUsed(await examineSpool(directory, { thorough: false }));
}

export function isUsed(spool: SpoolFound | null): boolean {
  return spool !== null && (spool.batches > 0 || spool.firstPosition > 1);
}

/** Checks the log only if a crash has left one. */
export async function examineStore(directory: string, identities?: EventIdentities): Promise<void> {
  refuseForeignLinks(directory);
  const spool = await examineSpool(directory, { thorough: false, identity: identities?.spool });
  const events = statFile(join(directory, EVENTS_FILE));
  const log = statFile(join(directory, EVENTS_LOG_FILE));
  if (events && log && !isMidCheckpoint(directory))
    await examineEvents(directory, spool, { thorough: false, identity: identities?.events });
}

/** A crash during a checkpoint leaves two logs, which only opening for writing merges. */
export function isMidCheckpoint(directory: string): boolean {
  return ['checkpoint', 'recovery'].some((name) => existsSync(join(directory, `${EVENTS_LOG_FILE}.${name}`)));
}

/** Null if the file is not damaged but, for example, locked. */
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

/** Every batch discarded from the spool must be in the tables or their log. */
async function checkLog(directory: string, events: DuckDBConnection, spool: SpoolFound | null): Promise<void> {
  if (spool === null) return;
  const visible =
    spool.id !== null && (await tableNames(events)).has('flushed') ? await readFlushPosition(events, spool.id) : 0;
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
    // Imported on first use: most starts need no check, and the main thread no engine.
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
  if (!(await tableNames(events)).has('flushed')) return false;
  return (await readNumber(events, 'SELECT count(*) FROM flushed')) > 0;
}
