import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { WorkerPool } from '../../src/workers/pool.ts';
import { words, workshop } from '../core/knowledge/ingestion-support.ts';
import { temporaryDirectory } from '../support/app.ts';
import { eventually } from '../support/process.ts';

const ROWS = 6_000;

test('WorkerPool: threads killed while reading cost an attempt and lose no chunk', {
  timeout: 60_000,
}, async (t) => {
  const shop = workshop(t);
  const directory = temporaryDirectory(t);
  const pool = new WorkerPool({ threads: 2 });
  t.after(() => pool.close());
  const uploads = {
    ...shop.parts.uploads,
    open: async (id: string) => ({ path: join(directory, id), close: async () => undefined }),
  };
  const jobs = [];
  for (const vectorStore of ['a', 'b']) {
    const job = await shop.add([], { vectorStore, embedder: 'none' });
    writeFileSync(join(directory, job.uploadId), `text\n${words(ROWS).join('\n')}\n`);
    jobs.push(job);
  }
  shop.ingestion({ reader: pool as unknown as typeof shop.reader, uploads }).wake();
  let killed = 0;
  for (const job of jobs) {
    await eventually('some of it is stored', async () => (await shop.job(job)).processedChunks > 0, 15_000);
    const { threads } = await (pool as unknown as { pool: { pool: Promise<{ threads: Worker[] }> } }).pool.pool;
    const [thread] = threads;
    if (shop.ended.length === jobs.length || !thread) break;
    await thread.terminate();
    killed += 1;
    await sleep(20);
  }
  await eventually('both have ended', async () => shop.ended.length === jobs.length, 20_000);
  assert.ok(killed > 0);
  for (const job of jobs) {
    const { status, error, processedChunks } = await shop.job(job);
    assert.deepEqual([status, error, processedChunks], ['completed', null, ROWS]);
  }
});
