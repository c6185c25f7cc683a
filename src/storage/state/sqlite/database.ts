import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { type Installation, openInstallation } from '../../installation/installation.ts';
import { STATE_FILE } from '../../installation/names.ts';
import { adopt } from '../schema/index.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from '../sql/database.ts';
import { StateDialect } from './driver.ts';
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
  sqlite.pragma('foreign_keys = ON');
  // Erased data must not remain in free pages.
  sqlite.pragma('secure_delete = ON');
  // Before the snapshot of a migration, so that it carries the id.
  if (installationId !== undefined) markInstallation(sqlite, installationId);
  const database = new Kysely<StateTables>({ dialect: new StateDialect(sqlite) });
  try {
    if (await needsMigration(database, path)) await migrate(database, path);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
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
