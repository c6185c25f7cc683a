import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { SPOOL_FILE, STATE_FILE } from '../storage/files/names.ts';

/** Rewrites the SQLite databases of a copy without their free pages, which may hold erased data. */
export function compact(directory: string): void {
  for (const name of [STATE_FILE, SPOOL_FILE]) {
    const database = new BetterSqlite3(join(directory, name), { fileMustExist: true });
    try {
      database.exec('VACUUM');
    } finally {
      database.close();
    }
  }
}
