import type { DuckDBConnection } from '@duckdb/node-api';
import type { Stage } from '../observer.ts';
import type { Transact } from '../transactions.ts';
import { recountRuns, type TableState, writeRun } from './compaction.ts';

/*
 * The engine gives free room back only at the end of its file. Events that lie there are therefore written once more, as a
 * run of their own, which goes into the holes further ahead: the engine takes the first free blocks first.
 */

/** A run takes a little more room than the same events as parts of larger ones. */
const LOOSENESS = 1.05;
/** So much must be gained, as a share of what is written for it. */
const LEAST_GAIN = 1 / 8;

/** How many blocks the file has, how many of them hold something, and where the last is that cannot be moved. */
export interface FileRoom {
  blockBytes: number;
  blocks: number;
  used: number;
  lastFixed: number;
}

/** Rows that lie together in blocks of their own, or nearly so: the engine's row groups. */
export interface RowGroup {
  firstRow: number;
  rows: number;
  blocks: number[];
}

/** Which rows are to be moved, each `[first, last]`, and by how many blocks the file gets smaller then. */
export interface Tail {
  rows: [first: number, last: number][];
  gain: number;
}

/** Of a file of this size. The engine's own count of blocks may be one from before the file was cut off. */
export async function readRoom(connection: DuckDBConnection, fileBytes: number): Promise<FileRoom> {
  const reader = await connection.runAndReadAll(
    `SELECT block_size, used_blocks, (SELECT coalesce(max(block_id), -1) FROM pragma_metadata_info())
     FROM pragma_database_size()`,
  );
  const [blockBytes, used, lastFixed] = reader.getRows()[0]!.map(Number);
  return { blockBytes: blockBytes!, blocks: Math.floor(fileBytes / blockBytes!), used: used!, lastFixed: lastFixed! };
}

/** Where the events of all runs lie. This reads some 50 bytes for each event. */
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

/**
 * What is best moved from the end of the file into its holes, so many events at most, or one group if it has more; null:
 * nothing that is worth being written again.
 */
export function chooseTail(
  groups: RowGroup[],
  { blocks, used, lastFixed }: FileRoom,
  mostEvents = Number.POSITIVE_INFINITY,
): Tail | null {
  const lastFirst = groups
    .map((group) => ({ ...group, last: Math.max(-1, ...group.blocks) }))
    .sort((one, other) => other.last - one.last);
  const taken = [...new Set(groups.flatMap((group) => group.blocks))].sort((one, other) => one - other);
  // What is used by anything but runs lies somewhere ahead.
  const others = used - taken.length;
  const moved = new Set<number>();
  let [events, passed] = [0, 0];
  let best: Tail | null = null;
  for (const [index, group] of lastFirst.entries()) {
    events += group.rows;
    if (events > mostEvents && index > 0) break;
    for (const block of group.blocks) moved.add(block);
    const needed = Math.ceil(moved.size * LOOSENESS);
    // The first free blocks are taken, past so many that are not free.
    while (passed < taken.length && taken[passed]! - passed - others < needed) passed += 1;
    const endOfMoved = needed + passed + others;
    const endOfOthers = Math.max(lastFixed, lastFirst[index + 1]?.last ?? -1) + 1;
    const gain = blocks - Math.max(endOfMoved, endOfOthers);
    if (gain < moved.size * LEAST_GAIN || gain <= (best?.gain ?? 0)) continue;
    best = { rows: lastFirst.slice(0, index + 1).map(({ firstRow, rows }) => [firstRow, firstRow + rows - 1]), gain };
  }
  return best;
}

/** How the tables will stand when these rows have been moved. */
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

/**
 * Writes these rows once more as one run, and with them what arrivals there are, which would hold the end of the file in
 * its place where they lie there. Returns how many events the run has.
 */
export async function moveTail(transact: Transact, tail: Tail, onStage: (stage: Stage) => void): Promise<number> {
  const events = await transact(async (connection) => {
    // Each by itself: a union of them is held in memory whole. The run is sorted piece by piece, which is as good.
    const pieces = ['hot', ...rowsOf(tail)];
    const moved = await writeRun(connection, ...pieces);
    for (const piece of pieces) await connection.run(`DELETE FROM ${piece}`);
    await recountRuns(connection);
    onStage('shrink:committing');
    return moved;
  });
  onStage('shrink:committed');
  return events;
}

/** In the order in which they lie, what lies together as one: the engine goes to a stretch of rows without reading others. */
function rowsOf({ rows }: Tail): string[] {
  const stretches: Tail['rows'] = [];
  for (const [first, last] of rows.toSorted(([one], [other]) => one - other)) {
    const before = stretches.at(-1);
    if (before && before[1] + 1 === first) before[1] = last;
    else stretches.push([first, last]);
  }
  return stretches.map(([first, last]) => `cold WHERE rowid BETWEEN ${first} AND ${last}`);
}
