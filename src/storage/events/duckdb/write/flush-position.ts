import type { DuckDBConnection } from '@duckdb/node-api';
import { readNumber } from '../read/rows.ts';

/* Saved in the transaction of the events: a crash neither loses nor doubles a batch. */

export async function saveFlushPosition(
  connection: DuckDBConnection,
  spoolId: string,
  position: number,
): Promise<void> {
  await connection.run('INSERT INTO flushed VALUES ($1, $2) ON CONFLICT DO UPDATE SET position = excluded.position', [
    spoolId,
    BigInt(position),
  ]);
}

/** 0 before the first flush of this spool. */
export function readFlushPosition(connection: DuckDBConnection, spoolId: string): Promise<number> {
  return readNumber(connection, 'SELECT position FROM flushed WHERE spool_id = $1', [spoolId]);
}
