import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { messagesIn } from '../../../portal/src/transcript/conversation/messages.ts';
import { partsOf } from '../../../portal/src/transcript/conversation/parts.ts';
import { roleWords, turnLine, turnsOf } from '../../../portal/src/transcript/conversation/turns.ts';
import { costText, durationText, tokensOf } from '../../../portal/src/transcript/figures.ts';
import { prettyJson, valueText } from '../../../portal/src/transcript/json.ts';
import { beginningOf, lineOf } from '../../../portal/src/transcript/text.ts';

const callOf = (id: string, name: string, given: unknown) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});

test('Conversation: a result stands beside its call, also where ids are used again', () => {
  const turns = turnsOf([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [callOf('1', 'one', '{}'), callOf('2', 'two', '{"a":1}')] },
    { role: 'tool', tool_call_id: '2', content: 'second' },
    { role: 'tool', tool_call_id: '1', content: 'first' },
    { role: 'assistant', content: null, tool_calls: [callOf('1', 'three', '')] },
    { role: 'tool', tool_call_id: '1', content: 'third' },
    { role: 'tool', tool_call_id: '1', name: 'four', content: 'without a call' },
  ]);
  const results = turns.flatMap(({ calls }) => calls.map(({ name, result }) => [name, result]));
  const text = (shown: string) => [{ type: 'text', text: shown }];
  assert.deepEqual(results, [
    ['one', text('first')],
    ['two', text('second')],
    ['three', text('third')],
  ]);
  assert.deepEqual(
    turns.map(({ index, role, name }) => [index, role, name]),
    [
      [0, 'user', null],
      [1, 'assistant', null],
      [4, 'assistant', null],
      [6, 'tool', 'four'],
    ],
  );
});

test('Conversation: arguments are indented, or as they are where they are not JSON', () => {
  const [turn] = turnsOf([
    {
      role: 'assistant',
      tool_calls: [callOf('1', 'a', '{"b": [1]}'), callOf('2', 'c', '{"d": '), callOf('3', 'e', { f: 1 }), 5],
    },
  ]);
  assert.deepEqual(
    turn!.calls.map(({ name, summary, arguments: given, isJson, result }) => [name, summary, given, isJson, result]),
    [
      ['a', '{"b": [1]}', '{\n  "b": [\n    1\n  ]\n}', true, null],
      ['c', '{"d":', '{"d": ', false, null],
      ['e', '{"f":1}', '{\n  "f": 1\n}', true, null],
      ['Unknown call', '5', '5', true, null],
    ],
  );
});

