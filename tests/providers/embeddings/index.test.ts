import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { connectionOfEnvironment } from '../../../src/core/agents/providers/environment.ts';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import type { Embedder } from '../../../src/core/knowledge/embedder.ts';
import type { Job } from '../../../src/core/knowledge/store.ts';
import { closeDispatchers } from '../../../src/outbound/dispatchers.ts';
import { cachingQueries, embedderOf } from '../../../src/providers/embeddings/index.ts';
import { slices, workshop } from '../../core/knowledge/ingestion-support.ts';
import { eventually } from '../../support/process.ts';
import { scopeOfThisFile } from '../../support/shared.ts';
import { type Asked, embedderAt, STAYS } from './support.ts';
import { API_KEY, connectionTo, type Reply, type VectorRequest, vectorServer } from './vector-server.ts';

const DIMENSIONS = null;

function refusal(name: string, changes: Parameters<typeof connectionTo>[2] = {}): RuntimeError {
  try {
    embedderOf({ name, dimensions: DIMENSIONS }, (provider) => connectionTo(provider, null, changes));
  } catch (error) {
    assert.ok(error instanceof RuntimeError);
    return error;
  }
  throw new Error('It was not refused.');
}

test('embedderOf: an embedder has its name and dimensions and is semantic', () => {
  const embedder = embedderOf({ name: 'openai/text-embedding-3-small', dimensions: 512 }, (provider) =>
    connectionTo(provider, null),
  );
  assert.deepEqual(
    [embedder.name, embedder.dimensions, embedder.semantic],
    ['openai/text-embedding-3-small', 512, true],
  );
});

test('embedderOf: an unknown provider is refused with a list of the known ones', () => {
  for (const name of ['', 'openai', 'openai/', '/x', 'voyage/voyage-3', 'toString/x', 'OpenAI/x']) {
    const { code, message } = refusal(name);
    assert.equal(code, 'invalid');
    assert.match(message, /^embedder: .*providers are openai, gemini, bedrock, compatible$/);
  }
});

test('embedderOf: an unknown Bedrock model is refused before a request', () => {
  for (const model of [
    'amazon.titan-embed-text-v1',
    'amazon.titan-embed-image-v1',
    'anthropic.claude-3',
    'cohere.rerank-v3-5:0',
  ]) {
    const { code, message } = refusal(`bedrock/${model}`);
    assert.equal(code, 'invalid');
    assert.match(message, /none of the models of Bedrock .*amazon\.titan-embed-text-v2:0, cohere\./);
  }
});

test('familyOf: Bedrock models are found by region or ARN', () => {
  for (const model of [
    'us.cohere.embed-v4:0',
    'arn:aws:bedrock:us-east-1::foundation-model/amazon.titan-embed-text-v2:0',
  ]) {
    embedderOf({ name: `bedrock/${model}`, dimensions: null }, (provider) => connectionTo(provider, null));
  }
});

test('embedderOf: a missing key is reported with its variable', () => {
  const { code, message } = refusal('openai/text-embedding-3-small', { apiKey: null });
  assert.deepEqual(
    [code, message],
    ['unprocessable', 'embedder: there is no key for openai. Set OPENAI_API_KEY to a key that may use the model.'],
  );
  assert.match(refusal('gemini/gemini-embedding-001', { apiKey: null }).message, /GEMINI_API_KEY or GOOGLE_API_KEY/);
});

test('embedderOf: a missing environment setting is reported as for chats', () => {
  assert.throws(
    () =>
      embedderOf({ name: 'openai/any', dimensions: null }, (provider) =>
        connectionOfEnvironment(provider, () => undefined),
      ),
    { code: 'unprocessable', message: /OPENAI_API_KEY/ },
  );
});

test('embedderOf: a compatible server needs an address and no key', () => {
  assert.match(refusal('compatible/nomic-embed-text').message, /^embedder: compatible needs the address/);
  embedderOf({ name: 'compatible/nomic-embed-text', dimensions: null }, (provider) =>
    connectionTo(provider, 'http://localhost:11434/v1', { apiKey: null }),
  );
});

function countingEmbedder() {
  const asked: string[][] = [];
  const embedder: Embedder = {
    ...{ name: 'test/test', dimensions: 2, semantic: false },
    embed: async (texts) => {
      asked.push([...texts]);
      return { vectors: Float32Array.from(texts.flatMap(({ length }) => [length, 1])), dimensions: 2 };
    },
  };
  return { asked, embedder };
}

test('cachingQueries: recent queries are cached, the least recently used is evicted', async () => {
  const { asked, embedder } = countingEmbedder();
  const remembering = cachingQueries(embedder, 2);
  for (const text of ['a', 'bb', 'a', 'ccc', 'a', 'bb']) {
    const { vectors } = await remembering.embed([text], 'query', STAYS);
    assert.deepEqual([...vectors], [text.length, 1]);
  }
  assert.deepEqual(asked, [['a'], ['bb'], ['ccc'], ['bb']]);
});

test('cachingQueries: a change to returned vectors does not affect the cache', async () => {
  const { embedder } = countingEmbedder();
  const remembering = cachingQueries(embedder);
  for (let times = 0; times < 3; times++) {
    const { vectors } = await remembering.embed(['a'], 'query', STAYS);
    assert.deepEqual([...vectors], [1, 1]);
    structuredClone(vectors, { transfer: [vectors.buffer as ArrayBuffer] });
  }
});

test('cachingQueries: documents, several queries and long ones are not cached', async () => {
  const { asked, embedder } = countingEmbedder();
  const remembering = cachingQueries(embedder);
  for (let times = 0; times < 2; times++) {
    await remembering.embed(['a'], 'document', STAYS);
    await remembering.embed(['a', 'b'], 'query', STAYS);
    await remembering.embed(['a'.repeat(2_000)], 'query', STAYS);
  }
  assert.equal(asked.length, 6);
});

test('cachingQueries: an aborted signal rejects even for a cached query', async () => {
  const remembering = cachingQueries(countingEmbedder().embedder);
  await remembering.embed(['a'], 'query', STAYS);
  await assert.rejects(remembering.embed(['a'], 'query', AbortSignal.abort(new Error('gone'))), /gone/);
});

const scope = scopeOfThisFile();
scope.after(() => closeDispatchers());

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
