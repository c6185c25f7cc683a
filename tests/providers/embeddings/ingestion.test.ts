import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Job } from '../../../src/core/knowledge/store.ts';
import { slices, workshop } from '../../core/knowledge/ingestion-support.ts';
import { eventually } from '../../support/process.ts';
import { type Asked, embedderAt } from './support.ts';
import { API_KEY, type Reply, type VectorRequest, vectorServer } from './vector-server.ts';

/** What becomes of a document whose embedder is a server that answers so. */
async function jobWith(t: TestContext, replies: (Reply | ((request: VectorRequest) => Reply))[], asked: Asked = {}) {
  const server = await vectorServer(t);
  server.script(...replies);
  const shop = workshop(t);
  const name = 'compatible/some-model';
  const embedder = embedderAt(server, name, asked);
  const made = await shop.add(slices(3, 2), { embedder: name });
  shop
    .ingestion({ embedders: { configured: name, of: () => embedder } as unknown as typeof shop.parts.embedders })
    .wake();
  await eventually('it has ended', async () => shop.ended.length > 0, 15_000);
  const job: Job = await shop.job(made);
  for (const text of [job.error ?? '', ...shop.events.map(({ properties }) => properties)]) {
    assert.equal(text.includes(API_KEY.slice(0, 12)), false, 'no key is shown');
  }
  return { job, server, shop };
}

/** An answer with a vector for each text. */
const vectors =
  (dimensions: number, left = 0) =>
  ({ body }: VectorRequest): Reply => {
    const vector = Buffer.from(Float32Array.from({ length: dimensions }, (_, index) => index + 1).buffer);
    const texts = (body.input as string[]).slice(left);
    const data = texts.map((_, index) => ({ object: 'embedding', index, embedding: vector.toString('base64') }));
    return { body: { object: 'list', data, model: 'some-model' } };
  };

test('ingestion: a provider that is busy for a while delays the job', async (t) => {
  const busy = { status: 429, headers: { 'retry-after': '1' }, body: { error: { message: 'slow down' } } };
  const { job, server } = await jobWith(t, [busy, { status: 503 }, busy, vectors(4)]);
  assert.deepEqual([job.status, job.error, job.processedChunks], ['completed', null, 6]);
  assert.ok(server.requests.length >= 6);
});

test('ingestion: a provider that stays busy fails the job with advice to retry', async (t) => {
  const { job } = await jobWith(t, [{ status: 429, body: { error: { message: 'slow down' } } }]);
  assert.equal(job.status, 'failed');
  assert.match(
    job.error!,
    /^compatible\/some-model made no vectors: It answered 429: .*Try again later, or raise the limits/,
  );
});

test('ingestion: too few vectors fail the job', async (t) => {
  const { job } = await jobWith(t, [vectors(4, 1)]);
  assert.equal(job.status, 'failed');
  assert.match(job.error!, /^compatible\/some-model made no vectors: It gave 1 vectors for 2 texts\./);
});

test('ingestion: vectors of another size fail the job and leave the store unchanged', async (t) => {
  const { job, shop } = await jobWith(t, [vectors(4), vectors(5)]);
  assert.equal(job.status, 'failed');
  assert.match(job.error!, /made vectors of 5 dimensions for a store of 4|vectors of 4 dimensions for a store of 5/);
  assert.equal((await shop.store.findStore('one', 'manuals'))?.chunks, 0);
});

test('ingestion: a provider that never answers fails the job after its timeout', async (t) => {
  const soon = { requestMs: 50, totalMs: 200 };
  const { job } = await jobWith(t, [null], { timeouts: { document: soon, query: soon } });
  assert.equal(job.status, 'failed');
  assert.match(
    job.error!,
    /^compatible\/some-model made no vectors: It did not answer within 1 s\. Check that its server runs/,
  );
});

test('ingestion: an invalid key fails the job at once and is not revealed', async (t) => {
  const error = { message: `Incorrect API key provided: ${API_KEY}` };
  const { job, server } = await jobWith(t, [{ status: 401, body: { error } }]);
  assert.deepEqual(
    [job.status, job.error],
    [
      'failed',
      'compatible/some-model made no vectors: It does not accept the key (401). Give its connection an API key that may use the model.',
    ],
  );
  assert.ok(server.requests.length <= 3, 'it is asked no more');
});
