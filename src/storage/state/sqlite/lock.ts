import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3, { type Database, SqliteError } from 'better-sqlite3';
import { refuseForeignLinks } from '../../installation/data-directory.ts';
import { giveToOwner } from '../../installation/disk.ts';
import { UnusableFile } from '../../installation/unusable.ts';

const SWITCH_TIMEOUT_MS = 5_000;

/** An inter-process lock. Never stale: it ends with the process. */
export class FileLock {
  private readonly database: Database;
  private locked = false;

  /** Throws an UnusableFile where another user has made a link in the directory, or may. */
  constructor(path: string) {
    refuseForeignLinks(dirname(path));
    makeFile(path);
    this.database = new BetterSqlite3(path, { timeout: 0 });
  }

  tryAcquire(): boolean {
    return this.tryLock('BEGIN EXCLUSIVE');
  }

  async acquire(timeoutMs: number): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    while (!this.tryAcquire()) {
      if (Date.now() >= deadline) return false;
      await sleep(20);
    }
    return true;
  }

  /** Blocks the thread: for work of milliseconds. */
  acquireSync(timeoutMs: number): boolean {
    return waitSync(timeoutMs, () => this.tryAcquire());
  }

  /** Many may share it; while one does, it cannot be acquired. Blocks the thread. */
  shareSync(timeoutMs: number): boolean {
    return waitSync(timeoutMs, () => this.tryLock('BEGIN; SELECT count(*) FROM sqlite_master'));
  }

  release(): void {
    if (!this.locked) return;
    this.database.exec('ROLLBACK');
    this.locked = false;
  }

  close(): void {
    this.release();
    this.database.close();
  }

  private tryLock(statements: string): boolean {
    if (this.locked) return true;
    try {
      this.locked = unlessBusy(() => this.database.exec(statements));
    } catch (cause) {
      if (!(cause instanceof SqliteError) || !/^SQLITE_(NOTADB|CORRUPT)/.test(cause.code)) throw cause;
      throw new UnusableFile(this.database.name, 'is not the lock that was made: it holds nothing. Remove it.', {
        cause,
      });
    }
    if (!this.locked && this.database.inTransaction) this.database.exec('ROLLBACK');
    return this.locked;
  }
}

/**
 * While another connection opens the same new file SQLite refuses, whatever the connection's
 * timeout.
 */
export function switchToWal(database: Database): void {
  const isSwitched = waitSync(SWITCH_TIMEOUT_MS, () => unlessBusy(() => database.pragma('journal_mode = WAL')));
  if (!isSwitched) throw new Error(`Another process has kept ${database.name} locked for too long.`);
}

/** False if another connection is in the way. */
function unlessBusy(use: () => void): boolean {
  try {
    use();
    return true;
  } catch (error) {
    if (error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

function waitSync(timeoutMs: number, attempt: () => boolean): boolean {
  const deadline = Date.now() + timeoutMs;
  while (!attempt()) {
    if (Date.now() >= deadline) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  return true;
}

function makeFile(path: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
    giveToOwner(descriptor, dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    descriptor = openSync(path, 'a', 0o600);
  }
  closeSync(descriptor);
}
