import type { DuckDBConnection } from '@duckdb/node-api';

export async function readNumbers(connection: DuckDBConnection, sql: string, values: string[] = []): Promise<number[]> {
  const reader = await connection.runAndReadAll(sql, values);
  return (reader.getRows()[0] ?? []).map((value) => Number(value ?? 0));
}

/** 0 without a row, or for NULL. */
export async function readNumber(connection: DuckDBConnection, sql: string, values?: string[]): Promise<number> {
  return (await readNumbers(connection, sql, values))[0] ?? 0;
}

export async function tableNames(connection: DuckDBConnection): Promise<Set<string>> {
  const reader = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables()');
  return new Set(reader.getRows().map(([name]) => String(name)));
}
