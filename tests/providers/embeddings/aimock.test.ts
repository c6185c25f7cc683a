import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { closeDispatchers } from '../../../src/outbound/dispatchers.ts';
import { embedderOf } from '../../../src/providers/embeddings/index.ts';
import { scopeOfThisFile } from '../../support/shared.ts';
import { rowsOf, STAYS } from './support.ts';
import { connectionTo } from './vector-server.ts';

/* OpenAI's embeddings by a mock that others wrote: it understands our request, and we its answer. */

const mock = new LLMock({ port: 0, logLevel: 'silent' });
const scope = scopeOfThisFile();
scope.after(() => mock.stop());
scope.after(() => closeDispatchers());
before(async () => {
  await mock.start();
});

test('aimock: vectors of OpenAI arrive as numbers and in base64', async () => {
  mock.onEmbedding('hello', { embedding: [3, 4, 0] });
  const rows = [];
  for (const [name, provider] of [
    ['openai/text-embedding-3-small', 'openai'],
    ['compatible/text-embedding-3-small', 'custom'],
  ] as const) {
    const embedder = embedderOf({ name, dimensions: null }, () => connectionTo(provider, `${mock.url}/v1`));
    rows.push(...rowsOf(await embedder.embed(['hello'], 'document', STAYS)));
  }
  const unit = [...new Float32Array([0.6, 0.8, 0])];
  assert.deepEqual(rows, [unit, unit]);
});

test('aimock: one vector per text, with the requested dimensions', async () => {
  const embedder = embedderOf({ name: 'openai/text-embedding-3-small', dimensions: 256 }, (provider) =>
    connectionTo(provider, `${mock.url}/v1`),
  );
  const { vectors, dimensions } = await embedder.embed(['one', 'two'], 'document', STAYS);
  assert.deepEqual([vectors.length, dimensions], [512, 256]);
});
