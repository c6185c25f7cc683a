import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChatCompletionReader } from '../../../src/providers/chat-completions/reader.ts';
import type { Told } from '../support.ts';
import { cut, eventsOf, readText } from '../transcripts.ts';

/* Chat Completions as servers really write them. */

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const calling = (...tool_calls: object[]) => chunk({ tool_calls });
const read = (...events: (object | string)[]): Told => readText(new ChatCompletionReader(), eventsOf(...events));
const callsIn = ({ calls }: Told) => calls.map(({ id, function: { name, arguments: text } }) => [id, name, text]);

const WHOLE = eventsOf(
  chunk({ role: 'assistant', content: '' }),
  chunk({ reasoning_content: 'Olá' }),
  chunk({ content: 'So ' }),
  chunk({ content: 'é 🌍' }),
  calling({ index: 0, id: 'a', type: 'function', function: { name: 'now', arguments: '' } }),
  calling(
    { index: 1, id: 'b', function: { name: 'then', arguments: '{"x"' } },
    { index: 0, function: { arguments: '{}' } },
  ),
  calling({ index: 1, function: { arguments: ':"ã"}' } }),
  chunk({}, 'tool_calls'),
  { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } },
  '[DONE]',
);

test('ChatCompletionReader: the result does not depend on how the stream is split', () => {
  const expected = readText(new ChatCompletionReader(), WHOLE);
  assert.equal(expected.text, 'So é 🌍');
  assert.equal(expected.reasoning, 'Olá');
  assert.deepEqual(callsIn(expected), [
    ['a', 'now', '{}'],
    ['b', 'then', '{"x":"ã"}'],
  ]);
  assert.deepEqual(expected.usage, { inputTokens: 3, outputTokens: 4 });
  assert.equal(expected.finish, 'tool_calls');
  fc.assert(
    fc.property(cut(WHOLE), (parts) => {
      assert.deepEqual(readText(new ChatCompletionReader(), ...parts), expected);
    }),
    { numRuns: 500 },
  );
});

test('ChatCompletionReader: whole with a finish reason, closed with the marker', () => {
  const reader = new ChatCompletionReader();
  assert.equal(reader.state, 'open');
  readText(reader, eventsOf(chunk({ content: 'a' })));
  assert.equal(reader.state, 'open');
  readText(reader, eventsOf(chunk({}, 'stop')));
  assert.equal(reader.state, 'whole');
  readText(reader, eventsOf('[DONE]'));
  assert.equal(reader.state, 'closed');
});

test('ChatCompletionReader: calls that are all numbered 0 stay separate', () => {
  const told = read(
    calling({ index: 0, id: 'a', function: { name: 'one', arguments: '{"n":1}' } }),
    calling({ index: 0, id: 'b', function: { name: 'two', arguments: '{"n":2}' } }),
    chunk({}, 'tool_calls'),
  );
  assert.deepEqual(callsIn(told), [
    ['a', 'one', '{"n":1}'],
    ['b', 'two', '{"n":2}'],
  ]);
});

test('ChatCompletionReader: an id that changes in each part is still one call', () => {
  const told = read(
    calling({ index: 0, id: 'a', function: { name: 'one', arguments: '' } }),
    calling({ index: 0, id: 'x', function: { arguments: '{"n"' } }),
    calling({ index: 0, id: 'y', function: { arguments: ':1}' } }),
    chunk({}, 'tool_calls'),
  );
  assert.deepEqual(callsIn(told), [['a', 'one', '{"n":1}']]);
});

test('ChatCompletionReader: a name repeated in each part is not concatenated', () => {
  const part = (text: string) => calling({ index: 0, id: 'a', function: { name: 'one', arguments: text } });
  assert.deepEqual(callsIn(read(part('{"n"'), part(':1}'), chunk({}, 'tool_calls'))), [['a', 'one', '{"n":1}']]);
});

test('ChatCompletionReader: a call gets a missing id and empty arguments', () => {
  const told = read(calling({ function: { name: 'now' } }), chunk({}, 'stop'));
  assert.deepEqual(callsIn(told), [['call_0', 'now', '{}']]);
  assert.equal(told.finish, 'tool_calls', 'some servers say stop');
});

