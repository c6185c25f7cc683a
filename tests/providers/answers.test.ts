import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOfThisFile } from '../support/shared.ts';
import type { Piece, Wire } from '../support/upstream/outcomes.ts';
import { fakeUpstream } from '../support/upstream/server.ts';
import { ANTHROPIC, ask, BEDROCK, GEMINI, GROQ, LEGACY, OFFERS, OPENAI, readAll, tell, XAI } from './support.ts';

const upstream = await fakeUpstream(scopeOfThisFile());

const CALLS: Piece[] = [
  { type: 'text', text: 'Let me look.' },
  { type: 'toolCall', id: 'call_1', name: 'find_order', arguments: '{"number":"A-17","notes":["🌍","ã"]}' },
  { type: 'toolCall', id: 'call_2', name: 'find_user', arguments: '{"name":"Ana"}' },
];
const THOUGHT: Piece[] = [
  { type: 'reasoning', text: 'Hm, ' },
  { type: 'reasoning', text: 'hello.' },
  { type: 'text', text: 'Hello!' },
];

for (const offer of OFFERS) {
  for (const wire of ['frames', 'crlf', 'comments', 'multiLine', 'utf8Split', 'slowDrip', 'oneWrite'] as Wire[]) {
    test(`${offer.name}: text arrives whole (${wire})`, async () => {
      upstream.script({ wire });
      const { text, finish, fault } = await tell(offer, upstream);
      assert.deepEqual({ text, finish, fault }, { text: 'Olá mundo 🌍', finish: 'stop', fault: null });
    });
  }

  test(`${offer.name}: function calls arrive whole and in order, next to text`, async () => {
    upstream.script({ pieces: CALLS });
    const { text, calls, finish } = await tell(offer, upstream);
    assert.equal(text, 'Let me look.');
    assert.deepEqual(
      calls.map(({ id, type, function: called }) => ({ id, type, ...called })),
      [
        {
          ...{ id: 'call_1', type: 'function', name: 'find_order' },
          arguments: '{"number":"A-17","notes":["🌍","ã"]}',
        },
        { id: 'call_2', type: 'function', name: 'find_user', arguments: '{"name":"Ana"}' },
      ],
    );
    assert.equal(finish, 'tool_calls');
  });

  test(`${offer.name}: a refusal in words is text`, async () => {
    upstream.script({ pieces: [{ type: 'refusal', text: 'I would rather not.' }] });
    assert.equal((await tell(offer, upstream)).text, 'I would rather not.');
  });

  test(`${offer.name}: length and content filter are finish reasons`, async () => {
    upstream.script({ finish: 'length' });
    assert.equal((await tell(offer, upstream)).finish, 'length');
    upstream.script({ finish: 'content_filter' });
    assert.equal((await tell(offer, upstream)).finish, 'content_filter');
  });

  test(`${offer.name}: an empty answer completes`, async () => {
    upstream.script({ pieces: [] });
    const { text, finish, fault } = await tell(offer, upstream);
    assert.deepEqual({ text, finish, fault }, { text: '', finish: 'stop', fault: null });
  });

  test(`${offer.name}: usage includes cached input and reasoning`, async () => {
    // Bedrock does not say what reasoning took.
    const reasoning = offer === BEDROCK ? {} : { reasoningTokens: 20 };
    const usage = { inputTokens: 100, outputTokens: 30, cachedInputTokens: 40, ...reasoning };
    upstream.script({ usage });
    assert.deepEqual((await tell(offer, upstream)).usage, usage);
    upstream.script({ usage: { inputTokens: 100, outputTokens: 30 } });
    assert.deepEqual((await tell(offer, upstream)).usage, { inputTokens: 100, outputTokens: 30 });
  });
}

for (const offer of OFFERS.filter((one) => one !== LEGACY)) {
  test(`${offer.name}: reasoning is separate from text`, async () => {
    upstream.script({ pieces: THOUGHT });
    const { text, reasoning } = await tell(offer, upstream);
    assert.deepEqual({ text, reasoning }, { text: 'Hello!', reasoning: 'Hm, hello.' });
  });
}

for (const offer of [OPENAI, LEGACY, GROQ, XAI, ANTHROPIC, BEDROCK]) {
  test(`${offer.name}: the request id comes from the headers`, async () => {
    upstream.script({});
    const { requestId, events } = await ask(offer, upstream);
    await readAll(events);
    assert.equal(requestId, upstream.requests.at(-1)!.requestId);
  });
}

test('gemini: the request id comes from the chunks', async () => {
  upstream.script({});
  const { requestId, events } = await ask(GEMINI, upstream);
  await readAll(events);
  assert.equal(requestId, `fake${upstream.requests.length}`);
});

test('gemini: a signature is part of its call, and a call without an id gets one', async () => {
  upstream.script({ pieces: [{ type: 'toolCall', name: 'look', arguments: '{}' }] });
  const [call] = (await tell(GEMINI, upstream)).calls;
  assert.deepEqual(call!.extra_content, { google: { thought_signature: 'ZmFrZQ==' } });
  assert.match(call!.id, /^call_[\w-]{36}$/);
});
