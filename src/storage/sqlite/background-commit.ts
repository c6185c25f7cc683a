import { open } from 'node:fs/promises';
import { sql, type Transaction } from 'kysely';
import type { StateDatabase } from './database.ts';
import type { StateTables } from './schema.ts';

/**
 * A transaction that is durable when it resolves, without holding up the event loop for the disk: SQLite writes its log,
 * and a thread of the pool syncs it. For what commits many times a second.
 */
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

/** Syncs the log of a commit to disk. */
async function syncLog(path: string): Promise<void> {
  try {
    // SQLite locks the database and its index, never the log: closing this loses no lock of this process.
    await using log = await open(`${path}-wal`, 'r+');
    await log.datasync();
  } catch {
    // The transaction is committed. A disk that fails here fails SQLite's next sync of the log too, which reports it.
  }
}
