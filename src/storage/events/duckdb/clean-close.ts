import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import type { FileStats, OldestEvents, StoreStats } from '../../../core/analytics/events/store.ts';
import { PROGRAM } from '../../../core/base/shared/program.ts';
import { EVENTS_FILE, SPOOL_FILE } from '../../installation/names.ts';
import type { StoreIdentity } from '../../installation/unusable.ts';
import { examineSqlite, hasTable } from '../../state/sqlite/examine/examine.ts';
import { isMachineFault } from './faults.ts';
import { EVENTS_VERSION } from './tables.ts';

/*
 * Facts about an event store that is not open
 * (docs/decisions/0029-event-store-at-first-use.md).
 */

export interface EventIdentities {
  spool: StoreIdentity;
  events: StoreIdentity;
}

/** The state of a store in which nothing was left to do when it was closed. */
export interface CleanClose {
  stats: StoreStats;
  /** Before these times retention has nothing to remove. */
  oldest: OldestEvents;
}

const CLEAN_CLOSE = 'clean_close';
/** A longer lock means that another program writes to the spool. */
const LOCK_TIMEOUT_MS = 100;

/** Call it with the spool open and the event database closed. */
export function noteCleanClose(spool: Database, directory: string, close: CleanClose): void {
  const path = join(directory, EVENTS_FILE);
  if (hasLog(path)) return;
  spool.exec(`DROP TABLE IF EXISTS ${CLEAN_CLOSE};
    CREATE TABLE ${CLEAN_CLOSE} (events_file TEXT PRIMARY KEY, stats TEXT NOT NULL, oldest TEXT NOT NULL)`);
  const insert = spool.prepare<[string, string, string]>(`INSERT INTO ${CLEAN_CLOSE} VALUES (?, ?, ?)`);
  insert.run(fingerprintOf(path), JSON.stringify(close.stats), JSON.stringify(close.oldest));
}

/**
 * Call it when the store opens. On a full disk the note stays: the first change of the events file
 * invalidates it as well.
 */
export function forgetCleanClose(spool: Database): void {
  if (!hasTable(spool, CLEAN_CLOSE)) return;
  try {
    spool.exec(`DELETE FROM ${CLEAN_CLOSE}`);
  } catch (error) {
    if (!isMachineFault(error)) throw error;
  }
}

/**
 * The statistics; null unless this version has closed the store cleanly and both files are as it
 * left them. Takes about a millisecond.
 */
export function findCleanClose(directory: string): StoreStats | null {
  return noted<StoreStats>(directory, 'stats');
}

/** As `findCleanClose`. Takes a tenth of a second for 100,000 tenants. */
export function findOldestEvents(directory: string): OldestEvents | null {
  return noted<OldestEvents>(directory, 'oldest');
}

function noted<Noted>(directory: string, column: keyof CleanClose): Noted | null {
  const path = join(directory, EVENTS_FILE);
  try {
    if (hasLog(path)) return null;
    return withSpool(directory, { readonly: true }, (spool) => {
      if (!hasTable(spool, CLEAN_CLOSE)) return null;
      const select = `SELECT ${column} AS noted FROM ${CLEAN_CLOSE} WHERE events_file = ? AND NOT EXISTS (SELECT 1 FROM batches)`;
      const found = spool.prepare<[string], { noted: string }>(select).get(fingerprintOf(path));
      return found ? (JSON.parse(found.noted) as Noted) : null;
    });
  } catch {
    // Opening the store reports what is missing or damaged.
    return null;
  }
}

/** The checks of an opening that need no engine. Throws an UnusableFile. */
export async function examineClosed(directory: string, identities?: EventIdentities): Promise<StoreStats | null> {
  if (identities && !(identities.spool.isMarked && identities.events.isMarked)) return null;
  const close = findCleanClose(directory);
  if (close === null) return null;
  await examineSqlite(join(directory, SPOOL_FILE), {
    thorough: false,
    identity: identities?.spool,
    mustHoldSomething: () => true,
    read: () => undefined,
  });
  return close;
}

/** Throws unless the spool could be written to. Creates no spool. */
export function assertAccepts(directory: string): void {
  withSpool(directory, {}, (spool) => spool.exec('BEGIN IMMEDIATE; ROLLBACK'));
}

export function diskOf(directory: string): FileStats['disk'] {
  const size = (name: string) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
  return {
    events: size(EVENTS_FILE) + size(`${EVENTS_FILE}.wal`),
    spool: size(SPOOL_FILE) + size(`${SPOOL_FILE}-wal`),
  };
}

/** Another one after every change, also by a program that restores the time of modification. */
function fingerprintOf(path: string): string {
  const { size, ino, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return [PROGRAM.version, EVENTS_VERSION, size, ino, mtimeNs, ctimeNs].join(' ');
}

function withSpool<Result>(directory: string, options: BetterSqlite3.Options, use: (spool: Database) => Result) {
  const path = join(directory, SPOOL_FILE);
  const spool = new BetterSqlite3(path, { ...options, fileMustExist: true, timeout: LOCK_TIMEOUT_MS });
  try {
    return use(spool);
  } finally {
    spool.close();
  }
}

/** True also for a log that an interrupted checkpoint has renamed. */
export function hasLog(path: string): boolean {
  return ['.wal', '.wal.checkpoint', '.wal.recovery'].some((suffix) => existsSync(path + suffix));
}
