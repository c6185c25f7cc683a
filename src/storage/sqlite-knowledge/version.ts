import type { Database } from 'better-sqlite3';
import { UnusableFile } from '../files/unusable.ts';

export const VERSION = 1;

/** 0 without tables. Throws UnusableFile for a newer version. */
export function refuseNewer(database: Database): number {
  const version = database.pragma('user_version', { simple: true }) as number;
  if (version <= VERSION) return version;
  throw new UnusableFile(
    database.name,
    'was written by a newer agent-runtime. Install that version again, or use another data directory.',
  );
}
