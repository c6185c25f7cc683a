import type { DuckDBConnection } from '@duckdb/node-api';
import { observedTransaction, type StageObserver } from '../observer.ts';
import { readNumbers } from '../read/rows.ts';
import type { Transact } from '../transactions.ts';
import { recountRuns, type TableState, writeRun } from './compaction.ts';

/* Only truncation frees disk space: rewriting the last events fills the holes further ahead. */

/** A run needs more space than the same events within larger runs. */
const OVERHEAD = 1.05;
const MIN_GAIN = 1 / 8;

/** In blocks; those up to `lastFixed` cannot be moved. */
export interface FileSpace {
  blockBytes: number;
  blocks: number;
  used: number;
  lastFixed: number;
}

export interface RowGroup {
  firstRow: number;
  rows: number;
  blocks: number[];
}

/** Rows to move, and the number of blocks by which the file shrinks. */
export interface Tail {
  rows: [first: number, last: number][];
  gain: number;
}

/** By the file's size: after a truncation the engine's count may be outdated. */
export async function readFileSpace(connection: DuckDBConnection, fileBytes: number): Promise<FileSpace> {
  const [blockBytes, used, lastFixed] = await readNumbers(
    connection,
    `SELECT block_size, used_blocks, (SELECT coalesce(max(block_id), -1) FROM pragma_metadata_info())
     FROM pragma_database_size()`,
  );
  return { blockBytes: blockBytes!, blocks: Math.floor(fileBytes / blockBytes!), used: used!, lastFixed: lastFixed! };
}

/** Reads some 50 bytes for each event. */
export async function readRowGroups(connection: DuckDBConnection): Promise<RowGroup[]> {
  const reader = await connection.runAndReadAll(`
    WITH segments AS MATERIALIZED (SELECT * FROM pragma_storage_info('cold')),
    counts AS (SELECT row_group_id, sum(count)::BIGINT AS rows FROM segments
      WHERE column_name = 'tenant' AND segment_type <> 'VALIDITY' GROUP BY row_group_id),
    places AS (SELECT row_group_id, unnest(list_append(additional_block_ids, block_id)) AS block FROM segments),
    blocks AS (SELECT row_group_id, list(DISTINCT block) AS blocks FROM places WHERE block >= 0 GROUP BY row_group_id)
    SELECT rows, coalesce(blocks, []) AS blocks FROM counts LEFT JOIN blocks USING (row_group_id) ORDER BY row_group_id`);
  let firstRow = 0;
  return reader.getRowsJS().map(([rows, blocks]) => {
    const group = { firstRow, rows: Number(rows), blocks: (blocks as unknown[]).map(Number) };
    firstRow += group.rows;
    return group;
  });
}

export function chooseTail(
  groups: RowGroup[],
  { blocks, used, lastFixed }: FileSpace,
  maxEvents = Number.POSITIVE_INFINITY,
): Tail | null {
  const lastFirst = groups
    .map((group) => ({ ...group, last: Math.max(-1, ...group.blocks) }))
    .sort((one, other) => other.last - one.last);
  const allocated = [...new Set(groups.flatMap((group) => group.blocks))].sort((one, other) => one - other);
  // Blocks of other tables are assumed to be at the beginning.
  const others = used - allocated.length;
  const moved = new Set<number>();
  let [events, passed] = [0, 0];
  let best: Tail | null = null;
  for (const [index, group] of lastFirst.entries()) {
    events += group.rows;
    if (events > maxEvents && index > 0) break;
    for (const block of group.blocks) moved.add(block);
    const needed = Math.ceil(moved.size * OVERHEAD);
    // The first free blocks are used, after `passed` allocated ones.
    while (passed < allocated.length && allocated[passed]! - passed - others < needed) passed += 1;
    const endOfMoved = needed + passed + others;
    const endOfOthers = Math.max(lastFixed, lastFirst[index + 1]?.last ?? -1) + 1;
    const gain = blocks - Math.max(endOfMoved, endOfOthers);
    if (gain < moved.size * MIN_GAIN || gain <= (best?.gain ?? 0)) continue;
    best = { rows: lastFirst.slice(0, index + 1).map(({ firstRow, rows }) => [firstRow, firstRow + rows - 1]), gain };
  }
  return best;
}

export async function stateAfter(connection: DuckDBConnection, tail: Tail, state: TableState): Promise<TableState> {
  const moved = new Map<number, number>();
  for (const rows of rowsOf(tail)) {
    const reader = await connection.runAndReadAll(`SELECT run, count(*) FROM ${rows} GROUP BY run`);
    for (const [run, events] of reader.getRows().map((row) => row.map(Number)))
      moved.set(run!, (moved.get(run!) ?? 0) + events!);
  }
  const left = state.runs.map((run) => ({ ...run, events: run.events - (moved.get(run.run) ?? 0) }));
  const events = [...moved.values()].reduce((sum, count) => sum + count, state.arrivals);
  const made = { run: Number.POSITIVE_INFINITY, events, epoch: state.learnedIn };
  return { ...state, arrivals: 0, runs: [...left.filter((run) => run.events > 0), made] };
}

export function moveTail(transact: Transact, tail: Tail, observer: StageObserver): Promise<number> {
  return observedTransaction(transact, 'shrink', observer, async (connection) => {
    // One by one: a union would be held in memory.
    const pieces = ['hot', ...rowsOf(tail)];
    const events = await writeRun(connection, ...pieces);
    for (const piece of pieces) await connection.run(`DELETE FROM ${piece}`);
    await recountRuns(connection);
    return events;
  });
}

/** Contiguous row ranges: the engine seeks to one without reading other rows. */
function rowsOf({ rows }: Tail): string[] {
  const stretches: Tail['rows'] = [];
  for (const [first, last] of rows.toSorted(([one], [other]) => one - other)) {
    const before = stretches.at(-1);
    if (before && before[1] + 1 === first) before[1] = last;
    else stretches.push([first, last]);
  }
  return stretches.map(([first, last]) => `cold WHERE rowid BETWEEN ${first} AND ${last}`);
}
