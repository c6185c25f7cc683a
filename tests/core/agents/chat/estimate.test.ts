import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateOf } from '../../../../src/core/agents/chat/chat-budgets.ts';
import type { ChatCandidate } from '../../../../src/core/agents/chat/open-answer.ts';
import type { ChatRequest } from '../../../../src/core/agents/chat/schema.ts';

function estimated(request: Partial<ChatRequest>, price: ChatCandidate['price'] = null) {
  const asked = { projectId: 'p', provider: 'custom', model: 'm', messages: [], ...request } as ChatRequest;
  const candidate = {
    provider: 'custom',
    connection: { baseUrl: null },
    price,
    request: asked,
  } as unknown as ChatCandidate;
  return estimateOf(candidate, 0);
}

const user = (content: ChatRequest['messages'][number]['content']) => [{ role: 'user' as const, content }];

test('estimateOf: input is bytes of text, number of images and size of files', async () => {
  const nothing = (await estimated({})).inputTokens;
  const text = 'a'.repeat(3_000);
  const inputOf = async (request: Partial<ChatRequest>) => (await estimated(request)).inputTokens - nothing;
  assert.equal(await inputOf({ instructions: text }), 1_000);
  assert.equal(await inputOf({ messages: user(text) }), 1_008);
  assert.equal(await inputOf({ messages: user('語'.repeat(1_000)) }), 1_008, 'a token for each character');
  const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${'a'.repeat(1_000_000)}` } };
  assert.equal(await inputOf({ messages: user([image, image]) }), 3_208);
  const file = { type: 'file' as const, file: { filename: 'a.pdf', file_data: 'a'.repeat(15_000) } };
  assert.equal(await inputOf({ messages: user([file]) }), 1_008);
});

test('estimateOf: output is maxTokens, or a default plus thinking', async () => {
  const outputOf = async (request: Partial<ChatRequest>) => {
    const { tokens, inputTokens } = await estimated(request);
    return tokens - inputTokens;
  };
  assert.equal(await outputOf({ maxTokens: 7 }), 7);
  assert.equal(await outputOf({}), 4_096);
  assert.equal(await outputOf({ thinking: { type: 'disabled' } }), 4_096);
  assert.equal(await outputOf({ thinking: { type: 'adaptive' } }), 20_480);
  assert.equal(await outputOf({ thinking: { type: 'enabled', budgetTokens: 30_000 } }), 34_096);
  assert.equal(await outputOf({ thinking: { type: 'enabled', budgetTokens: 5 }, maxTokens: 7 }), 7);
});

test('estimateOf: the price of the definition counts, an unknown price is zero', async () => {
  assert.equal((await estimated({ maxTokens: 1_000 })).nanos, 0);
  const price = { inputPerMillion: 0, outputPerMillion: 2.5 };
  assert.equal((await estimated({ maxTokens: 1_000 }, price)).nanos, 2_500_000);
});
