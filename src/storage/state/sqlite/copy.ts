import BetterSqlite3 from 'better-sqlite3';

const PAGES_PER_STEP = 500;

/** A snapshot of the start, also during writes. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const database = new BetterSqlite3(from, { readonly: true, timeout: 5_000 });
  try {
    // Without the snapshot, each write restarts the copy.
    database.exec('BEGIN');
    database.prepare('SELECT 1 FROM sqlite_master').get();
    await database.backup(to, { progress: () => PAGES_PER_STEP });
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}
