import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accepted, ended, ingested, jobOf, keptIn, search, send } from '../../support/knowledge.ts';
import { createKey, eventually, newDataDirectory, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { canLimitFiles, limitFiles } from '../file-limit.ts';

const skip = canLimitFiles() ? false : 'prlimit of util-linux is not here: files cannot be limited from outside';
const ROWS = 3_000;

async function serving(t: TestContext) {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir, { environment: { AGENT_RUNTIME_RATE_LIMIT: '0' } });
  const uploads = () => readdirSync(join(dataDir, 'uploads'));
  return { dataDir, server, desk: { url: server.url, key }, uploads };
}

const rows = (from: number) =>
  `id,text\n${Array.from({ length: ROWS }, (_, index) => `${from + index},the text of row ${from + index}`).join('\n')}\n`;

rareTest('Ingestion: on a full disk uploads are refused and jobs wait until space is freed', { skip }, async (t) => {
  const { dataDir, server, desk, uploads } = await serving(t);
  await ingested(desk, { name: 'before.txt', content: 'known before' });

  limitFiles(server.pid, 400_000);
  const refused = await send(desk, { name: 'large.txt', content: 'x'.repeat(600_000) });
  assert.equal(refused.status, 503);
  assert.match(refused.body.message, /There is not enough room in .*uploads\.$/);
  assert.deepEqual(uploads(), []);

  // Enough for the job, and not for what it reads.
  limitFiles(server.pid, largestIn(dataDir) + 200_000);
  const jobId = await accepted(desk, { name: 'rows.csv', content: rows(0) });
  await eventually(
    'the job has met the full disk',
    async () => {
      const { status, processedChunks } = await jobOf(desk, jobId);
      assert.notEqual(status, 'failed');
      return status === 'processing' && processedChunks < ROWS;
    },
    10_000,
  );
  // Meanwhile what is known can be asked.
  assert.equal((await search(desk, 'manuals', 'known')).results[0].text, 'known before');
  assert.equal(uploads().length, 1, 'what was accepted stays');
  const waiting = await jobOf(desk, jobId);
  assert.deepEqual([waiting.status, waiting.error], ['processing', null]);

  limitFiles(server.pid, 'unlimited');
  const { status, processedChunks } = await ended(desk, jobId);
  assert.deepEqual([status, processedChunks], ['completed', ROWS]);
  assert.equal((await server.end('SIGTERM')).code, 0);
  const { chunks } = keptIn(dataDir, 'manuals');
  assert.deepEqual(
    chunks.slice(1).map(({ text }) => text),
    Array.from({ length: ROWS }, (_, index) => `id: ${index}\ntext: the text of row ${index}`),
  );
});

rareTest('Ingestion: on a full disk a file that must be unpacked or decoded waits', { skip }, async (t) => {
  const { server, desk, uploads } = await serving(t);
  await ingested(desk, { name: 'before.txt', content: 'known before' });
  const content = Buffer.from(
    `id,text\n${Array.from({ length: 30_000 }, (_, at) => `${at},${'ã'.repeat(40)}`).join('\n')}\n`,
    'latin1',
  );
  // It is there, and its copy in UTF-8, which is nearly twice as large, does not fit.
  limitFiles(server.pid, content.length + 100_000);
  const jobId = await accepted(desk, { name: 'rows.csv', content });
  await eventually('it is begun', async () => (await jobOf(desk, jobId)).status !== 'queued', 5_000);
  await sleep(1_500);
  const waiting = await jobOf(desk, jobId);
  assert.deepEqual([waiting.status, waiting.error], ['processing', null]);
  assert.equal(uploads().length, 1, 'no half copy stays');
  limitFiles(server.pid, 'unlimited');
  const { status, processedChunks } = await ended(desk, jobId);
  assert.deepEqual([status, processedChunks], ['completed', 30_000]);
});

/** Bytes of the largest file in a directory. */
function largestIn(directory: string): number {
  return Math.max(...readdirSync(directory).map((name) => statSync(join(directory, name)).size));
}
