import { BIGINT, DOUBLE, type DuckDBConnection, DuckDBTypeId, VARCHAR } from '@duckdb/node-api';
import type { Bindable, CompiledQuery } from './expressions.ts';

/** The statement's only column. Values are bound by type, so that whole numbers stay whole. */
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
