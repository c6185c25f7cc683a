import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { type Database, SqliteError } from 'better-sqlite3';
import { Mutex } from '../../../core/base/concurrency/mutex.ts';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import { siblingModule } from '../../../threads/call-thread.ts';
import { ThreadPool } from '../../../threads/thread-pool.ts';
import type { CheckpointTask } from './checkpoint-entry.ts';

/** `unsynced`: a power failure may undo the change, a crash of the process not. */
type Durability = 'synced' | 'unsynced';

/** A log of this size is copied into the file; with so much more of it changes wait for that. */
const LOG_BYTES = 16 * 1024 * 1024;
/** Asking for the log's length takes a hundredth of the time of a small change. */
const LOOK_MS = 20;
/** A thread that starts for each checkpoint takes more processor time than the checkpoint. */
const IDLE_MS = 10_000;
/** Handing a sync over to another thread takes about as long. */
const QUICK_MS = 0.3;
/** After so many quick syncs in a row the next one is not handed over, until one is slow. */
const QUICK_SYNCS = 8;

/**
 * The changes of a SQLite file in WAL mode, one at a time. A commit does not sync: what was
 * committed until a sync of the log begins shares it, in a thread of libuv's pool unless the disk
 * is quick; another thread copies the log into the file
 * (docs/decisions/0051-commits-off-the-event-loop.md).
 */
export class SqliteWriter {
  private readonly database: Database;
  private readonly what: string;
  private readonly mutex: Mutex;
  private readonly log: number;
  private readonly checkpoints = new ThreadPool<CheckpointTask, void>({
    entry: siblingModule(import.meta.url, 'checkpoint-entry'),
    maxThreads: 1,
    idleMs: IDLE_MS,
  });
  private readonly selectChanges;
  private readonly selectLog;
  private readonly pageBytes: number;
  private changing: Promise<void> | null = null;
  private changes = 0;
  private unsynced = false;
  private syncing: Promise<void> | null = null;
  private nextSync: Promise<void> | null = null;
  private quickSyncs = 0;
  private hasFailed = false;
  /** When its length was read. */
  private lookedAt = 0;
  private logBytes = 0;
  private emptying: Promise<void> | null = null;
  /** Bytes of the log. */
  private emptyAt = LOG_BYTES;

  /** The database is then changed through this only. `what` it holds begins error messages. */
  constructor(database: Database, what: string) {
    this.database = database;
    this.what = what;
    this.mutex = mutexOf(database.name);
    database.pragma('synchronous = NORMAL');
    database.pragma('wal_autocheckpoint = 0');
    this.pageBytes = database.pragma('page_size', { simple: true }) as number;
    this.selectChanges = database.prepare<[], number>('SELECT total_changes()').pluck();
    this.selectLog = database.prepare<[], { log: number }>('PRAGMA wal_checkpoint(NOOP)');
    // SQLite makes the log with the first transaction. It never locks it: closing loses no lock.
    database.pragma('user_version');
    this.log = openSync(`${database.name}-wal`, 'r+');
    // An earlier process may have ended between a commit and its sync.
    fdatasyncSync(this.log);
  }

  /**
   * Runs what commits, and resolves when that and all commits before are on disk. Throws
   * `unavailable` after a failed sync.
   */
  async change<Result>(work: () => Result | Promise<Result>, durability: Durability = 'synced'): Promise<Result> {
    if (this.emptying && this.logBytes > this.emptyAt + LOG_BYTES) await this.emptying;
    const result = await this.mutex.runExclusive(async () => {
      if (this.hasFailed) await this.repair();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.changing = promise;
      try {
        return await work();
      } finally {
        this.noteChanges();
        if (performance.now() - this.lookedAt >= LOOK_MS) this.measureLog();
        this.changing = null;
        resolve();
      }
    });
    if (durability === 'synced') await this.synced();
    return result;
  }

  /** Waits for the change that is under way, and neither for syncs nor for changes that wait. */
  async read<Result>(use: () => Result): Promise<Result> {
    while (this.changing) await this.changing;
    return use();
  }

  /** Removed data leaves the log. */
  async truncate(): Promise<void> {
    await this.emptying;
    await this.empty('TRUNCATE');
  }

