import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage, ContentPart } from '../../../../../src/core/agents/chat/message.ts';
import { examplesOf } from '../../../../../src/core/agents/reviews/training/examples.ts';
import { shapeOf, turnsOf } from '../../../../../src/core/agents/reviews/training/shape.ts';

const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content });
const assistant = (content: ChatMessage['content'], ...tool_calls: Record<string, unknown>[]): ChatMessage =>
  tool_calls.length === 0 ? { role: 'assistant', content } : { role: 'assistant', content, tool_calls };
const tool = (tool_call_id?: string): ChatMessage => ({ role: 'tool', content: 'done', tool_call_id });
const call = (id: string, text = '{}') => ({ id, type: 'function', function: { name: 'find', arguments: text } });
const image = (url: string): ContentPart => ({ type: 'image_url', image_url: { url } });

const shape = (messages: ChatMessage[], output: unknown = null) => shapeOf({ messages, output });
/** The letter of the prompt's calls, when a question was asked before these turns and another behind them. */
const calls = (...turns: ChatMessage[]) => shape([user('?'), ...turns, user('?')])[3];
const content = (...turns: ChatMessage[]) => shape(turns)[2];
const answer = (turn: ChatMessage) => shape([user('?'), turn])[4];

test('turnsOf: the last assistant message, or else the output as text or JSON', () => {
  const asked = [user('?')];
  assert.deepEqual(turnsOf({ messages: [...asked, assistant('yes')], output: 'no' }), {
    prompt: asked,
    answer: assistant('yes'),
    after: [],
  });
  assert.deepEqual(turnsOf({ messages: [...asked, assistant('yes'), user('thanks')], output: null }), {
    prompt: asked,
    answer: assistant('yes'),
    after: [user('thanks')],
  });
  for (const [output, written] of [
    ['no', 'no'],
    ['', ''],
    [false, 'false'],
    [0, '0'],
    [{ a: [1, null] }, '{"a":[1,null]}'],
  ]) {
    assert.deepEqual(turnsOf({ messages: asked, output }), {
      prompt: asked,
      answer: assistant(written as string),
      after: [],
    });
  }
  for (const output of [null, undefined]) assert.equal(turnsOf({ messages: asked, output }).answer, null);
});

test('shapeOf: the end of the prompt and the presence of an answer', () => {
  assert.equal(shape([]), '1-to-');
  assert.equal(shape([], 'out'), '1-too');
  assert.equal(shape([assistant('a')]), '1-too');
  assert.equal(shape([user('?')]), '1uto-');
  assert.equal(shape([user('?')], ''), '1utoo');
  assert.equal(shape([user('?')], 0), '1utoo');
  assert.equal(shape([{ role: 'system', content: 's' }], 'out'), '1stoo');
  assert.equal(shape([user('?'), assistant('a'), assistant('b')]), '1atoo');
  assert.equal(shape([user('?'), assistant('a'), user('thanks')]), '1utoo');
  assert.equal(shape([user('?'), assistant('a'), user('and?')], 'out'), '1utoo');
  assert.equal(shape([user('?'), assistant(null, call('a')), tool('a')], 'out'), '1utoo');
});

test('shapeOf: at most ten images of valid types in user messages', () => {
  const picture = image('https://example.com/a');
  assert.equal(content(user([{ type: 'text', text: 'a' }])), 't');
  assert.equal(content(user(Array(10).fill(picture))), 'i');
  assert.equal(content(user(Array(6).fill(picture)), user(Array(5).fill(picture))), 'x');
  for (const url of ['http://a/b', 'data:image/png;base64,AA', 'DATA:IMAGE/JPG;BASE64,AA']) {
    assert.equal(content(user([image(url)])), 'i', url);
  }
  for (const url of ['data:image/gif;base64,AA', 'data:image/png,AA', 'file:///a.png', 'https://', 'a.png']) {
    assert.equal(content(user([image(url)])), 'x', url);
  }
  assert.equal(content({ role: 'system', content: [picture] }), 'x');
  assert.equal(content(user([{ type: 'file', file: { filename: 'a', file_data: 'AA' } }])), 'x');
  assert.equal(answer(assistant([picture])), 'x');
  assert.equal(answer(assistant(null)), 'x', 'neither content nor calls');
});

test('shapeOf: calls are paired when each is answered once before the next message', () => {
  assert.equal(calls(), 'o');
  assert.equal(calls(assistant(null, call('a'), call('b')), tool('b'), tool('a')), 'o');
  assert.equal(calls(assistant(null, call('a')), tool('a'), assistant(null, call('a')), tool('a')), 'o');
  for (const [problem, ...turns] of [
    ['not answered', assistant(null, call('a'))],
    ['one not answered', assistant(null, call('a'), call('b')), tool('a')],
    ['answered twice', assistant(null, call('a')), tool('a'), tool('a')],
    ['answered late', assistant(null, call('a')), user('wait'), tool('a')],
    ['answered too early', tool('a'), assistant(null, call('a'))],
    ['another is answered', assistant(null, call('a')), tool('b')],
    ['the answer names no call', assistant(null, call('a')), tool()],
    ['two of one id', assistant(null, call('a'), call('a')), tool('a')],
  ] as [string, ...ChatMessage[]][]) {
    assert.equal(calls(...turns), 'x', problem);
  }
  assert.equal(shape([user('?'), assistant(null, call('a'), call('b')), tool('a')], 'out')[3], 'x', 'at the end');
});

test('shapeOf: a call is of a function, with an object or raw text', () => {
  for (const broken of [
    {},
    { id: 'a', name: 'find', args: {} },
    { ...call('a'), id: 1 },
    { ...call('a'), type: 'custom' },
    { ...call('a'), function: null },
    { ...call('a'), function: { name: 'find', arguments: {} } },
  ]) {
    assert.equal(calls(assistant(null, broken), tool('a')), 'x', JSON.stringify(broken));
    assert.equal(answer(assistant(null, broken)), 'x', JSON.stringify(broken));
  }
  for (const [text, letter] of [
    ['{"a": {"b": [1, -2.5e3, 9007199254740991]}}', 'o'],
    ['', 'r'],
    ['[]', 'r'],
    ['null', 'r'],
    ['{"a"', 'r'],
    ['{"whole number that JSON.parse rounds": 9007199254740993}', 'r'],
    [`{"a":${'['.repeat(50)}${']'.repeat(50)}}`, 'o'],
    [`{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'r'],
  ] as const) {
    assert.equal(calls(assistant(null, call('a', text)), tool('a')), letter, text);
    assert.equal(answer(assistant('calling', call('a', text))), letter, text);
  }
  assert.equal(calls(assistant(null, call('a', 'raw')), tool('a'), assistant(null, call('a')), tool('a')), 'r');
});

test('shapeOf: arguments of a hundred thousand levels are handled', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const review = {
    reviewId: 'r',
    executionId: 'e',
    rating: 'good' as const,
    correctedOutput: null,
    conversation: { messages: [user('?'), assistant(null, call('a', deep))], output: null },
  };
  assert.equal(shapeOf(review.conversation), '1utor');
  assert.equal(JSON.stringify(examplesOf('openai-jsonl', review)).includes(JSON.stringify(deep)), true);
  assert.deepEqual(examplesOf('kto-jsonl', review), []);
});
