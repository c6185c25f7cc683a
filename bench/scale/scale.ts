import { Datasets } from '../events/dataset.ts';
import type { Options } from '../events/options.ts';
import { Report } from '../events/report.ts';
import { benchAccept } from './accept.ts';
import { startEngines } from './engines.ts';
import { benchQuestions } from './questions.ts';

/** PostgreSQL and ClickHouse against the files of one machine, on one machine: what many nodes cost, not what they gain. */
export async function benchScale({ rows, rounds, seconds, work, json }: Options): Promise<void> {
  const report = new Report(json);
  const datasets = new Datasets(work, (text) => report.progress(text));
  const engines = await startEngines();
  try {
    await benchAccept(report, engines, { directory: datasets.scratch('accept'), rounds, seconds });
    await benchQuestions(report, { engines, datasets, rows: Math.round(rows / 10), rounds });
  } finally {
    await engines.stop();
    datasets.remove();
  }
}
