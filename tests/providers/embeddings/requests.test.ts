import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ProviderFault } from '../../../src/core/agents/chat/provider.ts';
import { closeDispatchers } from '../../../src/outbound/dispatchers.ts';
import { batchesOf, cutToBytes } from '../../../src/providers/embeddings/embedder.ts';
import { retryEffects, withRetries } from '../../../src/providers/embeddings/retries.ts';
import { scopeOfThisFile } from '../../support/shared.ts';
import { assertNumbered, embedderAt, instantRetry, STAYS } from './support.ts';
import {
  API_KEY,
  cohereAnswer,
  geminiAnswer,
  numbered,
  openaiAnswer,
  titanAnswer,
  type VectorRequest,
  vectorServer,
} from './vector-server.ts';

const scope = scopeOfThisFile();
const server = await vectorServer(scope);
scope.after(() => closeDispatchers());

async function sentBy(embed: () => Promise<unknown>): Promise<VectorRequest[]> {
  const before = server.requests.length;
  await embed();
  return server.requests.slice(before);
}

test('openaiModel: OpenAI is asked for base64 and the requested dimensions', async () => {
  server.script(openaiAnswer);
  const embedder = embedderAt(server, 'openai/text-embedding-3-small', { dimensions: 3 });
  const [request] = await sentBy(async () => assertNumbered(await embedder.embed(numbered(3), 'document', STAYS), 3));
  assert.equal(request!.path, '/embeddings');
  assert.equal(request!.headers.authorization, `Bearer ${API_KEY}`);
  assert.deepEqual(request!.body, {
    model: 'text-embedding-3-small',
    input: ['text 0', 'text 1', 'text 2'],
    dimensions: 3,
    encoding_format: 'base64',
  });
});

test('openaiModel: a compatible server gets only common members', async () => {
  server.script(openaiAnswer);
  const embedder = embedderAt(server, 'compatible/bge-m3', {
    connection: { apiKey: null, headers: { 'x-team': 'a' } },
  });
  const [request] = await sentBy(async () => assertNumbered(await embedder.embed(numbered(2), 'query', STAYS), 2));
  assert.deepEqual(request!.body, { model: 'bge-m3', input: ['text 0', 'text 1'] });
  assert.equal(request!.headers['x-team'], 'a');
});

test('openaiModel: vectors may be numbers, and in any order', async () => {
  const shuffled = {
    data: [
      { index: 2, embedding: [2, 1] },
      { index: 0, embedding: [0, 1] },
      { index: 1, embedding: [1, 1] },
    ],
  };
  server.script({ body: shuffled });
  assertNumbered(await embedderAt(server, 'openai/any').embed(numbered(3), 'document', STAYS), 3);
});

test('openaiModel: vectors without an index, or all with 0, keep their order', async () => {
  for (const index of [undefined, 0]) {
    server.script({ body: { data: [0, 1, 2].map((place) => ({ index, embedding: [place, 1] })) } });
    assertNumbered(await embedderAt(server, 'compatible/any').embed(numbered(3), 'document', STAYS), 3);
  }
});

test('geminiModel: each text is a content of its own, with its task type', async () => {
  server.script(geminiAnswer);
  const embedder = embedderAt(server, 'gemini/gemini-embedding-001', { dimensions: 3 });
  const [documents] = await sentBy(async () => assertNumbered(await embedder.embed(numbered(2), 'document', STAYS), 2));
  assert.equal(documents!.path, '/v1beta/models/gemini-embedding-001:batchEmbedContents');
  assert.equal(documents!.headers['x-goog-api-key'], API_KEY);
  assert.deepEqual(
    documents!.body.requests,
    numbered(2).map((text) => ({
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text }] },
      taskType: 'RETRIEVAL_DOCUMENT',
      outputDimensionality: 3,
    })),
  );
  const [query] = await sentBy(() => embedder.embed(numbered(1), 'query', STAYS));
  assert.equal(query!.body.requests[0].taskType, 'RETRIEVAL_QUERY');
});

test('prompted: models with prefixes get them, others the plain text', async () => {
  const asked = async (name: string) => {
    const embedder = embedderAt(server, name);
    server.script(name.startsWith('gemini') ? geminiAnswer : openaiAnswer);
    const texts: string[] = [];
    for (const use of ['document', 'query'] as const) {
      const [request] = await sentBy(() => embedder.embed(['text 0'], use, STAYS));
      texts.push(request!.body.input?.[0] ?? request!.body.requests[0].content.parts[0].text);
    }
    return texts;
  };
  assert.deepEqual(await asked('gemini/gemini-embedding-2'), [
    'title: none | text: text 0',
    'task: search result | query: text 0',
  ]);
  assert.deepEqual(await asked('compatible/nomic-embed-text:v1.5'), [
    'search_document: text 0',
    'search_query: text 0',
  ]);
  assert.deepEqual(await asked('compatible/intfloat/multilingual-e5-large'), ['passage: text 0', 'query: text 0']);
  assert.deepEqual(await asked('compatible/intfloat/multilingual-e5-large-instruct'), ['text 0', 'text 0']);
  assert.deepEqual(await asked('openai/text-embedding-3-large'), ['text 0', 'text 0']);
});

