import { join } from 'node:path';
import { sizeOf } from '../dataset.ts';
import { duckdbJson } from '../dialect.ts';
import { generateFloor, openDuckdb } from '../generate.ts';
import { rowsOf } from '../queries.ts';
import type { Engine, Texts } from './engine.ts';

/** The same engine as ours with JSON text alone, sorted for the queries. */
export async function openDuckdbJson({ duckdb, scratch }: Texts): Promise<Engine> {
  const path = join(scratch, 'json.duckdb');
  const file = await openDuckdb(path);
  await generateFloor(file, duckdb);
  return {
    name: 'DuckDB JSON',
    dialect: duckdbJson,
    rowsOf: (statements) => rowsOf(file, statements),
    diskBytes: sizeOf(path),
    close: async () => file.close(),
  };
}
