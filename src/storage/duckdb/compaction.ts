import type { DuckDBConnection } from '@duckdb/node-api';
import type { Stage } from './observer.ts';
import { columnOrder, inTransaction } from './tables.ts';

/*
 * Arrivals become sorted runs, and small runs become larger ones. Each step is one transaction beside queries and
 * flushes: it commits whole or leaves nothing behind. Few large runs are as fast to read as one
 * (docs/decisions/0008-typed-columns.md).
 */

/** So many arrivals are made a run. */
const RUN_EVENTS = 500_000;
/** So many are, when nothing arrives for a while. */
const IDLE_RUN_EVENTS = 20_000;
/** Runs below this size are small; so many small ones are merged, up to so many events in all. */
const SMALL_RUN_EVENTS = 750_000;
const MERGE_RUNS = 4;
const MERGED_EVENTS = 3_000_000;

export interface Run {
  run: number;
  events: number;
}

export type CompactionStep = { kind: 'sort'; events: number } | { kind: 'merge'; runs: Run[] };

/** What is due, or null. */
export function dueStep(arrivals: number, runs: Run[], idle: boolean): CompactionStep | null {
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

/** Moves every arrival of its snapshot into a run of its own. Returns how many there were. */
export async function sortArrivals(connection: DuckDBConnection, onStage: (stage: Stage) => void): Promise<number> {
  const events = await inTransaction(connection, async () => {
    const columns = await movedColumns(connection);
    const run = await nextRun(connection);
    const moved = await connection.run(
      `INSERT INTO cold (run, ${columns}) SELECT ${run}, ${columns} FROM hot ORDER BY tenant, event_name, timestamp`,
    );
    await connection.run('DELETE FROM hot');
    await connection.run('INSERT INTO runs VALUES ($1, $2)', [run, BigInt(moved.rowsChanged)]);
    onStage('sort:committing');
    return moved.rowsChanged;
  });
  onStage('sort:committed');
  return events;
}

/** Makes one run of several. */
export async function mergeRuns(
  connection: DuckDBConnection,
  runs: Run[],
  onStage: (stage: Stage) => void,
): Promise<void> {
  await inTransaction(connection, async () => {
    const columns = await movedColumns(connection);
    const merged = runs.map(({ run }) => run).join(', ');
    const run = await nextRun(connection);
    await connection.run(
      `INSERT INTO cold (run, ${columns}) SELECT ${run}, ${columns} FROM cold WHERE run IN (${merged}) ORDER BY tenant, event_name, timestamp`,
    );
    await connection.run(`DELETE FROM cold WHERE run IN (${merged})`);
    await connection.run(`DELETE FROM runs WHERE run IN (${merged})`);
    await connection.run(`INSERT INTO runs SELECT ${run}, count(*) FROM cold WHERE run = ${run}`);
    onStage('merge:committing');
  });
  onStage('merge:committed');
}

export async function listRuns(connection: DuckDBConnection): Promise<Run[]> {
  const reader = await connection.runAndReadAll('SELECT run, events FROM runs ORDER BY run');
  return reader.getRows().map(([run, events]) => ({ run: Number(run), events: Number(events) }));
}

export async function countArrivals(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll('SELECT count(*) FROM hot');
  return Number(reader.getRows()[0]?.[0] ?? 0);
}

async function movedColumns(connection: DuckDBConnection): Promise<string> {
  return (await columnOrder(connection)).filter((column) => column !== 'run').join(', ');
}

async function nextRun(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll('SELECT coalesce(max(run), 0) + 1 FROM runs');
  return Number(reader.getRows()[0]![0]);
}