test('bedrockModel: Titan gets one text per request, in order', async () => {
  server.script(titanAnswer);
  const embedder = embedderAt(server, 'bedrock/amazon.titan-embed-text-v2:0', { dimensions: 3 });
  const requests = await sentBy(async () => assertNumbered(await embedder.embed(numbered(20), 'document', STAYS), 20));
  assert.equal(requests.length, 20);
  assert.equal(requests[0]!.path, '/model/amazon.titan-embed-text-v2%3A0/invoke');
  assert.equal(requests[0]!.headers.authorization, `Bearer ${API_KEY}`);
  assert.deepEqual(requests[0]!.body, { inputText: 'text 0', dimensions: 3, normalize: true });
});

test('bedrockModel: Cohere gets the use of a text in the words of its version', async () => {
  server.script(cohereAnswer);
  const third = embedderAt(server, 'bedrock/cohere.embed-multilingual-v3', {
    connection: { headers: { 'x-team': 'a' } },
  });
  const [documents] = await sentBy(async () => assertNumbered(await third.embed(numbered(3), 'document', STAYS), 3));
  assert.deepEqual(documents!.body, { texts: numbered(3), input_type: 'search_document', truncate: 'END' });
  assert.equal(documents!.headers['x-team'], 'a');
  const fourth = embedderAt(server, 'bedrock/us.cohere.embed-v4:0', { dimensions: 3 });
  const [query] = await sentBy(async () => assertNumbered(await fourth.embed(numbered(1), 'query', STAYS), 1));
  assert.deepEqual(query!.body, {
    texts: ['text 0'],
    input_type: 'search_query',
    truncate: 'RIGHT',
    embedding_types: ['float'],
    output_dimension: 3,
  });
});

test('bedrockModel: Cohere 3 gets no more of a text than it accepts', async () => {
  server.script(cohereAnswer);
  const embedder = embedderAt(server, 'bedrock/cohere.embed-english-v3');
  const [request] = await sentBy(() => embedder.embed([`text 0${'é'.repeat(4_000)}`], 'document', STAYS));
  assert.equal(request!.body.texts[0].length, 2_048);
});

for (const [name, answer, most] of [
  ['openai/text-embedding-3-small', openaiAnswer, 2_048],
  ['compatible/any', openaiAnswer, 32],
  ['gemini/gemini-embedding-001', geminiAnswer, 100],
  ['bedrock/cohere.embed-english-v3', cohereAnswer, 96],
] as const) {
  test(`${name}: many texts become several requests, in order`, async () => {
    // The earlier a request comes the later it is answered.
    let waitMs = 40;
    server.script(async (request) => {
      waitMs -= 8;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
      return answer(request);
    });
    const embedder = embedderAt(server, name);
    const requests = await sentBy(async () =>
      assertNumbered(await embedder.embed(numbered(1_100), 'document', STAYS), 1_100),
    );
    const sizes = requests.map(({ body }) => (body.input ?? body.requests ?? body.texts).length);
    assert.ok(Math.max(...sizes) <= most, String(sizes));
    assert.ok(sizes.length > 1);
  });
}

test('ProviderEmbedder: no more concurrent requests than the limit', () => {
  assert.ok(server.mostOpen > 1 && server.mostOpen <= 8, String(server.mostOpen));
});

test('ProviderEmbedder: no texts need no request', async () => {
  const embedder = embedderAt(server, 'openai/any', { dimensions: 3 });
  const requests = await sentBy(async () => {
    assert.deepEqual(await embedder.embed([], 'document', STAYS), { vectors: new Float32Array(0), dimensions: 3 });
  });
  assert.deepEqual(requests, []);
});

test('Vectors: vectors are normalized to length 1', async () => {
  server.script({ body: { embeddings: [{ values: [30, 40] }] } });
  const { vectors } = await embedderAt(server, 'gemini/any').embed(['text 0'], 'document', STAYS);
  assert.deepEqual([...vectors], [...new Float32Array([0.6, 0.8])]);
});

const text = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '語', '🌍', '\ud83c'), maxLength: 40 });
const limits = fc.record({
  maxTexts: fc.integer({ min: 1, max: 8 }),
  maxBytes: fc.integer({ min: 50, max: 200 }),
  maxTextBytes: fc.integer({ min: 1, max: 50 }),
});

test('batchesOf: batches contain every text once, in order, within the limits', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), limits, (texts, given) => {
      const batches = [...batchesOf(texts, given)];
      let from = 0;
      for (const batch of batches) {
        assert.equal(batch.from, from);
        from += batch.texts.length;
        assert.ok(batch.texts.length >= 1 && batch.texts.length <= given.maxTexts);
        assert.ok(Buffer.byteLength(batch.texts.join('')) <= given.maxBytes);
      }
      assert.deepEqual(
        batches.flatMap((batch) => batch.texts),
        texts.map((one) => cutToBytes(one, given.maxTextBytes)),
      );
    }),
  );
});

