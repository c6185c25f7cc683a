import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { scopeOfThisFile } from '../../support/shared.ts';
import type { Piece } from '../../support/upstream/outcomes.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';
import { ANTHROPIC, ask, readAll, tell, watchRejections } from '../support.ts';

const scope = scopeOfThisFile();
const upstream = await fakeUpstream(scope);
watchRejections(scope);

const SEARCH = { serverTools: ['web_search' as const] };
const text = (words: string): Piece => ({ type: 'text', text: words });

test('anthropic: a paused answer is continued with its content, as one answer', async () => {
  upstream.script(
    { pieces: [text('I '), text('look.')], finish: 'pause_turn', usage: { inputTokens: 10, outputTokens: 5 } },
    { pieces: [text(' It')], finish: 'pause_turn', usage: { inputTokens: 20, outputTokens: 6, cachedInputTokens: 8 } },
    { pieces: [text(' is.')], usage: { inputTokens: 30, outputTokens: 7 } },
  );
  const before = upstream.requests.length;
  const told = await tell(ANTHROPIC, upstream, SEARCH);
  assert.deepEqual(
    { text: told.text, finish: told.finish, fault: told.fault, warnings: told.warnings },
    { text: 'I look. It is.', finish: 'stop', fault: null, warnings: [] },
  );
  assert.deepEqual(told.usage, { inputTokens: 60, outputTokens: 18, cachedInputTokens: 8 });
  const bodies = upstream.requests.slice(before).map(({ body }) => body);
  const said = (words: string) => ({ role: 'assistant', content: [{ type: 'text', text: words, citations: null }] });
  assert.deepEqual(bodies[1], { ...bodies[0], messages: [...bodies[0].messages, said('I look.')] });
  assert.deepEqual(bodies[2], { ...bodies[1], messages: [...bodies[1].messages, said(' It')] });
});

test('anthropic: an answer that pauses without content is requested again', async () => {
  upstream.script({ pieces: [], finish: 'pause_turn' }, {});
  const before = upstream.requests.length;
  assert.equal((await tell(ANTHROPIC, upstream, SEARCH)).text, 'Olá mundo 🌍');
  const [first, second] = upstream.requests.slice(before).map(({ body }) => body);
  assert.deepEqual(second, first);
});

test('anthropic: an answer is continued at most five times', async () => {
  upstream.script({ pieces: [text('.')], finish: 'pause_turn' });
  const before = upstream.requests.length;
  const { text: said, finish, warnings } = await tell(ANTHROPIC, upstream, SEARCH);
  assert.equal(upstream.requests.length - before, 6);
  assert.deepEqual({ said, finish }, { said: '......', finish: 'other' });
  assert.match(warnings.join(), /paused/);
});

test("anthropic: without the vendor's tools no answer is continued", async () => {
  upstream.script({ pieces: [text('.')], finish: 'pause_turn' });
  const before = upstream.requests.length;
  assert.equal((await tell(ANTHROPIC, upstream)).finish, 'other');
  assert.equal(upstream.requests.length - before, 1);
});

test('anthropic: a failing continuation is a fault within the answer', async () => {
  upstream.script({ pieces: [text('I look.')], finish: 'pause_turn' }, { fault: { type: 'status', status: 529 } });
  const { text: said, fault, finish } = await tell(ANTHROPIC, upstream, SEARCH);
  assert.deepEqual(
    { said, finish, kind: fault?.kind, status: fault?.status },
    {
      ...{ said: 'I look.', finish: null },
      ...{ kind: 'unavailable', status: 529 },
    },
  );
});

test('anthropic: thoughts are sent back before the calls that followed them', async () => {
  const thinking = { thinking: { type: 'enabled' as const, budgetTokens: 2_000 } };
  upstream.script({
    pieces: [
      { type: 'reasoning', text: 'Hm.', signature: 'c2ln' },
      text('Let me look.'),
      { type: 'toolCall', id: 'toolu_1', name: 'now', arguments: '{}' },
    ],
  });
  const first = await tell(ANTHROPIC, upstream, thinking);
  const question = { role: 'user' as const, content: 'What time is it?' };
  const answer = { role: 'assistant' as const, content: first.text, tool_calls: first.calls as never };
  const result = { role: 'tool' as const, tool_call_id: 'toolu_1', content: 'noon' };
  const second = await tell(ANTHROPIC, upstream, { ...thinking, messages: [question, answer, result] });
  assert.deepEqual(second.warnings, []);
  const { messages, thinking: asked } = upstream.requests.at(-1)!.body;
  assert.deepEqual(asked, { type: 'enabled', budget_tokens: 2_000 });
  assert.deepEqual(messages[1].content, [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_use', id: 'toolu_1', name: 'now', input: {} },
  ]);
  await tell(ANTHROPIC, upstream, { messages: [question, answer, result] });
  assert.equal(upstream.requests.at(-1)!.body.messages[1].content[0].type, 'text', 'who does not think gets none');
});

test('anthropic: warnings about the request come with the first events', async () => {
  upstream.script({});
  const { events } = await ask(ANTHROPIC, upstream, { temperature: 2 });
  const [first] = await Array.fromAsync(events);
  assert.equal(first![0]!.type, 'warning');
});

test('anthropic: an abort ends the request before and after the first event', async () => {
  for (const pieces of [[{ type: 'hold' }], [text('Olá '), { type: 'hold' }]] as Piece[][]) {
    upstream.script({ pieces });
    const aborted = upstream.aborted;
    const caller = new AbortController();
    const { events } = await ask(ANTHROPIC, upstream, { signal: caller.signal });
    const reading = readAll(events);
    await nextTurn();
    caller.abort();
    assert.equal((await reading).finish, null);
    await upstream.whenAborted(aborted + 1);
  }
});

test('anthropic: an abort before the headers ends the request', async () => {
  upstream.script({ fault: { type: 'hangBeforeHeaders' } });
  const [requested, aborted] = [upstream.requests.length, upstream.aborted];
  const caller = new AbortController();
  const asking = tell(ANTHROPIC, upstream, { signal: caller.signal });
  await upstream.whenRequested(requested + 1);
  caller.abort();
  assert.notEqual((await asking).fault, null);
  await upstream.whenAborted(aborted + 1);
});

test('anthropic: a reader that stops ends the request', async () => {
  upstream.script({ fault: { type: 'endless' } });
  const aborted = upstream.aborted;
  const { events } = await ask(ANTHROPIC, upstream);
  for await (const _ of events) break;
  await upstream.whenAborted(aborted + 1);
});

test('anthropic: a deprecated model prints no warning', async (t) => {
  const { mock } = t.mock.method(console, 'warn', () => undefined);
  upstream.script({});
  await tell(ANTHROPIC, upstream, { model: 'claude-opus-4-20250514' });
  await tell(ANTHROPIC, upstream, { model: 'claude-opus-4-6', thinking: { type: 'enabled' } });
  assert.equal(mock.callCount(), 0);
});
