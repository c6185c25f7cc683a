import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installed } from '../events/engines/install.ts';
import { median } from '../events/measure.ts';
import { serve } from '../support.ts';
import { type Bench, LANCE } from './bench.ts';
import { csvFile } from './csv-file.ts';
import type { LanceDone, LanceTask } from './lance-entry.ts';
import { ServedKnowledge, secondsOf } from './served-knowledge.ts';

const SHARE_OF_ROWS = 1 / 200;
/** Each write of LanceDB makes a version and files of its own, so it likes many rows; a crash loses those of one write. */
const SLICES_A_WRITE = { often: 1, seldom: 10 };

/**
 * The same CSV with the same embeddings, from the file to what can be searched by words and by vectors, in turn. Ours is
 * the whole server: with jobs, checkpoints and leases, and safe against a crash at any time.
 */
export async function benchCsvIngest({ options, report, directory }: Bench): Promise<void> {
  const rows = Math.ceil(options.rows * SHARE_OF_ROWS);
  const { path, bytes } = await csvFile(directory, { rows, words: 10 });
  await installed(options.engines, LANCE);
  const lanceDirectory = mkdtempSync(join(directory, 'lance-'));
  const lance = fork(new URL('./lance-entry.ts', import.meta.url), {
    env: { ...process.env, UV_THREADPOOL_SIZE: '12' },
  });
  const served = await serve('knowledge-hash');
  const knowledge = new ServedKnowledge(served);
  const rates: { ours: number; often: number; seldom: number }[] = [];
  try {
    // The first does not count: threads start, and compile themselves.
    for (let round = 0; round <= options.rounds; round++) {
      const job = await knowledge.ingest(`round-${round}`, path);
      if (job.processedChunks !== rows) throw new Error(`Of ${rows} rows we stored ${job.processedChunks}.`);
      const lanceRate = async (slicesAWrite: number) => {
        const task = { engines: options.engines, directory: lanceDirectory, csv: path, slicesAWrite };
        const done = await ask(lance, task);
        if (done.rows !== rows) throw new Error(`Of ${rows} rows LanceDB stored ${done.rows}.`);
        return rows / done.seconds;
      };
      const rate = {
        ours: rows / secondsOf(job),
        often: await lanceRate(SLICES_A_WRITE.often),
        seldom: await lanceRate(SLICES_A_WRITE.seldom),
      };
      const [ours, often, seldom] = [rate.ours, rate.often, rate.seldom].map((one) => one.toFixed(0));
      report.progress(`ours ${ours} rows/s, LanceDB ${often} and ${seldom}`);
      if (round > 0) rates.push(rate);
    }
  } finally {
    lance.kill();
    knowledge.close();
    await served.stop();
    rmSync(lanceDirectory, { recursive: true, force: true });
  }
  const timesAs = (one: 'often' | 'seldom') => median(rates.map((rate) => rate.ours / rate[one]));
  report.table(
    'csv-ingest',
    `${rows} rows, ${(bytes / 1e6).toFixed(0)} MB, 512 dimensions, median of ${options.rounds} rounds`,
    [
      { what: 'ours, a transaction every 500 rows', values: { 'rows/s': median(rates.map(({ ours }) => ours)) } },
      {
        what: 'LanceDB 0.39.0, written every 500 rows',
        values: { 'rows/s': median(rates.map(({ often }) => often)), 'ours is x': timesAs('often') },
        demanded: { of: 'ours is x', atLeast: 1.3 },
      },
      {
        what: 'LanceDB 0.39.0, written every 5,000 rows',
        values: { 'rows/s': median(rates.map(({ seldom }) => seldom)), 'ours is x': timesAs('seldom') },
        demanded: { of: 'ours is x', atLeast: 1.3 },
      },
    ],
  );
}

async function ask(lance: ChildProcess, task: LanceTask): Promise<LanceDone> {
  const answered = new AbortController();
  const { signal } = answered;
  try {
    lance.send(task);
    const [done] = await Promise.race([
      once(lance, 'message', { signal }),
      once(lance, 'exit', { signal }).then(() => {
        throw new Error('LanceDB has ended.');
      }),
    ]);
    return done as LanceDone;
  } finally {
    answered.abort();
  }
}
