import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeDispatchers } from '../../../src/outbound/dispatchers.ts';
import { readResponse } from '../../../src/providers/embeddings/model.ts';
import { scopeOfThisFile } from '../../support/shared.ts';
import { watchRejections } from '../support.ts';
import { type Asked, assertNumbered, embedderAt, failureOf, instantRetry, rowsOf, STAYS } from './support.ts';
import {
  API_KEY,
  cohereAnswer,
  geminiAnswer,
  numbered,
  openaiAnswer,
  type Reply,
  titanAnswer,
  vectorServer,
} from './vector-server.ts';

const scope = scopeOfThisFile();
const server = await vectorServer(scope);
watchRejections(scope);
scope.after(() => closeDispatchers());

const OFFERS = [
  { name: 'openai/text-embedding-3-small', answer: openaiAnswer, keys: /OPENAI_API_KEY/ },
  { name: 'compatible/bge-m3', answer: openaiAnswer, keys: /Give its connection an API key/ },
  { name: 'gemini/gemini-embedding-001', answer: geminiAnswer, keys: /GEMINI_API_KEY or GOOGLE_API_KEY/ },
  { name: 'bedrock/amazon.titan-embed-text-v2:0', answer: titanAnswer, keys: /AWS_BEARER_TOKEN_BEDROCK/ },
  { name: 'bedrock/cohere.embed-v4:0', answer: cohereAnswer, keys: /AWS_BEARER_TOKEN_BEDROCK/ },
];

const embed = (name: string, asked: Asked = {}, texts = numbered(1)) =>
  embedderAt(server, name, asked).embed(texts, 'document', STAYS);

