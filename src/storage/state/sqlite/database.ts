import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3, { SqliteError } from 'better-sqlite3';
import { Kysely, type SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { LRUCache } from 'lru-cache';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import { type Installation, openInstallation } from '../../installation/installation.ts';
import { STATE_FILE } from '../../installation/names.ts';
import { adopt } from '../schema/index.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from '../sql/database.ts';
import { ConstraintViolation, type Violated } from '../sql/violations.ts';
import { SqliteStateAdapter } from './dialect.ts';
import { examineState } from './examine/state.ts';
import { markInstallation } from './identity.ts';
import { FileLock, switchToWal } from './lock.ts';
import { refuseOtherVersion, sqliteMigrations } from './schema.ts';

const LOCK_TIMEOUT_MS = 30_000;

export interface OpenedState {
  installation: Installation;
  path: string;
  database: StateDatabase;
}

/** Opens the file and lists it in the manifest. Throws an UnusableFile. */
export async function openStateFile(config: { dataDir: string; secretKey?: string | undefined }): Promise<OpenedState> {
  const { dataDir } = config;
  const installation = openInstallation(config);
  await examineState(dataDir, {
    thorough: false,
    identity: installation.identityOf(STATE_FILE),
    // Imported for an empty file only: it loads the engine.
    mustHoldSomething: async () => (await import('../../events/duckdb/upkeep/examine.ts')).hasAccepted(dataDir),
  });
  const path = join(dataDir, STATE_FILE);
  const database = await openStateDatabase(path, installation.id);
  installation.made(STATE_FILE);
  return { installation, path, database };
}

/** Several processes may open it, and a lock lets one migrate. Marks an unmarked database. */
export async function openStateDatabase(path: string, installationId?: string): Promise<StateDatabase> {
  const sqlite = new BetterSqlite3(path, { timeout: 5_000 });
  switchToWal(sqlite);
  sqlite.pragma('synchronous = FULL');
  // Rarer checkpoints: a review costs 5 percent less than with 1000.
  sqlite.pragma('wal_autocheckpoint = 4000');
  sqlite.pragma('foreign_keys = ON');
  // Erased data must not remain in free pages.
  sqlite.pragma('secure_delete = ON');
  const dialect = new StateDialect({ database: withStatementCache(sqlite) });
  const database = new Kysely<StateTables>({ dialect });
  try {
    // Before the snapshot of a migration, so that it carries the id.
    if (installationId !== undefined) markInstallation(sqlite, installationId);
    if (await needsMigration(database, path)) await migrate(database, path);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

class StateDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new SqliteStateAdapter();
  }
}

const MAX_STATEMENTS = 200;

/** Preparing a statement costs SQLite more than a lookup. */
function withStatementCache(sqlite: BetterSqlite3.Database): SqliteDatabase {
  const prepare = (text: string) => withTranslatedErrors(sqlite, text);
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS, memoMethod: prepare });
  return {
    // SQLite runs some pragmas while it prepares them.
    prepare: (text) => (text.startsWith('PRAGMA') ? prepare(text) : statements.memo(text)),
    close: () => sqlite.close(),
  };
}

/** Translates errors. After those of the disk nothing changed, and a retry is safe. */
function withTranslatedErrors(sqlite: BetterSqlite3.Database, text: string): SqliteStatement {
  const translated = <Result>(use: () => Result): Result => {
    try {
      return use();
    } catch (error) {
      throw violation(error) ?? unavailable(error) ?? error;
    }
  };
  const statement = translated(() => sqlite.prepare(text)) as unknown as SqliteStatement;
  // SQLite rolls back when the disk fails: a second rollback would hide the cause.
  const isOver = () => text === 'rollback' && !sqlite.inTransaction;
  return {
    reader: statement.reader,
    all: (values) => translated(() => statement.all(values)),
    run: (values) => (isOver() ? { changes: 0, lastInsertRowid: 0 } : translated(() => statement.run(values))),
    iterate: (values) => statement.iterate(values),
  };
}

const VIOLATIONS: Record<string, Violated> = {
  SQLITE_CONSTRAINT_PRIMARYKEY: 'primary key',
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign key',
};

function violation(error: unknown): ConstraintViolation | null {
  const violated = error instanceof SqliteError ? VIOLATIONS[error.code] : undefined;
  return violated ? new ConstraintViolation(violated, error) : null;
}

function unavailable(error: unknown): RuntimeError | null {
  const [, fault] = (error instanceof SqliteError && /^SQLITE_(FULL|IOERR|BUSY|READONLY)/.exec(error.code)) || [];
  if (fault === undefined) return null;
  const why = fault === 'BUSY' ? 'another process is changing them' : 'the disk is full or fails';
  const what = 'Tenants, keys, executions, reviews and dashboards';
  const message = `${what} cannot be changed at the moment: ${why}. Nothing was changed. Try again.`;
  return new RuntimeError('unavailable', message, { cause: error, retryAfter: 5 });
}

async function needsMigration(database: StateDatabase, path: string): Promise<boolean> {
  const applied = await appliedMigrations(database);
  refuseOtherVersion(path, applied);
  return Object.keys(sqliteMigrations).some((name) => !applied.includes(name));
}

async function migrate(database: StateDatabase, path: string): Promise<void> {
  const lock = new FileLock(`${path}.migrate.lock`);
  try {
    if (!(await lock.acquire(LOCK_TIMEOUT_MS)))
      throw new Error(`Another process has been migrating ${path} for too long.`);
    if (!(await needsMigration(database, path))) return;
    if (await snapshot(database, path)) await adopt(database);
    const migrator = new Migrator({ db: database, provider: { getMigrations: async () => sqliteMigrations } });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  } finally {
    lock.close();
  }
}

/** False for a new database. */
async function snapshot(database: StateDatabase, path: string): Promise<boolean> {
  const last = (await appliedMigrations(database)).at(-1);
  if (last === undefined) return false;
  const directory = join(dirname(path), 'snapshots');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const copy = join(directory, `state-at-${last}-${new Date().toISOString().replaceAll(':', '')}.sqlite`);
  // Renamed at the end: a crash leaves no partial snapshot.
  await sql`VACUUM INTO ${`${copy}.partial`}`.execute(database);
  renameSync(`${copy}.partial`, copy);
  return true;
}

async function appliedMigrations(database: StateDatabase): Promise<string[]> {
  const table = await sql<{ name: string }>`SELECT name FROM sqlite_master WHERE name = 'kysely_migration'`.execute(
    database,
  );
  if (table.rows.length === 0) return [];
  const applied = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(database);
  return applied.rows.map((row) => row.name);
}
