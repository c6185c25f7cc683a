import { BIGINT, DOUBLE, type DuckDBConnection, DuckDBTypeId, VARCHAR } from '@duckdb/node-api';
import type { Bindable, CompiledQuery } from './expressions.ts';

/** Types are bound too: integers stay integers. */
export async function readTexts(connection: DuckDBConnection, { sql, params }: CompiledQuery): Promise<string[]> {
  const reader = await connection.runAndReadAll(sql, params.map(toBound), params.map(typeOf));
  return reader.getColumns()[0]?.map(String) ?? [];
}

function typeOf(value: Bindable) {
  if (typeof value === 'string') return VARCHAR;
  return Number.isSafeInteger(value) ? BIGINT : DOUBLE;
}

function toBound(value: Bindable) {
  return typeOf(value).typeId === DuckDBTypeId.BIGINT ? BigInt(value) : value;
}

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
