import type { DuckDBConnection } from '@duckdb/node-api';
import type { AnalyticsDatabase } from '../database.ts';
import { isMachineFault } from '../faults.ts';
import { readNumber } from '../read/rows.ts';

/* A rarely changed table may prevent truncation until its rows are rewritten, which moves it. */

/** Tables with a key: updating the column to itself rewrites the rows. */
const KEYED = { tenants: 'number', known_events: 'tenant', flushed: 'spool_id' };
const UNKEYED = ['known_properties', 'learned', 'runs'];

/** For tables stored at or after `block`. The caller holds the mutex of flushes. */
export async function rewriteTablesBehind({ maintainer, maintain }: AnalyticsDatabase, block: number): Promise<void> {
  for (const [table, key] of Object.entries(KEYED)) {
    if ((await lastBlock(maintainer, table)) < block) continue;
    await maintain((connection) => connection.run(`UPDATE ${table} SET ${key} = ${key}`)).catch(ignoreConflict);
  }
  for (const table of UNKEYED) {
    if ((await lastBlock(maintainer, table)) < block) continue;
    await maintain((connection) => reinsert(connection, table)).catch(ignoreConflict);
  }
}

function lastBlock(connection: DuckDBConnection, table: string): Promise<number> {
  const last = 'coalesce(max(list_max(list_append(additional_block_ids, block_id))), -1)';
  return readNumber(connection, `SELECT ${last} FROM pragma_storage_info('${table}')`);
}

async function reinsert(connection: DuckDBConnection, table: string): Promise<void> {
  const last = await readNumber(connection, `SELECT coalesce(max(rowid), -1) FROM ${table}`);
  await connection.run(`INSERT INTO ${table} FROM ${table}; DELETE FROM ${table} WHERE rowid <= ${last}`);
}

/** The file stays larger until a later step, and nothing is lost. */
function ignoreConflict(error: unknown): void {
  if (isMachineFault(error)) throw error;
}
