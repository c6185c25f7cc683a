import type { Bench } from '../bench.ts';
import { type Contenders, medianTimes } from '../measure.ts';
import type { OwnStore } from '../own-store.ts';
import { checkAnswers } from '../queries.ts';
import { type Question, questions } from '../questions.ts';
import type { Line } from '../report.ts';
import { sourceEvents } from '../source-rows.ts';
import { openClickhouse } from './clickhouse.ts';
import { openDuckdbJson } from './duckdb.ts';
import type { Engine, Texts } from './engine.ts';
import { openPostgres } from './postgres.ts';
import { openSqliteJson } from './sqlite.ts';
import { writeCsv, writeTexts } from './texts.ts';

const PART = 'engines';
/** A sum by groups must take at least so many times as long as ours. */
const DEMANDED: Record<string, number> = { 'PostgreSQL JSONB': 20, 'ClickHouse JSON': 1 };

/** Alternatives, with the same events and the indexes and settings that suit the queries. */
export async function benchEngines(bench: Bench): Promise<void> {
  const { options, datasets, report } = bench;
  const rows = Math.round(options.rows / 5);
  const { store, loaded } = await datasets.own(rows);
  const engines = await openEngines(bench, rows);
  try {
    const times = await timesOf(bench, store, engines);
    for (const engine of engines) {
      const lines = times.flatMap(([question, time]) => lineOf(question, engine, time));
      const [theirs, ours] = [engine.diskBytes, loaded.disk.tables];
      lines.push({
        what: 'disk, MB',
        values: { theirs: theirs / 1e6, ours: ours / 1e6, 'times ours': theirs / ours },
      });
      report.table(PART, `${rows.toLocaleString('en-US')} events, against ${engine.name}`, lines);
    }
  } finally {
    await store.runtime.close();
    for (const engine of engines) await engine.close();
  }
}

/** The engines that can be installed here. */
async function openEngines({ options, datasets, report }: Bench, rows: number): Promise<Engine[]> {
  const source = await datasets.source(rows);
  const duckdb = await datasets.file(rows, 'texts.duckdb', (path) => writeTexts(path, source));
  const csv = await datasets.file(rows, 'texts.csv', (path) => writeCsv(path, duckdb));
  const texts: Texts = { duckdb, csv, scratch: datasets.scratch(PART) };
  const opening: Record<string, () => Promise<Engine>> = {
    DuckDB: () => openDuckdbJson(texts),
    SQLite: () => openSqliteJson(texts, sourceEvents(source)),
    PostgreSQL: () => openPostgres(texts, options.engines),
    ClickHouse: () => openClickhouse(texts, options.engines),
  };
  const engines: Engine[] = [];
  for (const [name, open] of Object.entries(opening)) {
    report.progress(`loading ${rows.toLocaleString('en-US')} events into ${name}`);
    try {
      engines.push(await open());
    } catch (error) {
      report.failure(PART, `${name} cannot be had: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return engines;
}

type Times = Record<string, number>;

/** Milliseconds of each question, by the names of the engines and `own`. */
async function timesOf(bench: Bench, store: OwnStore, engines: Engine[]): Promise<[Question, Times][]> {
  const times: [Question, Times][] = [];
  for (const question of questions) {
    const contenders: Contenders<string> = { own: () => question.ask(store) };
    for (const engine of engines) {
      const statements = question.statements(engine.dialect);
      if (statements === null) continue;
      await checkAnswers(bench, PART, question, engine.name, await engine.rowsOf(statements), store);
      contenders[engine.name] = () => engine.rowsOf(statements);
    }
    times.push([question, await medianTimes(contenders, bench.options.rounds)]);
  }
  return times;
}

function lineOf(question: Question, { name }: Engine, times: Times): Line[] {
  const [theirs, ours] = [times[name], times.own];
  if (theirs === undefined || ours === undefined) return [];
  const atLeast = question.name.startsWith('sum by') ? DEMANDED[name] : undefined;
  return [
    {
      what: `${question.name}, ms`,
      values: { theirs, ours, 'times ours': theirs / ours },
      ...(atLeast === undefined ? {} : { demanded: { of: 'times ours', atLeast } }),
    },
  ];
}