test('Conversation: parts are texts, pictures, addresses, files, or JSON', () => {
  const parts = partsOf([
    { type: 'text', text: 'a' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,aaaa' } },
    { type: 'image_url', image_url: { url: 'https://b.example/c' } },
    { type: 'image_url', image_url: { url: 'javascript:alert(1)' } },
    { type: 'file', file: { filename: 'd.pdf', file_data: 'data:application/pdf;base64,YWI=' } },
    { type: 'audio', audio: 1 },
    null,
  ]);
  assert.deepEqual(parts, [
    { type: 'text', text: 'a' },
    { type: 'picture', source: 'data:image/png;base64,aaaa' },
    { type: 'address', address: 'https://b.example/c' },
    { type: 'file', name: 'Image', kind: 'application/octet-stream', bytes: 14, data: null },
    { type: 'file', name: 'd.pdf', kind: 'application/pdf', bytes: 2, data: 'YWI=' },
    { type: 'value', json: '{\n  "type": "audio",\n  "audio": 1\n}' },
    { type: 'value', json: 'null' },
  ]);
  assert.deepEqual([null, undefined, ''].map(partsOf), [[], [], []]);
});

test('Conversation: a value is one if all of it are messages', () => {
  const message = { role: 'user', content: 'a' };
  for (const value of [message, [message], { messages: [message], model: 'b' }])
    assert.deepEqual(messagesIn(value), [message]);
  for (const value of [null, 'a', [], {}, [message, 1], { role: 'admin' }, { messages: 'a' }]) {
    assert.equal(messagesIn(value), null, JSON.stringify(value));
  }
});

test('Conversation: any value that claims to be messages becomes turns', () => {
  const claimed = fc.record(
    {
      role: fc.oneof(fc.constantFrom('user', 'assistant', 'tool', '__proto__', 'constructor'), fc.string()),
      content: fc.jsonValue(),
      tool_calls: fc.oneof(fc.jsonValue(), fc.array(fc.record({ id: fc.jsonValue(), function: fc.jsonValue() }))),
      tool_call_id: fc.jsonValue(),
      reasoning_content: fc.jsonValue(),
      name: fc.jsonValue(),
    },
    { requiredKeys: ['role'] },
  );
  fc.assert(
    fc.property(fc.array(claimed), (messages) => {
      for (const turn of turnsOf(messages)) {
        assert.equal(typeof roleWords(turn.role), 'string');
        assert.doesNotMatch(turnLine(turn), /\n/);
      }
    }),
    { examples: [[[{ role: 'user', tool_calls: [{ id: [{ toString: '' }], function: {} }] }]]] },
  );
});

test('JSON: indented as it is written; numbers, repeated members and escapes stay', () => {
  assert.equal(
    prettyJson(' {"a":1e400,"a":12345678901234567890,"b":"\\u00e9 {,}","c":[],"d":{}} '),
    [
      ...[
        '{',
        '  "a": 1e400,',
        '  "a": 12345678901234567890,',
        '  "b": "\\u00e9 {,}",',
        '  "c": [],',
        '  "d": {}',
        '}',
      ],
    ].join('\n'),
  );
  for (const text of ['', '1', '"a"', 'null', '{', '{"a":}', '[1,]', 'a {"b":1}'])
    assert.equal(prettyJson(text), null, text);
  assert.equal(valueText('a'), '"a"');
  assert.equal(valueText(undefined), 'null');
});

test('JSON: what is indented is the same value, however deep', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
      assert.deepEqual(JSON.parse(prettyJson(JSON.stringify(value))!), JSON.parse(JSON.stringify(value)));
    }),
  );
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const pretty = prettyJson(deep)!;
  assert.equal(pretty.replaceAll(/\s/g, ''), deep);
  assert.ok(pretty.length < 100 * deep.length);
});

test('Text: a long one begins with whole characters and not too many lines', () => {
  assert.equal(beginningOf('short\ntext'), 'short\ntext');
  assert.equal(beginningOf('x'.repeat(1_000_000)).length, 10_000);
  assert.equal(beginningOf('\n'.repeat(10_000)).length, 299);
  assert.equal(beginningOf(`${'x'.repeat(9_999)}😀`), 'x'.repeat(9_999));
  assert.equal(lineOf('  a \n\n b\t c '), 'a b c');
  assert.equal(lineOf('😀'.repeat(200), 3), '😀😀😀…');
  assert.ok(lineOf('\ud800').isWellFormed());
});

test('Figures: durations, costs and tokens in words', () => {
  const durations = [0, 0.4, 340, 999.6, 1_240, 59_960, 125_000, 11_520_000].map((ms) => durationText(ms));
  assert.deepEqual(durations, ['0 ms', '0.4 ms', '340 ms', '1 s', '1.24 s', '1 min 0 s', '2 min 5 s', '3 h 12 min']);
  assert.deepEqual(
    [0, 0.004231, 0.5, 12.5, 1_234.567].map((cost) => costText(cost)),
    ['$0.00', '$0.00423', '$0.5', '$12.50', '$1,234.57'],
  );
  assert.equal(tokensOf({ inputTokens: 2, outputTokens: 3 }), 5);
  assert.equal(tokensOf({ inputTokens: 2, totalTokens: 9 }), 9);
  for (const usage of [null, undefined, {}, { totalTokens: '9' }, { totalTokens: Number.NaN }])
    assert.equal(tokensOf(usage), null);
});
