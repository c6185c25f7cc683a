import type { DuckDBConnection } from '@duckdb/node-api';
import type { Stage } from '../observer.ts';
import type { Transact } from '../transactions.ts';
import type { Catalogue } from './catalogue.ts';
import { appendEvents } from './insert.ts';
import { addSightings } from './known.ts';
import type { Shredded } from './shred.ts';

/** What belongs into the transaction that moves events: where they came from. */
export type Finish = (connection: DuckDBConnection) => Promise<unknown>;

export interface Move {
  shredded: Shredded;
  catalogue: Catalogue;
  table: { columns: string[]; epoch: number };
  finish: Finish;
}

/**
 * Moves events into the analytical tables in one transaction with the position that they came from: after a crash the
 * position tells exactly which batches are in, so none is lost and none comes twice. Tells whether something was learned.
 */
export async function moveToTables(
  transact: Transact,
  { shredded, catalogue, table, finish }: Move,
  onStage: (stage: Stage) => void,
): Promise<{ learned: boolean }> {
  const committed = await transact(async (connection) => {
    await appendEvents(connection, shredded, table);
    await addSightings(connection, shredded.sightings);
    const saved = await catalogue.save(connection);
    await finish(connection);
    onStage('flush:committing');
    return saved;
  });
  onStage('flush:committed');
  return { learned: committed() };
}

export async function savePosition(connection: DuckDBConnection, spoolId: string, position: number): Promise<void> {
  await connection.run('INSERT INTO flushed VALUES ($1, $2) ON CONFLICT DO UPDATE SET position = excluded.position', [
    spoolId,
    BigInt(position),
  ]);
}

/** The last position of this spool whose batches are in the tables; 0 before the first flush. */
export async function flushedPosition(connection: DuckDBConnection, spoolId: string): Promise<number> {
  const rows = await connection.runAndReadAll('SELECT position FROM flushed WHERE spool_id = $1', [spoolId]);
  return Number(rows.getRows()[0]?.[0] ?? 0);
}
