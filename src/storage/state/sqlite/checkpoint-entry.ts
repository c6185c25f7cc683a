import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';
import BetterSqlite3, { type Database } from 'better-sqlite3';

/* The entry of threads that empty the log of a SQLite file, which a SqliteWriter keeps open. */

export interface CheckpointTask {
  path: string;
  /**
   * `PASSIVE` copies what is in the log into the file while others change it; the others also begin
   * the log again, while the writer changes nothing. `rewrite` writes the log once more.
   */
  step: 'PASSIVE' | 'RESTART' | 'TRUNCATE' | 'rewrite';
}

/** How long readers of the log are waited for. */
const READERS_MS = 1_000;
const BLOCK_BYTES = 1024 * 1024;

export default function run({ path, step }: CheckpointTask): void {
  const database = new BetterSqlite3(path, { fileMustExist: true, timeout: READERS_MS });
  try {
    database.pragma('synchronous = NORMAL');
    database.pragma('wal_autocheckpoint = 0');
    if (step === 'rewrite') rewriteLog(database);
    else checkpoint(database, step);
  } finally {
    database.close();
  }
}

function checkpoint(database: Database, step: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): void {
  const [result] = database.pragma(`wal_checkpoint(${step})`) as { busy: number }[];
  if (step === 'PASSIVE' || result!.busy !== 0) return;
  // The first change syncs the new header of the log, which would hold up the writer's thread.
  database.pragma(`user_version = ${database.pragma('user_version', { simple: true })}`);
}

function rewriteLog(database: Database): void {
  // Meanwhile no process adds to the log.
  database.exec('BEGIN IMMEDIATE');
  const log = openSync(`${database.name}-wal`, 'r+');
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
    for (let at = 0; ; ) {
      const length = readSync(log, block, 0, BLOCK_BYTES, at);
      if (length === 0) break;
      at += writeSync(log, block, 0, length, at);
    }
    fdatasyncSync(log);
  } finally {
    closeSync(log);
    database.exec('ROLLBACK');
  }
}
