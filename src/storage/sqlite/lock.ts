import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3, { type Database, SqliteError } from 'better-sqlite3';

/**
 * A lock on a file that one process at a time can hold. It is SQLite's own lock on an empty database, so the operating
 * system lets go of it however the holder ends: nothing is stale after a crash, and nothing needs cleaning up.
 */
export class FileLock {
  private readonly database: Database;
  private locked = false;

  constructor(path: string) {
    closeSync(openSync(path, 'a', 0o600));
    this.database = new BetterSqlite3(path, { timeout: 0 });
  }

  get held(): boolean {
    return this.locked;
  }

  /** Takes the lock if it is free. */
  tryAcquire(): boolean {
    if (this.locked) return true;
    try {
      this.database.exec('BEGIN EXCLUSIVE');
      this.locked = true;
    } catch (error) {
      if (!(error instanceof SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    }
    return this.locked;
  }

  /** Takes the lock, waiting up to `timeoutMs` for it. */
  async acquire(timeoutMs: number): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    while (!this.tryAcquire()) {
      if (Date.now() >= deadline) return false;
      await sleep(20);
    }
    return true;
  }

  /** As `acquire`, for work of milliseconds that must not be interrupted by other work of this thread. */
  acquireSync(timeoutMs: number): boolean {
    const deadline = Date.now() + timeoutMs;
    while (!this.tryAcquire()) {
      if (Date.now() >= deadline) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
    return true;
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
}
