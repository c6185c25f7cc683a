import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HASH_DIMENSIONS, hashEmbedding } from '../../../src/core/knowledge/hash-embedding.ts';
import { EVENTS } from '../../support/app.ts';
import { accepted, ask, ended, ingested, jobOf, type KeptChunk, keptIn } from '../../support/knowledge.ts';
import {
  createKey,
  eventually,
  newDataDirectory,
  type Server,
  startServe,
  startServer,
} from '../../support/process.ts';

const ENVIRONMENT = { AGENT_RUNTIME_EMBEDDER: 'hash', AGENT_RUNTIME_RATE_LIMIT: '0' };

const CHUNKS_A_ROW = 1 + 5 / 6;

function rowsOf(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const told = index % 3 === 2 ? (index % 2 === 0 ? index - 1 : Math.floor(index / 2)) : index;
    return `title ${told},"the text, of row ${told}, ${'with words '.repeat(told % 7)}"`;
  });
  return `title,text\n${rows.join('\n')}\n`;
}

/** Two files, of one of which duplicates are dropped, while the server is killed again and again. */
export async function survivesKnowledgeKills(t: TestContext, kills: number, rows: number): Promise<void> {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const start = () => startServer(t, dataDir, { environment: ENVIRONMENT });
  const file = { name: 'rows.csv', content: rowsOf(rows) };
  const deduped = { hygieneDedupeUnits: 'true' };

  let server = await start();
  const jobs = [
    await accepted({ url: server.url, key }, file, { vectorStore: 'killed' }),
    await accepted({ url: server.url, key }, file, { vectorStore: 'killed-deduped', ...deduped }),
  ];
  const seen: string[] = [];
  for (let kill = 1; kill <= kills; kill++) {
    // Spread over the work, however fast it is.
    const goal = (rows * CHUNKS_A_ROW * (kill - Math.random() * 0.6)) / (kills + 1);
    await eventually('there is more', async () => (await totalOf(server, key, jobs)) >= goal, 60_000);
    await sleep(Math.random() * 40);
    seen.push(`${await totalOf(server, key, jobs)}`);
    await server.end('SIGKILL');
    if (kill % 4 === 3) await killWhileItStarts(t, dataDir);
    server = await start();
    const desk = { url: server.url, key };
    for (const jobId of jobs) assert.notEqual((await jobOf(desk, jobId)).status, 'failed');
  }
  const desk = { url: server.url, key };
  for (const jobId of jobs) {
    const { status, error } = await ended(desk, jobId, 120_000);
    assert.deepEqual([status, error], ['completed', null]);
  }
  await ingested(desk, file, { vectorStore: 'whole' });
  await ingested(desk, file, { vectorStore: 'whole-deduped', ...deduped });
  for (const jobId of jobs) assert.equal(await toldOf(server, key, jobId), 1, 'one event tells of its end');
  assert.equal((await server.end('SIGTERM')).code, 0);

  for (const name of ['', '-deduped']) {
    const [killed, whole] = [keptIn(dataDir, `killed${name}`), keptIn(dataDir, `whole${name}`)];
    assert.deepEqual(told(killed.chunks), told(whole.chunks));
    assert.deepEqual([killed.strayVectors, whole.strayVectors], [0, 0]);
    assert.deepEqual(
      killed.chunks.map(({ seq }) => seq),
      killed.chunks.map((_, index) => index),
    );
    for (const chunk of killed.chunks) assertOwnVector(chunk);
    const texts = new Set(whole.chunks.map(({ text }) => text));
    assert.equal(whole.chunks.length, name === '' ? rows : texts.size);
  }
}

/** What a crash has left is worked on before the first request can come. */
async function killWhileItStarts(t: TestContext, dataDir: string): Promise<void> {
  const program = startServe(t, dataDir, 0, { environment: ENVIRONMENT });
  await sleep(300 + Math.random() * 700);
  await program.end('SIGKILL');
}

const told = (chunks: KeptChunk[]) => chunks.map(({ seq, row, text }) => `${seq} ${row} ${text}`);

async function totalOf(server: Server, key: string, jobs: string[]): Promise<number> {
  const found = await Promise.all(jobs.map((jobId) => jobOf({ url: server.url, key }, jobId)));
  return found.reduce((sum, { processedChunks }) => sum + processedChunks, 0);
}

function assertOwnVector({ text, vector }: KeptChunk): void {
  const expected = new Float32Array(HASH_DIMENSIONS);
  hashEmbedding(text, expected);
  assert.ok(vector?.equals(Buffer.from(expected.buffer)), `the vector of ${text}`);
}

async function toldOf(server: Server, key: string, jobId: string): Promise<number> {
  const query = {
    eventName: 'runtime.ingestion_completed',
    filters: [{ propertyKey: 'jobId', operator: 'eq', value: jobId }],
  };
  const { found } = await eventually(
    'the event is there',
    async () => {
      const { body } = await ask({ url: server.url, key }, 'POST', `${EVENTS}/query`, query);
      return body.total ?? assert.fail(JSON.stringify(body));
    },
    10_000,
  );
  return found;
}
