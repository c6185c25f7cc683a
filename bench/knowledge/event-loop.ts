import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../events/measure.ts';
import { agentOf, get, type Served, serve } from '../support.ts';
import type { Bench } from './bench.ts';
import { csvFile } from './csv-file.ts';
import { ServedKnowledge } from './served-knowledge.ts';

const SHARE_OF_ROWS = 1 / 50;
const FILES = 2;
const BETWEEN_MS = 5;

interface Loop {
  p50: number;
  p99: number;
  max: number;
}

/** How long the server's event loop, and who asks for its health, wait: at rest, and while two files are ingested. */
export async function benchEventLoop({ options, report, directory }: Bench): Promise<void> {
  const rows = Math.ceil(options.rows * SHARE_OF_ROWS);
  const { path } = await csvFile(directory, { rows, words: 10 });
  const served = await serve('knowledge-hash');
  const knowledge = new ServedKnowledge(served);
  try {
    const ingestAll = (round: string) =>
      Promise.all(Array.from({ length: FILES }, (_, file) => knowledge.ingest(`${round}-${file}`, path)));
    await ingestAll('warm-up');
    const atRest = await meanwhile(served, () => sleep(options.seconds * 1_000));
    const busy = await meanwhile(served, () => ingestAll('measured'));
    report.table('event-loop', `${FILES} CSVs of ${rows} rows at once, 512 dimensions`, [
      { what: 'event loop at rest', values: atRest.loop },
      { what: 'event loop while ingesting', values: busy.loop, demanded: { of: 'p99 ms', atMost: 50 } },
      { what: 'GET /healthz at rest', values: atRest.health },
      { what: 'GET /healthz while ingesting', values: busy.health, demanded: { of: 'p99 ms', atMost: 50 } },
    ]);
  } finally {
    knowledge.close();
    await served.stop();
  }
}

async function meanwhile(served: Served, work: () => Promise<unknown>) {
  const agent = agentOf(1);
  const times: number[] = [];
  let isOver = false;
  await served.ask<Loop>('loop');
  const working = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const started = performance.now();
    await get(agent, `${served.url}/healthz`);
    times.push(performance.now() - started);
    await sleep(BETWEEN_MS);
  }
  await working;
  agent.destroy();
  const { p50, p99, max } = await served.ask<Loop>('loop');
  return {
    loop: { 'p50 ms': p50, 'p99 ms': p99, 'max ms': max },
    health: { 'p50 ms': quantile(times, 0.5), 'p99 ms': quantile(times, 0.99), 'max ms': Math.max(...times) },
  };
}
