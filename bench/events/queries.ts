import type { Bench } from './bench.ts';
import { sizeOf } from './dataset.ts';
import { typedColumns } from './dialect.ts';
import { type DuckdbFile, openDuckdb } from './generate.ts';
import { canonical, medianTimes, pause, sameAnswer } from './measure.ts';
import type { OwnStore } from './own-store.ts';
import { type Question, questions, unlearnedQuestions } from './questions.ts';
import type { Line } from './report.ts';

const PART = 'queries';
/** The crowded tenant's share of the rows, and the fewest that fill a tenant's learned keys. */
const CROWDED_SHARE = 20;
const FEWEST_CROWDED = 50_000;
/** A name's columns are read from its second question on, and again where a question has others. */
const FEWEST_PASSES = 5;
const MOST_PASSES = 20;
const PASS_PAUSE_MS = 2_000;

/** Queries of the product, against DuckDB with a column for each property: the floor. */
export async function benchQueries(bench: Bench): Promise<void> {
  const { options, datasets, report } = bench;
  const floorPath = await datasets.floor(options.rows);
  const { store, loaded } = await datasets.own(options.rows);
  const lines = await againstFloor(bench, store, floorPath, questions);
  await store.runtime.close();
  report.table(PART, `${shown(options.rows)} events, against typed columns`, lines);

  report.table(PART, `disk, ${shown(options.rows)} events`, [
    diskLine('tables', loaded.disk.tables, sizeOf(floorPath), 1.6),
    diskLine('the whole data directory', loaded.disk.all, sizeOf(floorPath)),
    diskLine('of which spool and ids', loaded.disk.spool, sizeOf(floorPath)),
  ]);
  await benchUnlearned(bench);
}

async function benchUnlearned(bench: Bench): Promise<void> {
  const { options, datasets, report } = bench;
  const rows = Math.max(FEWEST_CROWDED, Math.round(options.rows / CROWDED_SHARE));
  const floorPath = await datasets.crowdedFloor(rows);
  const store = await datasets.ownCrowded(rows);
  const { crowdedTenants, learnedColumns } = (await store.runtime.eventStore.stats()).files!;
  if (crowdedTenants === 0) report.failure(PART, `nothing is unlearned: ${learnedColumns} columns hold every key`);
  const lines = await againstFloor(bench, store, floorPath, unlearnedQuestions);
  await store.runtime.close();
  report.table(PART, `${shown(rows)} events of a tenant with 300 keys before these`, lines);
}

async function againstFloor(bench: Bench, store: OwnStore, floorPath: string, asked: Question[]): Promise<Line[]> {
  const floor = await openDuckdb(floorPath);
  await askUntilSettled(store, asked);
  const lines: Line[] = [];
  for (const question of asked) {
    const statements = question.statements(typedColumns);
    if (statements === null) continue;
    await checkAnswers(bench, PART, question, 'the floor', await rowsOf(floor, statements), store);
    const times = await medianTimes(
      { floor: () => rowsOf(floor, statements), own: () => question.ask(store) },
      bench.options.rounds,
    );
    lines.push({
      what: question.name,
      values: { 'floor ms': times.floor, 'ours ms': times.own, ratio: times.own / times.floor },
      demanded: { of: 'ratio', atMost: question.atMost },
    });
  }
  floor.close();
  return lines;
}

/** Until the columns of the events that are asked for are in memory, as far as they fit. */
async function askUntilSettled(store: OwnStore, asked: Question[]): Promise<void> {
  const answered = async () => (await store.runtime.eventStore.stats()).files!.keptColumns.answers;
  let [before, known] = [-1, await answered()];
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    for (const question of asked) await question.ask(store);
    await pause(PASS_PAUSE_MS);
    const now = await answered();
    if (pass >= FEWEST_PASSES && now - known === before) return;
    [before, known] = [now - known, now];
  }
}

/** Every row as JavaScript values. */
export async function rowsOf({ connection }: DuckdbFile, statements: string[]): Promise<unknown[][][]> {
  const results: unknown[][][] = [];
  for (const sql of statements) {
    const reader = await connection.runAndReadAll(sql);
    results.push(reader.getRowObjectsJS().map((row) => Object.values(row)));
  }
  return results;
}

/** Reports a failure if an engine answers differently. */
export async function checkAnswers(
  { report }: Bench,
  part: string,
  question: Question,
  engine: string,
  results: unknown[][][],
  store: OwnStore,
): Promise<void> {
  const theirs = question.read(results);
  const ours = await question.ask(store);
  if (sameAnswer(ours, theirs)) return;
  const excerpt = (answer: unknown) => JSON.stringify(canonical(answer)).slice(0, 300);
  report.failure(part, `"${question.name}" is answered differently: ${excerpt(ours)}, by ${engine} ${excerpt(theirs)}`);
}

function diskLine(what: string, ours: number, floor: number, atMost?: number): Line {
  return {
    what,
    values: { 'floor MB': floor / 1e6, 'ours MB': ours / 1e6, ratio: ours / floor },
    ...(atMost === undefined ? {} : { demanded: { of: 'ratio', atMost } }),
  };
}

function shown(rows: number): string {
  return rows.toLocaleString('en-US');
}