for (const { name, answer, keys } of OFFERS) {
  const refusal = (status: number, headers: Record<string, string> = {}): Reply => ({
    status,
    headers,
    body: { message: `no: ${API_KEY}`, error: { message: `no: ${API_KEY}`, code: status } },
  });

  test(`${name}: retries after the requested time or with backoff`, async () => {
    const { pauses, retry } = instantRetry();
    server.script(refusal(429, { 'retry-after': '7' }), refusal(500), refusal(503), answer);
    assertNumbered(await embed(name, { retry }), 1);
    // The clock's random is 1: the most there can be.
    assert.deepEqual(pauses, [7_500, 1_000, 2_000]);
  });

  test(`${name}: an invalid key names its variable, no retry`, async () => {
    const before = server.requests.length;
    server.script(refusal(401));
    const message = await failureOf(embed(name));
    assert.equal(server.requests.length, before + 1);
    assert.ok(message.startsWith(`${name} made no vectors: `), message);
    assert.match(message, keys);
    assert.ok(!message.includes(API_KEY), message);
  });

  test(`${name}: a refused request is not retried, its key redacted`, async () => {
    const before = server.requests.length;
    server.script(refusal(400));
    const message = await failureOf(embed(name));
    assert.equal(server.requests.length, before + 1);
    assert.match(message, /It answered 400: .*Check the name of the model and the dimensions\.$/);
    assert.ok(!message.includes(API_KEY), message);
  });

  test(`${name}: a silent provider times out and is retried once`, async () => {
    const timeouts = { requestMs: 100, totalMs: 5_000 };
    server.script(null, answer);
    assertNumbered(await embed(name, { timeouts: { document: timeouts, query: timeouts } }), 1);
  });

  test(`${name}: an HTML page is not accepted`, async () => {
    server.script({ headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' });
    assert.match(await failureOf(embed(name)), /Check the address, the name of the model and the dimensions\.$/);
  });

  test(`${name}: JSON without vectors is not accepted`, async () => {
    for (const body of [{}, [], 'null', { data: null, embeddings: null, embedding: null }]) {
      server.script({ body });
      assert.match(await failureOf(embed(name)), /It (answered|gave) /);
    }
  });

  test(`${name}: vectors of other dimensions are refused`, async () => {
    server.script(answer);
    const message = await failureOf(embed(name, { dimensions: 512 }));
    assert.match(message, /It gave a vector of 3 dimensions where 512 were asked for\./);
  });

  test(`${name}: an abort rejects at once and ends the request`, async () => {
    const leaver = new AbortController();
    const gone = new Error('gone');
    server.script(null);
    const before = server.requests.length;
    const embedding = embedderAt(server, name).embed(numbered(1), 'query', leaver.signal);
    while (server.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 1));
    leaver.abort(gone);
    await assert.rejects(embedding, (error) => error === gone);
  });

  test(`${name}: a private address is blocked unless allowed`, async () => {
    const { pauses, retry } = instantRetry();
    const before = server.requests.length;
    const message = await failureOf(embed(name, { retry, connection: { allowPrivateNetwork: false } }));
    assert.match(message, /127\.0\.0\.1 is not at a public address, .*\(allowPrivateNetwork\)\.$/);
    assert.deepEqual([server.requests.length, pauses], [before, []]);
  });
}

test('withRetries: every provider sees the end of an aborted request', async () => {
  await server.whenLeft(2 * OFFERS.length);
});

test('withRetries: an unreachable server is retried, and its address not revealed', async () => {
  const { pauses, retry } = instantRetry();
  const timeouts = { requestMs: 1_000, totalMs: 4_000 };
  const nobody = { baseUrl: 'http://127.0.0.1:1' };
  const asked = { retry, timeouts: { document: timeouts, query: timeouts }, connection: nobody };
  for (const { name } of OFFERS) {
    const message = await failureOf(embed(name, asked));
    assert.match(message, /The provider cannot be reached \(ECONNREFUSED\)\. Check that its server runs/);
    assert.doesNotMatch(message, /127/);
  }
  assert.deepEqual(pauses.slice(0, 3), [500, 1_000, 2_000]);
});

test('Vectors: fewer vectors than texts are not accepted', async () => {
  server.script({ body: { data: [{ index: 0, embedding: [1, 2] }] } });
  assert.match(await failureOf(embed('openai/any', {}, numbered(2))), /It gave 1 vectors for 2 texts\./);
});

test('Vectors: vectors of different lengths in one response are not accepted', async () => {
  server.script({ body: { data: [{ embedding: [1, 2] }, { embedding: [1, 2, 3] }] } });
  const message = await failureOf(embed('openai/any', {}, numbered(2)));
  assert.match(message, /It gave a vector of 3 dimensions after one of 2\./);
});

test('Vectors: values that are not numbers are not accepted', async () => {
  const base64 = (numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString('base64');
  for (const [embedding, told] of [
    [base64([1, Number.NaN]), /not finite/],
    [base64([1, Number.POSITIVE_INFINITY]), /not finite/],
    ['AAAA', /something else/],
    ['', /something else/],
    [[1, null], /a value that is not a number/],
    [[1, '2'], /a value that is not a number/],
    [[0, 0], /zeros/],
    [[], /something else/],
    [7, /something else/],
  ] as const) {
    server.script({ body: { data: [{ embedding }] } });
    assert.match(await failureOf(embed('openai/any')), told, JSON.stringify(embedding));
  }
});

test('ProviderEmbedder: a response that breaks off is requested again', async () => {
  const cut: Reply = { body: '{"data":[', breaks: true };
  for (const { name, answer } of OFFERS) {
    const { pauses, retry } = instantRetry();
    server.script(cut, answer);
    assertNumbered(await embed(name, { retry }), 1);
    assert.equal(pauses.length, 1, name);
  }
});

test('ProviderEmbedder: a request that fails for good ends the others', async (t) => {
  const own = await vectorServer(t);
  own.script(null, { status: 400, body: { error: { message: 'no' } } });
  const message = await failureOf(embedderAt(own, 'compatible/any').embed(numbered(500), 'document', STAYS));
  assert.match(message, /It answered 400: no\./);
  await own.whenLeft(1);
  assert.equal(own.requests.length, 2);
});

test('operatorError: nothing of an invalid key is revealed', async () => {
  server.script({ status: 401, body: { error: { message: 'Incorrect API key provided: sk-secre*******6789.' } } });
  assert.equal(
    await failureOf(embed('openai/any')),
    'openai/any made no vectors: It does not accept the key (401). Set OPENAI_API_KEY to a key that may use the model.',
  );
});

test('readResponse: an endless response is abandoned', async () => {
  let given = 0;
  let left = false;
  const megabyte = Buffer.alloc(1024 * 1024);
  async function* endless() {
    try {
      for (; ; given += 1) yield megabyte;
    } finally {
      left = true;
    }
  }
  await assert.rejects(readResponse(endless()), { kind: 'broken' });
  assert.ok(left && given < 100, String(given));
});

test('ProviderEmbedder: an aborted signal prevents the request', async () => {
  const before = server.requests.length;
  const embedding = embedderAt(server, 'openai/any').embed(numbered(1), 'query', AbortSignal.abort(new Error('gone')));
  await assert.rejects(embedding, /^Error: gone$/);
  assert.equal(server.requests.length, before);
});

test('ProviderEmbedder: a query times out sooner than a document', async () => {
  const pausesOf = async (use: 'document' | 'query') => {
    const { pauses, retry } = instantRetry();
    server.script({ status: 503, headers: { 'retry-after': '4' } });
    await failureOf(embedderAt(server, 'openai/any', { retry }).embed(numbered(1), use, STAYS));
    return pauses.length;
  };
  assert.deepEqual([await pausesOf('query'), await pausesOf('document')], [2, 66]);
});

test('Vectors: numbers arrive as they were sent', async () => {
  server.script({ body: { data: [{ embedding: [3, -4] }] } });
  assert.deepEqual(rowsOf(await embed('openai/any')), [[...new Float32Array([0.6, -0.8])]]);
});
