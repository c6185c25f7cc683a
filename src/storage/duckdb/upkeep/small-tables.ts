import type { DuckDBConnection } from '@duckdb/node-api';
import type { AnalyticsDatabase } from '../database.ts';
import { isOfTheMachine } from '../faults.ts';

/*
 * A table that seldom changes lies in the file where it was written last, and so may hold the end of the file in its place.
 * The engine writes it elsewhere once its rows are new.
 */

/** A column of the key: of a table that has one, rows are new when it is set, be it to what it was. */
const KEYED = { tenants: 'number', known_events: 'tenant', flushed: 'spool_id' };
const UNKEYED = ['known_properties', 'learned', 'runs'];

/**
 * Has the next checkpoint write the tables that lie at or behind a block to where there is room. Nothing may be flushed
 * meanwhile: flushes write these tables.
 */
export async function rewriteTablesBehind({ maintainer, maintain }: AnalyticsDatabase, block: number): Promise<void> {
  for (const [table, key] of Object.entries(KEYED)) {
    if ((await lastBlock(maintainer, table)) < block) continue;
    await maintain((connection) => connection.run(`UPDATE ${table} SET ${key} = ${key}`)).catch(stayWhereItIs);
  }
  for (const table of UNKEYED) {
    if ((await lastBlock(maintainer, table)) < block) continue;
    await maintain((connection) => insertAnew(connection, table)).catch(stayWhereItIs);
  }
}

async function lastBlock(connection: DuckDBConnection, table: string): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT coalesce(max(list_max(list_append(additional_block_ids, block_id))), -1) FROM pragma_storage_info('${table}')`,
  );
  return Number(reader.getRows()[0]![0]);
}

async function insertAnew(connection: DuckDBConnection, table: string): Promise<void> {
  const reader = await connection.runAndReadAll(`SELECT coalesce(max(rowid), -1) FROM ${table}`);
  await connection.run(
    `INSERT INTO ${table} FROM ${table}; DELETE FROM ${table} WHERE rowid <= ${reader.getRows()[0]![0]}`,
  );
}

/** The file stays longer then, and nothing is lost. */
function stayWhereItIs(error: unknown): void {
  if (isOfTheMachine(error)) throw error;
}
