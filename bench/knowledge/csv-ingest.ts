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
  const rates: { ours: number; lance: number }[] = [];
  try {
    // The first does not count: threads start, and compile themselves.
    for (let round = 0; round <= options.rounds; round++) {
      const job = await knowledge.ingest(`round-${round}`, path);
      if (job.processedChunks !== rows) throw new Error(`Of ${rows} rows we stored ${job.processedChunks}.`);
      const done = await ask(lance, { engines: options.engines, directory: lanceDirectory, csv: path });
      if (done.rows !== rows) throw new Error(`Of ${rows} rows LanceDB stored ${done.rows}.`);
      const rate = { ours: rows / secondsOf(job), lance: rows / done.seconds };
      report.progress(`ours ${rate.ours.toFixed(0)} rows/s, LanceDB ${rate.lance.toFixed(0)}`);
      if (round > 0) rates.push(rate);
    }
  } finally {
    lance.kill();
    knowledge.close();
    await served.stop();
    rmSync(lanceDirectory, { recursive: true, force: true });
  }
  report.table(
    'csv-ingest',
    `${rows} rows, ${(bytes / 1e6).toFixed(0)} MB, 512 dimensions, median of ${options.rounds} rounds`,
    [
      {
        what: 'ours',
        values: {
          'rows/s': median(rates.map(({ ours }) => ours)),
          'x LanceDB': median(rates.map(({ ours, lance }) => ours / lance)),
        },
        demanded: { of: 'x LanceDB', atLeast: 1.3 },
      },
      { what: 'LanceDB 0.39.0', values: { 'rows/s': median(rates.map(({ lance }) => lance)), 'x LanceDB': 1 } },
    ],
  );
}

async function ask(lance: ChildProcess, task: LanceTask): Promise<LanceDone> {
  const answered = Promise.race([
    once(lance, 'message'),
    once(lance, 'exit').then(() => {
      throw new Error('LanceDB has ended.');
    }),
  ]);
  lance.send(task);
  const [done] = (await answered) as [LanceDone];
  return done;
}
