import { open } from 'node:fs/promises';
import { sql, type Transaction } from 'kysely';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from '../sql/database.ts';

/** Durable without blocking the event loop: libuv's pool syncs SQLite's log. */
export async function commitInBackground<Result>(
  database: StateDatabase,
  work: (transaction: Transaction<StateTables>) => Promise<Result>,
): Promise<Result> {
  const result = await database.connection().execute(async (connection) => {
    await sql`PRAGMA synchronous = NORMAL`.execute(connection);
    try {
      return await connection.transaction().execute(work);
    } finally {
      await sql`PRAGMA synchronous = FULL`.execute(connection);
    }
  });
  await syncLog(await pathOf(database));
  return result;
}

async function pathOf(database: StateDatabase): Promise<string> {
  const { rows } = await sql<{ file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`.execute(
    database,
  );
  return rows[0]!.file;
}

async function syncLog(path: string): Promise<void> {
  try {
    // SQLite never locks the log: closing it releases no lock of the process.
    await using log = await open(`${path}-wal`, 'r+');
    await log.datasync();
  } catch {
    // Already committed: SQLite's next sync reports a failing disk.
  }
}
