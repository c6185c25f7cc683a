import type { DuckDBConnection } from '@duckdb/node-api';
import { observedTransaction, type StageObserver } from '../observer.ts';
import { readNumber } from '../read/rows.ts';
import { columnOrder, EPOCH } from '../tables.ts';
import type { Transact } from '../transactions.ts';

/* Log-structured merge of sorted runs (docs/decisions/0008-typed-columns.md). */

/** New events from which on they are sorted into a run; fewer while idle. */
const RUN_EVENTS = 125_000;
const IDLE_RUN_EVENTS = 20_000;
const SMALL_RUN_EVENTS = 1_000_000;
/** Small runs from which on they are merged, and the most events of the result. */
const MERGE_RUNS = 8;
const MERGED_EVENTS = 1_500_000;

export interface Run {
  run: number;
  events: number;
}

export type CompactionStep = { kind: 'sort'; events: number } | { kind: 'merge'; runs: Run[] };

export interface TableState {
  /** Events in `hot`. */
  arrivals: number;
  runs: Run[];
}

export const EMPTY: TableState = { arrivals: 0, runs: [] };

export function dueStep({ arrivals, runs }: TableState, idle: boolean): CompactionStep | null {
  if (arrivals >= (idle ? IDLE_RUN_EVENTS : RUN_EVENTS)) return { kind: 'sort', events: arrivals };
  const small = runs.filter(({ events }) => events < SMALL_RUN_EVENTS).sort((one, other) => one.events - other.events);
  if (small.length < MERGE_RUNS) return null;
  let sum = 0;
  const merged = small.filter(({ events }) => {
    sum += events;
    return sum <= MERGED_EVENTS;
  });
  return { kind: 'merge', runs: merged };
}

export async function readTableState(connection: DuckDBConnection): Promise<TableState> {
  const runs = await connection.runAndReadAll('SELECT run, events FROM runs ORDER BY run');
  return {
    arrivals: await readNumber(connection, 'SELECT count(*) FROM hot'),
    runs: runs.getRows().map(([run, events]) => ({ run: Number(run), events: Number(events) })),
  };
}

/** Moves the oldest new events into a run. Returns their number. */
export function sortArrivals(
  transact: Transact,
  observer: StageObserver,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  return observedTransaction(transact, 'sort', observer, async (connection) => {
    const part = Number.isFinite(limit) ? `hot WHERE rowid <= ${await lastRow(connection, limit)}` : 'hot';
    const events = await writeRun(connection, part);
    await connection.run(`DELETE FROM ${part}`);
    return events;
  });
}

function lastRow(connection: DuckDBConnection, limit: number): Promise<number> {
  const rows = `SELECT rowid FROM hot ORDER BY rowid LIMIT ${limit}`;
  return readNumber(connection, `SELECT coalesce(max(rowid), -1) FROM (${rows})`);
}

export function mergeRuns(transact: Transact, runs: Run[], observer: StageObserver): Promise<number> {
  return observedTransaction(transact, 'merge', observer, async (connection) => {
    const merged = `run IN (${runs.map(({ run }) => run).join(', ')})`;
    const events = await writeRun(connection, `cold WHERE ${merged}`);
    await connection.run(`DELETE FROM cold WHERE ${merged}; DELETE FROM runs WHERE ${merged}`);
    return events;
  });
}

/** `source` is a table with conditions. Returns the number of events. */
async function writeRun(connection: DuckDBConnection, source: string): Promise<number> {
  await connection.run('UPDATE last_run SET run = run + 1');
  const run = await readNumber(connection, 'SELECT run FROM last_run');
  const columns = (await columnOrder(connection)).filter((column) => column !== 'run').join(', ');
  const { rowsChanged } = await connection.run(
    `INSERT INTO cold (run, ${columns}) SELECT ${run}, ${columns} FROM ${source} ORDER BY tenant, event_name, timestamp`,
  );
  await connection.run('INSERT INTO runs VALUES ($1, $2, $3)', [run, BigInt(rowsChanged), EPOCH]);
  return rowsChanged;
}
