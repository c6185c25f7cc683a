import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';

/** Rewrites the SQLite databases of a copy without their free pages: in those may be what was erased before. */
export function compact(directory: string): void {
  for (const name of ['state.sqlite', 'spool.sqlite']) {
    const database = new BetterSqlite3(join(directory, name), { fileMustExist: true });
    try {
      database.exec('VACUUM');
    } finally {
      database.close();
    }
  }
}