test('ChatCompletionReader: extra content of a call is passed on', () => {
  const extra_content = { google: { thought_signature: 'c2ln' } };
  const told = read(
    calling({ index: 0, id: 'a', function: { name: 'now', arguments: '{}' }, extra_content }),
    chunk({}, 'stop'),
  );
  assert.deepEqual(told.calls[0]!.extra_content, extra_content);
});

test('ChatCompletionReader: a call cut off by length is dropped with a warning', () => {
  const told = read(
    calling({ index: 0, id: 'a', function: { name: 'one', arguments: '{"n":1}' } }),
    calling({ index: 1, id: 'b', function: { name: 'two', arguments: '{"n":' } }),
    chunk({}, 'length'),
  );
  assert.deepEqual(callsIn(told), [['a', 'one', '{"n":1}']]);
  assert.deepEqual(told.warnings, ['A call of two was cut off and is left out.']);
  assert.equal(told.finish, 'length');
});

test('ChatCompletionReader: every finish reason has one name, unknown ones are other', () => {
  const reasons = {
    stop: 'stop',
    length: 'length',
    model_length: 'length',
    content_filter: 'content_filter',
    eos: 'other',
  };
  for (const [said, meant] of Object.entries(reasons)) assert.equal(read(chunk({ content: 'a' }, said)).finish, meant);
  for (const said of ['error', 'abort']) assert.equal(read(chunk({}, said)).fault?.kind, 'unavailable');
});

test('ChatCompletionReader: reasoning under either name is read once', () => {
  assert.equal(read(chunk({ reasoning: 'a' }), chunk({}, 'stop')).reasoning, 'a');
  assert.equal(read(chunk({ reasoning: 'a', reasoning_content: '' }), chunk({}, 'stop')).reasoning, 'a');
  assert.equal(read(chunk({ reasoning: 'a', reasoning_content: 'a' }), chunk({}, 'stop')).reasoning, 'a');
});

test('ChatCompletionReader: of usage in every chunk the last one counts', () => {
  const counted = (completion_tokens: number) => ({
    ...chunk({ content: 'a' }),
    usage: { prompt_tokens: 2, completion_tokens },
  });
  const told = read(counted(1), counted(2), counted(3), chunk({}, 'stop'));
  assert.deepEqual([told.text, told.usage], ['aaa', { inputTokens: 2, outputTokens: 3 }]);
});

test('ChatCompletionReader: reasoning counted apart is added to the completion', () => {
  const usageOf = (usage: object) => read(chunk({}, 'stop'), { choices: [], usage }).usage;
  const details = { completion_tokens_details: { reasoning_tokens: 104 } };
  const beside = { prompt_tokens: 41, completion_tokens: 87, total_tokens: 232, ...details };
  assert.deepEqual(usageOf(beside), { inputTokens: 41, outputTokens: 191, reasoningTokens: 104 });
  const within = { prompt_tokens: 41, completion_tokens: 191, total_tokens: 232, ...details };
  assert.deepEqual(usageOf(within), { inputTokens: 41, outputTokens: 191, reasoningTokens: 104 });
});

test('ChatCompletionReader: an error within the stream is read by number or words', () => {
  const kindOf = (error: object | string) => read(typeof error === 'string' ? { error } : { error }).fault?.kind;
  assert.equal(kindOf({ message: 'm', code: 429 }), 'rate_limited');
  assert.equal(kindOf({ message: 'm', status_code: 503 }), 'unavailable');
  assert.equal(kindOf({ message: 'm', code: '400' }), 'refused');
  assert.equal(kindOf({ message: 'm', code: 401 }), 'credential');
  assert.equal(kindOf({ message: 'm', type: 'rate_limit_error' }), 'rate_limited');
  assert.equal(kindOf({ message: 'm', code: 'context_length_exceeded' }), 'refused');
  assert.equal(kindOf({ message: 'm', type: 'server_error', code: null }), 'unavailable');
  assert.equal(kindOf('It broke.'), 'unavailable');
  assert.equal(read({ error: 'It broke.' }).fault?.message, 'It broke.');
  assert.equal(read({ error: {} }).fault?.message, 'The provider failed.');
});
