import type { Database } from 'better-sqlite3';

/* The versions of the native modules: each throws where its module does not load. */

export function sqliteVersion(): Promise<string> {
  return queryVersion('SELECT sqlite_version()');
}

export async function sqliteVectorsVersion(): Promise<string> {
  const { load } = await import('sqlite-vec');
  return queryVersion('SELECT vec_version()', load);
}

export async function duckdbVersion(): Promise<string> {
  const { version } = await import('@duckdb/node-api');
  return version();
}

async function queryVersion(sql: string, prepare: (database: Database) => void = () => undefined): Promise<string> {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const database = new BetterSqlite3(':memory:');
  try {
    prepare(database);
    return String(database.prepare(sql).pluck().get());
  } finally {
    database.close();
  }
}
