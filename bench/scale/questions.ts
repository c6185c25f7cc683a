import { withMethods } from '../../src/core/base/shared/with-methods.ts';
import type { Datasets } from '../events/dataset.ts';
import { TENANTS } from '../events/generate.ts';
import { medianTimes, sameAnswer } from '../events/measure.ts';
import { load, openOwnStore } from '../events/own-store.ts';
import { questions } from '../events/questions.ts';
import type { Line, Report } from '../events/report.ts';
import { sourceEvents } from '../events/source-rows.ts';
import type { ScaleEngines } from './engines.ts';
import { compareHeldOut } from './held-out.ts';

const AT_MOST = 2;

interface QuestionsOptions {
  engines: ScaleEngines;
  datasets: Datasets;
  rows: number;
  rounds: number;
  /** How many drawn questions are compared beside. */
  heldOut: number;
}

/** The same questions of both stores in turn, by the whole product without HTTP. */
export async function benchQuestions(
  report: Report,
  { engines, datasets, rows, rounds, heldOut }: QuestionsOptions,
): Promise<void> {
  const { store, clickhouseUrl, close } = await engines.open();
  const files = (await datasets.own(rows)).store;
  const noCopy = async () => {
    throw new Error('The bench copies nothing.');
  };
  const scale = await openOwnStore(
    datasets.scratch('scale'),
    TENANTS,
    async () => withMethods(store, { copyTo: noCopy } as object) as never,
  );
  report.progress(`loading ${rows.toLocaleString('en-US')} events into PostgreSQL and ClickHouse`);
  const seconds = await load(scale, sourceEvents(await datasets.source(rows)));
  report.progress(`${Math.round(rows / seconds).toLocaleString('en-US')} events/s until visible`);
  await engines.clickhouse.rows(clickhouseUrl, 'OPTIMIZE TABLE {database}.events FINAL');
  const [[bytes]] = (await engines.clickhouse.rows(
    clickhouseUrl,
    `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '{database}'`,
  )) as [[number]];
  const lines: Line[] = [];
  for (const question of questions) {
    const [expected, found] = [await question.ask(files), await question.ask(scale)];
    if (!sameAnswer(found, expected)) report.failure('scale', `${question.name}: the answers differ`);
    const contenders = { files: () => question.ask(files), clickhouse: () => question.ask(scale) };
    const times = await medianTimes(contenders, rounds);
    lines.push({
      what: question.name,
      values: { 'files, ms': times.files, 'ClickHouse, ms': times.clickhouse, ratio: times.clickhouse / times.files },
      demanded: { of: 'ratio', atMost: AT_MOST },
    });
  }
  report.table(
    'scale',
    `questions over ${rows.toLocaleString('en-US')} events, ${Math.round(Number(bytes) / rows)} bytes each`,
    lines,
  );
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
  await compareHeldOut(report, { files, scale, count: heldOut, seed });
  await scale.runtime.close();
  await files.runtime.close();
  await close();
}