  /** Then the database can be closed. */
  async close(): Promise<void> {
    await this.mutex.runExclusive(async () => {
      if (this.hasFailed) await this.repair().catch(() => undefined);
    });
    await Promise.allSettled([this.nextSync, this.syncing, this.emptying]);
    await this.checkpoints.close();
    closeSync(this.log);
  }

  private noteChanges(): void {
    const changes = this.selectChanges.get()!;
    if (changes !== this.changes) this.unsynced = true;
    this.changes = changes;
  }

  private async synced(): Promise<void> {
    if (this.hasFailed) throw doubt();
    // A sync that runs may have begun before the commit.
    if (this.unsynced) this.nextSync ??= Promise.allSettled([this.syncing]).then(() => this.sync());
    await (this.nextSync ?? this.syncing);
  }

  private async sync(): Promise<void> {
    const { nextSync } = this;
    this.syncing = nextSync;
    this.nextSync = null;
    this.unsynced = false;
    const started = performance.now();
    try {
      if (this.quickSyncs < QUICK_SYNCS) await syncInPool(this.log);
      else fdatasyncSync(this.log);
    } catch (cause) {
      this.hasFailed = true;
      throw doubt(cause);
    } finally {
      this.quickSyncs = performance.now() - started < QUICK_MS ? this.quickSyncs + 1 : 0;
      if (this.syncing === nextSync) this.syncing = null;
    }
    if (this.hasFailed) throw doubt();
    this.emptyIfLarge();
  }

  private emptyIfLarge(): void {
    if (this.emptying || this.logBytes < this.emptyAt) return;
    this.emptying = this.empty('RESTART')
      // Everything is still in the log: it grows by as much until the next attempt.
      .catch(() => undefined)
      .finally(() => {
        this.emptying = null;
      });
  }

  /** While readers use an old part of the log it stays, and grows. */
  private async empty(how: 'RESTART' | 'TRUNCATE'): Promise<void> {
    const path = this.database.name;
    try {
      // Most is copied while changes go on, which wait for the rest.
      await this.checkpoints.run({ path, step: 'PASSIVE' });
      await this.mutex.runExclusive(async () => {
        if (!this.hasFailed) await this.checkpoints.run({ path, step: how });
      });
    } finally {
      await this.mutex.runExclusive(async () => {
        this.measureLog();
        this.emptyAt = this.logBytes + LOG_BYTES;
      });
    }
  }

  /** SQLite refuses it within a transaction. */
  private measureLog(): void {
    if (this.database.inTransaction) return;
    this.lookedAt = performance.now();
    this.logBytes = this.selectLog.get()!.log * this.pageBytes;
  }

  /**
   * After a failed sync the system may count pages as written that are not, so that the next sync
   * would succeed without them. All of the log is written again.
   */
  private async repair(): Promise<void> {
    try {
      await this.checkpoints.run({ path: this.database.name, step: 'rewrite' });
    } catch (cause) {
      throw new RuntimeError(
        'unavailable',
        `${this.what} cannot be changed at the moment: the disk fails. Try again.`,
        {
          cause,
          retryAfter: 5,
        },
      );
    }
    this.hasFailed = false;
    this.unsynced = false;
  }
}

function syncInPool(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error ? reject(error) : resolve()));
  });
}

function doubt(cause?: unknown): RuntimeError {
  const message = 'It is unknown whether this change was kept: the disk fails. Look before you try again.';
  return new RuntimeError('unavailable', message, { ...(cause ? { cause } : {}), retryAfter: 5 });
}

const mutexes = new Map<string, Mutex>();

/** Shared by connections of a thread, which would stop where one waits for the lock of another. */
function mutexOf(path: string): Mutex {
  const mutex = mutexes.get(path) ?? new Mutex();
  mutexes.set(path, mutex);
  return mutex;
}

/** The error of a change that was rolled back; null for other errors than those of the disk. */
export function diskFault(what: string, error: unknown): RuntimeError | null {
  const [, fault] = (error instanceof SqliteError && /^SQLITE_(FULL|IOERR|BUSY|READONLY)/.exec(error.code)) || [];
  if (fault === undefined) return null;
  const why = fault === 'BUSY' ? 'another process is changing them' : 'the disk is full or fails';
  const message = `${what} cannot be changed at the moment: ${why}. Nothing was changed. Try again.`;
  return new RuntimeError('unavailable', message, { cause: error, retryAfter: 5 });
}
