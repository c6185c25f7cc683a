import type { DuckDBConnection } from '@duckdb/node-api';
import type { Stage } from '../observer.ts';
import type { Transact } from '../transactions.ts';
import { insertRun } from './moved-columns.ts';

/*
 * Arrivals become sorted runs, and small runs become larger ones. Each step is one transaction beside queries and
 * flushes: it commits whole or leaves nothing behind. Few large runs are as fast to read as one
 * (docs/decisions/0008-typed-columns.md).
 */

/** So many arrivals are made a run. */
const RUN_EVENTS = 125_000;
/** So many are, when nothing arrives for a while. */
const IDLE_RUN_EVENTS = 20_000;
/** Runs below this size are small; so many small ones are merged, up to so many events in all. */
const SMALL_RUN_EVENTS = 1_000_000;
const MERGE_RUNS = 8;
const MERGED_EVENTS = 1_500_000;

export interface Run {
  run: number;
  events: number;
  /** The epoch in which it was written. */
  epoch: number;
}

export type CompactionStep = { kind: 'sort'; events: number } | { kind: 'merge'; runs: Run[] };

/** How the tables stand. */
export interface TableState {
  /** Events in `hot`. */
  arrivals: number;
  runs: Run[];
  /** The last epoch in which a column was given to a path that was there before. */
  learnedIn: number;
}

export const EMPTY: TableState = { arrivals: 0, runs: [], learnedIn: 0 };

/** What is due, or null. */
export function dueStep({ arrivals, runs, learnedIn }: TableState, idle: boolean): CompactionStep | null {
  if (arrivals >= (idle ? IDLE_RUN_EVENTS : RUN_EVENTS)) return { kind: 'sort', events: arrivals };
  const stale = runs.find(({ epoch }) => epoch < learnedIn);
  if (stale) return { kind: 'merge', runs: [stale] };
  const small = runs.filter(({ events }) => events < SMALL_RUN_EVENTS).sort((one, other) => one.events - other.events);
  if (small.length < MERGE_RUNS) return null;
  let sum = 0;
  const merged = small.filter(({ events }) => {
    sum += events;
    return sum <= MERGED_EVENTS;
  });
  return { kind: 'merge', runs: merged };
}

export async function readState(connection: DuckDBConnection): Promise<TableState> {
  const arrivals = await connection.runAndReadAll('SELECT count(*) FROM hot');
  const runs = await connection.runAndReadAll('SELECT run, events, epoch FROM runs ORDER BY run');
  const learned = await connection.runAndReadAll(
    'SELECT least(coalesce(max(since), 0), (SELECT epoch FROM layout)) FROM learned',
  );
  return {
    arrivals: Number(arrivals.getRows()[0]![0]),
    runs: runs
      .getRows()
      .map(([run, events, epoch]) => ({ run: Number(run), events: Number(events), epoch: Number(epoch) })),
    learnedIn: Number(learned.getRows()[0]![0]),
  };
}

/** Moves the oldest arrivals of its snapshot, `most` at most, into a run of their own. Returns how many there were. */
export async function sortArrivals(
  transact: Transact,
  onStage: (stage: Stage) => void,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  const events = await transact(async (connection) => {
    const part = Number.isFinite(most) ? `hot WHERE rowid <= ${await lastRow(connection, most)}` : 'hot';
    const moved = await writeRun(connection, part);
    await connection.run(`DELETE FROM ${part}`);
    onStage('sort:committing');
    return moved;
  });
  onStage('sort:committed');
  return events;
}

async function lastRow(connection: DuckDBConnection, most: number): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT max(rowid) FROM (SELECT rowid FROM hot ORDER BY rowid LIMIT ${most})`,
  );
  return Number(reader.getRows()[0]?.[0] ?? -1);
}

/** Makes one run of several. Returns how many events it has. */
export async function mergeRuns(transact: Transact, runs: Run[], onStage: (stage: Stage) => void): Promise<number> {
  const events = await transact(async (connection) => {
    const merged = `run IN (${runs.map(({ run }) => run).join(', ')})`;
    const moved = await writeRun(connection, `cold WHERE ${merged}`);
    await connection.run(`DELETE FROM cold WHERE ${merged}; DELETE FROM runs WHERE ${merged}`);
    onStage('merge:committing');
    return moved;
  });
  onStage('merge:committed');
  return events;
}

/** The events of tables, under conditions, once more as a run. Returns how many there are. */
export async function writeRun(connection: DuckDBConnection, ...sources: string[]): Promise<number> {
  await connection.run('UPDATE last_run SET run = run + 1');
  const reader = await connection.runAndReadAll('SELECT run, (SELECT epoch FROM layout) FROM last_run');
  const [run, epoch] = reader.getRows()[0]!.map(Number);
  let events = 0;
  for (const source of sources) {
    const { sql, params } = await insertRun(connection, run!, source);
    events += (await connection.run(sql, params)).rowsChanged;
  }
  await connection.run('INSERT INTO runs VALUES ($1, $2, $3)', [run!, BigInt(events), epoch!]);
  return events;
}

/** Makes the counts of runs true after events were taken out of them. A run without events is none. */
export async function recountRuns(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `UPDATE runs SET events = coalesce((SELECT count(*) FROM cold WHERE cold.run = runs.run), 0);
     DELETE FROM runs WHERE events = 0`,
  );
}
