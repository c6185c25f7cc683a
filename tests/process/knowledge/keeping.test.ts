import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryDirectory } from '../../support/app.ts';
import { heldEmbedder } from '../../support/held-embedder.ts';
import { accepted, type Desk, ended, ingested, jobOf, keptIn, search } from '../../support/knowledge.ts';
import {
  createKey,
  eventually,
  newDataDirectory,
  runProgram,
  type Server,
  startServer,
} from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runJson } from '../../support/shell.ts';

const ENVIRONMENT = { AGENT_RUNTIME_EMBEDDER: 'hash', AGENT_RUNTIME_RATE_LIMIT: '0' };
const ROWS = 4_000;

const csv = (word: string, rows = ROWS) =>
  `id,text\n${Array.from({ length: rows }, (_, index) => `${index},${word} ${index}`).join('\n')}\n`;

async function serving(t: TestContext, environment: Record<string, string> = ENVIRONMENT) {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const start = () => startServer(t, dataDir, { environment });
  const server = await start();
  const deskOf = ({ url }: Server): Desk => ({ url, key });
  return { dataDir, start, server, deskOf, desk: deskOf(server) };
}

const begun = (desk: Desk, jobId: string) =>
  eventually('some of it is stored', async () => (await jobOf(desk, jobId)).processedChunks > 0, 10_000);

rareTest('Ingestion: SIGTERM ends it in time and the next start continues the job', async (t) => {
  const { dataDir, start, server, desk, deskOf } = await serving(t);
  const jobId = await accepted(desk, { name: 'a.csv', content: csv('word') });
  await begun(desk, jobId);
  const started = performance.now();
  const { code } = await server.end('SIGTERM');
  const ms = performance.now() - started;
  assert.equal(code, 0);
  assert.notEqual(keptIn(dataDir, 'manuals').chunks.length, ROWS, 'it was in the midst of it');
  assert.ok(ms < 5_000, `it took ${ms.toFixed(0)} ms`);
  const next = await start();
  const { status, processedChunks } = await ended(deskOf(next), jobId);
  assert.deepEqual([status, processedChunks], ['completed', ROWS]);
  await next.end('SIGTERM');
  const { chunks, strayVectors } = keptIn(dataDir, 'manuals');
  assert.deepEqual(
    chunks.map(({ row }) => row),
    Array.from({ length: ROWS }, (_, index) => index + 1),
  );
  assert.equal(strayVectors, 0);
});

rareTest('backup: has ingested chunks; a running job fails in the copy and continues here', async (t) => {
  const { url, letGo } = await heldEmbedder(t, (texts) => texts.some((text) => text.includes('word')));
  const environment = { AGENT_RUNTIME_EMBEDDER: 'compatible/held', AGENT_RUNTIME_EMBEDDING_URL: url };
  const { dataDir, server, desk } = await serving(t, environment);
  await ingested(desk, { name: 'kept.txt', content: 'the warranty of the pump' });
  const jobId = await accepted(desk, { name: 'a.csv', content: csv('word', 100) });
  await eventually('it is begun', async () => (await jobOf(desk, jobId)).status === 'processing', 5_000);
  const file = join(temporaryDirectory(t), 'a.backup');
  await runJson(dataDir, 'backup', file);
  const restored = newDataDirectory(t);
  await runJson(restored, 'restore', file, '--identity', join(dataDir, 'secret.key'));
  const other = await startServer(t, restored, { environment });
  const there = { url: other.url, key: desk.key };
  const failed = await ended(there, jobId);
  assert.equal(failed.status, 'failed');
  assert.match(failed.error, /^The uploaded file is not there any more: a backup holds no files.*Upload it again\.$/);
  const { results, total } = await search(there, 'manuals', 'warranty pump');
  assert.deepEqual([results[0].text, total], ['the warranty of the pump', 1]);
  letGo();
  assert.equal((await ended(desk, jobId)).status, 'completed');
  assert.equal((await server.end('SIGTERM')).code, 0);
});

rareTest('erase: no word of the documents of a tenant remains in any file', async (t) => {
  const { dataDir, server, desk } = await serving(t);
  const secret = 'xylophonic';
  await ingested(desk, { name: `${secret}.csv`, content: csv(secret, 600) }, { metadata: `{"who":"${secret}"}` });
  await ingested(
    desk,
    { name: 'b.csv', content: csv(secret, 600) },
    { vectorStore: secret, hygieneDedupeUnits: 'true' },
  );
  const running = await accepted(desk, { name: 'c.csv', content: csv(secret, 8_000) });
  await begun(desk, running);
  const { code, stderr } = await runProgram(t, ['erase', '--tenant', 'default', '--yes', '--data-dir', dataDir]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(readdirSync(join(dataDir, 'uploads')), []);
  for (const when of ['while it is served', 'when it has ended']) {
    for (const name of readdirSync(dataDir).filter((one) => one.startsWith('knowledge.'))) {
      const content = readFileSync(join(dataDir, name)).toString('latin1');
      assert.equal(content.includes(secret), false, `${name}, ${when}`);
    }
    if (when === 'while it is served') assert.equal((await server.end('SIGTERM')).code, 0);
  }
});
