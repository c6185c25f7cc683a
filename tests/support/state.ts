import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { STATE_FILE } from '../../src/storage/files/names.ts';
import type { StateDatabase } from '../../src/storage/sql/database.ts';
import { SqlTenantStore } from '../../src/storage/sql/tenants.ts';
import { openStateDatabase } from '../../src/storage/sqlite/database.ts';
import { temporaryDirectory } from './app.ts';

/** Adds the tenants `one` and `two`, which the contracts of stores expect. */
export async function addTenants(database: StateDatabase): Promise<void> {
  const tenants = new SqlTenantStore(database);
  for (const id of ['one', 'two']) {
    await tenants.create({
      id,
      name: id,
      timezone: 'UTC',
      createdAt: 0,
      retentionDays: null,
      secondFactor: 'optional',
      passwordLogin: true,
    });
  }
}

export async function openStateWithTenants(directory: string): Promise<StateDatabase> {
  const database = await openStateDatabase(join(directory, STATE_FILE));
  await addTenants(database);
  return database;
}

/** As before migration 0022. */
export function withoutProcesses(sqlite: BetterSqlite3.Database): void {
  sqlite.exec('DROP TABLE runners; DROP TABLE sealing_keys; DROP INDEX tenants_being_erased');
  sqlite.exec('ALTER TABLE tenants DROP COLUMN erasing_since');
  for (const table of ['executions', 'budget_reservations']) sqlite.exec(`ALTER TABLE ${table} DROP COLUMN runner`);
  for (const column of ['name_search', 'email_search']) sqlite.exec(`ALTER TABLE users DROP COLUMN ${column}`);
  sqlite.prepare("DELETE FROM kysely_migration WHERE name = '0022-processes'").run();
}

/** A backend of the contract suites of stores in state.sqlite. */
export function sqliteBackend<Stores extends object>(create: (database: StateDatabase) => Stores) {
  return {
    name: 'SQLite',
    directory: temporaryDirectory,
    async open(directory: string) {
      const database = await openStateWithTenants(directory);
      return { ...create(database), close: () => database.destroy() };
    },
  };
}
