import type { Database } from 'better-sqlite3';
import { ofNewerVersion } from '../../installation/unusable.ts';

export const VERSION = 2;

/** 0 without tables. Throws UnusableFile for a newer version. */
export function refuseNewer(database: Database): number {
  const version = database.pragma('user_version', { simple: true }) as number;
  if (version <= VERSION) return version;
  throw ofNewerVersion(database.name, `schema ${version}, this program knows ${VERSION}`);
}
