import type { DuckDBConnection } from '@duckdb/node-api';
import { ofNewerVersion, ofOlderVersion } from '../../../installation/unusable.ts';
import { readNumber, tableNames } from '../read/rows.ts';
import { SCHEMA, VERSION } from '../tables.ts';

/** Throws an UnusableFile for tables of another version. */
export async function createTables(connection: DuckDBConnection, path: string): Promise<void> {
  if ((await knownVersion(connection, path)) === 0) await connection.run(`BEGIN; ${SCHEMA} COMMIT;`);
}

/** 0 for a new file. Throws an UnusableFile for tables of another version. */
export async function knownVersion(connection: DuckDBConnection, path: string): Promise<number> {
  if (!(await tableNames(connection)).has('schema_version')) return 0;
  const version = await readNumber(connection, 'SELECT max(version) FROM schema_version');
  const versions = `schema ${version}, this program knows ${VERSION}`;
  if (version > VERSION) throw ofNewerVersion(path, versions);
  if (version < VERSION) throw ofOlderVersion(path, versions);
  return version;
}
