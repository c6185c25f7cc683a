import type { Database } from 'better-sqlite3';
import { UnusableFile } from '../files/unusable.ts';

/** The version of the tables. */
export const VERSION = 1;

/** The version of the tables; 0 without tables. Throws an UnusableFile for an unknown version. */
export function refuseNewer(database: Database): number {
  const version = database.pragma('user_version', { simple: true }) as number;
  if (version <= VERSION) return version;
  throw new UnusableFile(
    database.name,
    'was written by a newer agent-runtime. Install that version again, or use another data directory.',
  );
}
