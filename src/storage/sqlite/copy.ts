import BetterSqlite3 from 'better-sqlite3';

const PAGES_PER_STEP = 500;

/** Copies a database while others write to it: the copy holds what was committed when it began. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const database = new BetterSqlite3(from, { readonly: true, timeout: 5_000 });
  try {
    // Within a snapshot, no write makes the copy begin again.
    database.exec('BEGIN');
    database.prepare('SELECT 1 FROM sqlite_master').get();
    await database.backup(to, { progress: () => PAGES_PER_STEP });
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}
