import { Datasets } from '../events/dataset.ts';
import type { Options } from '../events/options.ts';
import { Report } from '../events/report.ts';
import { benchAccept } from './accept.ts';
import { type ScaleEngines, startEngines } from './engines.ts';
import { benchNodes } from './nodes.ts';
import { benchQuestions } from './questions.ts';

interface Parts {
  report: Report;
  engines: ScaleEngines;
  datasets: Datasets;
  options: Options;
}

/** PostgreSQL and ClickHouse against the files of one machine, on one machine: what many nodes cost, not what they gain. */
export const scaleParts: Record<string, (parts: Parts) => Promise<void>> = {
  'scale-accept': ({ report, engines, datasets, options: { rounds, seconds } }) =>
    benchAccept(report, engines, { directory: datasets.scratch('accept'), rounds, seconds }),
  'scale-questions': ({ report, engines, datasets, options: { rows, rounds } }) =>
    benchQuestions(report, { engines, datasets, rows: Math.round(rows / 10), rounds, heldOut: 300 }),
  'scale-nodes': ({ report, options: { rounds, seconds } }) => benchNodes(report, { rounds, seconds }),
};

/** Those that are named, or all. */
export async function benchScale(names: string[], options: Options): Promise<void> {
  const report = new Report(options.json);
  const datasets = new Datasets(options.work, (text) => report.progress(text));
  const engines = await startEngines();
  try {
    for (const [name, bench] of Object.entries(scaleParts)) {
      if (names.length === 0 || names.includes(name)) await bench({ report, engines, datasets, options });
    }
  } finally {
    await engines.stop();
    datasets.remove();
  }
}