test('batchesOf: no batch has space for the first text of the next', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), limits, (texts, given) => {
      const batches = [...batchesOf(texts, given)];
      for (const [index, batch] of batches.slice(0, -1).entries()) {
        const more = [...batch.texts, batches[index + 1]!.texts[0]!];
        assert.ok(more.length > given.maxTexts || Buffer.byteLength(more.join('')) > given.maxBytes);
      }
    }),
  );
});

test('cutToBytes: keeps the longest beginning of whole characters', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 60 }), (given, maxBytes) => {
      const whole = given.toWellFormed();
      const cut = cutToBytes(given, maxBytes);
      assert.ok(whole.startsWith(cut) && cut.isWellFormed());
      assert.ok(Buffer.byteLength(cut) <= maxBytes);
      const next = String.fromCodePoint(whole.codePointAt(cut.length) ?? 0);
      if (cut.length < whole.length) assert.ok(Buffer.byteLength(cut + next) > maxBytes);
    }),
  );
});

test('cutToBytes: a chunk of 512 tokens is never cut, in any script', () => {
  for (const chunk of [
    'word'.repeat(512),
    'é'.repeat(4 * 512),
    'Я'.repeat(4 * 512),
    'ก'.repeat(4 * 512),
    '語'.repeat(512),
  ]) {
    assert.equal(cutToBytes(chunk, 8_192), chunk);
  }
});

const TIMEOUTS = { requestMs: 60_000, totalMs: 300_000 };
const BUSY = new ProviderFault('unavailable', 'busy', { status: 503 });

/** Fails so many times, then answers. */
function failing(fault: Error, times: number): () => Promise<string> {
  let left = times;
  return async () => {
    if (left-- > 0) throw fault;
    return 'answer';
  };
}

test('withRetries: pauses double up to half a minute', async () => {
  const { pauses, retry } = instantRetry();
  assert.equal(await withRetries(failing(BUSY, 9), TIMEOUTS, STAYS, retry), 'answer');
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('withRetries: pauses are random below their bound (full jitter)', async () => {
  const { pauses, retry } = instantRetry();
  const chances = [0, 0.25, 1];
  await withRetries(failing(BUSY, 3), TIMEOUTS, STAYS, { ...retry, random: () => chances.shift()! });
  assert.deepEqual(pauses, [0, 250, 2_000]);
});

test('withRetries: a requested wait is limited to a minute', async () => {
  const { pauses, retry } = instantRetry();
  const limited = new ProviderFault('rate_limited', 'tomorrow', { status: 429, retryAfterMs: 86_400_000 });
  await withRetries(failing(limited, 1), TIMEOUTS, STAYS, { ...retry, random: () => 0 });
  assert.deepEqual(pauses, [60_000]);
});

test('withRetries: a pause beyond the deadline fails with the last fault', async () => {
  const { pauses, retry } = instantRetry();
  await assert.rejects(withRetries(failing(BUSY, 99), TIMEOUTS, STAYS, retry), BUSY);
  const waited = pauses.reduce((sum, pause) => sum + pause, 0);
  assert.ok(waited < TIMEOUTS.totalMs && waited + 30_000 >= TIMEOUTS.totalMs, String(waited));
});

test('withRetries: a permanent fault is not retried', async () => {
  for (const kind of ['refused', 'credential', 'broken'] as const) {
    const { pauses, retry } = instantRetry();
    const fault = new ProviderFault(kind, 'no');
    await assert.rejects(withRetries(failing(fault, 1), TIMEOUTS, STAYS, retry), fault);
    assert.deepEqual(pauses, []);
  }
  const mistake = new TypeError('a mistake of ours');
  await assert.rejects(withRetries(failing(mistake, 1), TIMEOUTS, STAYS, instantRetry().retry), mistake);
});

test('withRetries: a request that ignores its signal is abandoned on timeout', async () => {
  const signals: AbortSignal[] = [];
  const deaf = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>(() => undefined);
  };
  const timeouts = { requestMs: 20, totalMs: 400 };
  await assert.rejects(withRetries(deaf, timeouts, STAYS, instantRetry().retry), {
    kind: 'timeout',
    message: 'It did not answer within 1 s.',
  });
  assert.ok(signals.length === 1 && signals.every(({ aborted }) => aborted));
});

test('withRetries: an abort during a pause or a request rejects at once', async () => {
  const gone = new Error('gone');
  for (const request of [failing(BUSY, 99), () => new Promise<never>(() => undefined)]) {
    const leaver = new AbortController();
    const sleep = (_ms: number, signal: AbortSignal) => retryEffects.sleep(3_600_000, signal);
    const asking = withRetries(request, TIMEOUTS, leaver.signal, { ...retryEffects, sleep });
    setTimeout(() => leaver.abort(gone), 10);
    await assert.rejects(asking, (error) => error === gone);
  }
});
