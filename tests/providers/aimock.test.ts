import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { scopeOfThisFile } from '../support/shared.ts';
import { SCHEMA } from './conversation.ts';
import {
  ANTHROPIC,
  type Asked,
  askAt,
  BEDROCK,
  GEMINI,
  GROQ,
  LEGACY,
  OFFERS,
  type Offer,
  OPENAI,
  readAll,
  type Told,
  XAI,
} from './support.ts';

/* The protocols by a mock that others wrote: what it understands of our requests, and what we make of its answers. */

const mock = new LLMock({ port: 0, logLevel: 'silent' });
scopeOfThisFile().after(() => mock.stop());
before(async () => {
  await mock.start();
});

/** Where the SDK brings the version along. */
const WITHOUT_VERSION = ['gemini', 'groq', 'anthropic', 'bedrock'];
const baseUrl = ({ provider }: Offer) => (WITHOUT_VERSION.includes(provider) ? mock.url : `${mock.url}/v1`);

async function tell(offer: Offer, content: string, asked: Asked = {}): Promise<Told> {
  const messages: Asked['messages'] = [{ role: 'user', content }];
  return readAll((await askAt(offer, baseUrl(offer), { messages, ...asked })).events);
}

const TOOLS: Asked['tools'] = [{ type: 'function', function: { name: 'weather', parameters: SCHEMA } }];
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

mock.onMessage(/^hello/, { content: 'Olá, mundo 🌍! '.repeat(20), usage: USAGE }, { chunkSize: 3 });
mock.onMessage(/^think/, { content: 'So it is.', reasoning: 'Let me think about it.' });
mock.on({ userMessage: /^weather/, hasToolResult: true }, { content: 'It is hot in Rio.' });
mock.onMessage(/^weather/, { toolCalls: [{ id: 'call_9', name: 'weather', arguments: '{"city":"Rio"}' }] });
mock.on({ userMessage: /^reason/, hasToolResult: true }, { content: 'It is hot.' });
mock.onMessage(/^reason/, { reasoning: 'Where is it?', toolCalls: [{ name: 'weather', arguments: '{"city":"Rio"}' }] });
mock.onMessage(/^both/, {
  content: 'Let me look.',
  toolCalls: [
    { name: 'weather', arguments: '{"city":"Rio"}' },
    { name: 'weather', arguments: '{"city":"São Paulo"}' },
  ],
});
mock.onMessage(/^busy/, { error: { message: 'Slow down.', type: 'rate_limit_error' }, status: 429, retryAfter: 3 });
mock.onMessage(/^cut/, { content: 'word '.repeat(50) }, { chunkSize: 5, truncateAfterChunks: 8, latency: 2 });

for (const offer of OFFERS) {
  const { name } = offer;

  test(`${name}: text and usage arrive as the mock sends them`, async () => {
    const told = await tell(offer, 'hello');
    assert.equal(told.text, 'Olá, mundo 🌍! '.repeat(20));
    assert.deepEqual([told.finish, told.fault], ['stop', null]);
    assert.deepEqual(told.usage, { inputTokens: 11, outputTokens: 7 });
  });

  test(`${name}: a function call is made, answered and understood`, async () => {
    const { calls, finish } = await tell(offer, 'weather', { tools: TOOLS });
    assert.deepEqual(
      calls.map(({ function: called }) => called),
      [{ name: 'weather', arguments: '{"city":"Rio"}' }],
    );
    assert.equal(finish, 'tool_calls');
    const [call] = calls;
    const messages: Asked['messages'] = [
      { role: 'user', content: 'weather' },
      { role: 'assistant', content: null, tool_calls: [{ ...call }] },
      { role: 'tool', tool_call_id: call!.id, content: '31' },
    ];
    const after = await tell(offer, '', { tools: TOOLS, messages });
    assert.deepEqual([after.text, after.finish], ['It is hot in Rio.', 'stop']);
  });

  test(`${name}: text and several calls arrive together`, async () => {
    const { text, calls } = await tell(offer, 'both', { tools: TOOLS });
    assert.equal(text, 'Let me look.');
    assert.deepEqual(
      calls.map(({ function: { arguments: text } }) => text),
      ['{"city":"Rio"}', '{"city":"São Paulo"}'],
    );
    assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
  });

  test(`${name}: a rate limit reports when to retry`, async () => {
    await assert.rejects(tell(offer, 'busy'), { kind: 'rate_limited', message: 'Slow down.', retryAfterMs: 3_000 });
  });

  test(`${name}: a response that breaks off is broken`, async () => {
    const { text, fault, finish } = await tell(offer, 'cut');
    assert.match('word '.repeat(50), new RegExp(`^${text}`));
    assert.deepEqual([fault?.kind, finish], ['broken', null]);
  });
}

for (const offer of [OPENAI, GROQ, XAI, GEMINI, ANTHROPIC, BEDROCK]) {
  test(`${offer.name}: reasoning is separate from text`, async () => {
    const { text, reasoning } = await tell(offer, 'think');
    assert.deepEqual([text, reasoning], ['So it is.', 'Let me think about it.']);
  });
}

test('openai: encrypted reasoning comes with its call and is sent back before it', async () => {
  const asked: Asked = { model: 'o3', tools: TOOLS };
  const { calls } = await tell(OPENAI, 'reason', asked);
  const [call] = calls;
  assert.ok(call?.extra_content, 'the call brings nothing along');
  const messages: Asked['messages'] = [
    { role: 'user', content: 'reason' },
    { role: 'assistant', content: null, tool_calls: [{ ...call }] },
    { role: 'tool', tool_call_id: call.id, content: '31' },
  ];
  assert.equal((await tell(OPENAI, '', { ...asked, messages })).text, 'It is hot.');
});

test("aimock: an unknown request is refused with the mock's message", async () => {
  await assert.rejects(tell(LEGACY, 'nobody told it of this'), { kind: 'refused', status: 404 });
});
