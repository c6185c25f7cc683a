import { BIGINT, type DuckDBConnection, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api';
import type { KnownNames } from './known.ts';
import type { SpooledBatch } from './spool.ts';

const COLUMNS = [VARCHAR, VARCHAR, VARCHAR, BIGINT, VARCHAR, VARCHAR, VARCHAR, VARCHAR];
/** DuckDB's vector size: a chunk holds no more. */
const CHUNK_ROWS = 2_048;

/**
 * Moves batches into the analytical tables in one transaction with the position they came from: after a crash the
 * position tells exactly which batches are in, so none is lost and none comes twice. Without `known` only the events move.
 */
export async function moveToTables(
  connection: DuckDBConnection,
  batches: SpooledBatch[],
  spoolId: string,
  known: KnownNames | null,
): Promise<void> {
  const position = batches.at(-1)?.position;
  if (position === undefined) return;
  await connection.run('BEGIN');
  try {
    await appendEvents(connection, batches);
    await known?.add(connection, batches);
    await connection.run('INSERT INTO flushed VALUES ($1, $2) ON CONFLICT DO UPDATE SET position = excluded.position', [
      spoolId,
      BigInt(position),
    ]);
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The last position of this spool whose batches are in the tables; 0 before the first flush. */
export async function flushedPosition(connection: DuckDBConnection, spoolId: string): Promise<number> {
  const rows = await connection.runAndReadAll('SELECT position FROM flushed WHERE spool_id = $1', [spoolId]);
  return Number(rows.getRows()[0]?.[0] ?? 0);
}

async function appendEvents(connection: DuckDBConnection, batches: SpooledBatch[]): Promise<void> {
  const appender = await connection.createAppender('events');
  try {
    const rows = batches.flatMap(({ tenantId, events }) => events.map((event) => ({ tenantId, ...event })));
    for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
      const slice = rows.slice(start, start + CHUNK_ROWS);
      const chunk = DuckDBDataChunk.create(COLUMNS, slice.length);
      chunk.setColumns([
        slice.map((row) => row.tenantId),
        slice.map((row) => row.agentId),
        slice.map((row) => row.eventName),
        slice.map((row) => BigInt(row.timestamp)),
        slice.map((row) => row.id),
        slice.map((row) => row.threadId),
        slice.map((row) => row.executionId),
        slice.map((row) => row.properties),
      ]);
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}
