import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChatCompletionReader } from '../../../src/providers/chat-completions/reader.ts';
import type { Told } from '../support.ts';
import { cut, eventsOf, readText } from '../transcripts.ts';

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
  assert.deepEqual(callsIn(told), [[told.calls[0]!.id, 'now', '{}']]);
  assert.match(told.calls[0]!.id, /^\w{9}$/, 'Mistral takes no others back');
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
  const cutCall = calling({ index: 0, id: 'a', function: { name: 'one', arguments: '{"n":' } });
  const unknown = read(cutCall, chunk({}, 'MAX_TOKENS'));
  assert.deepEqual([unknown.calls, unknown.finish], [[], 'other']);
  const claimed = read(cutCall, chunk({}, 'tool_calls'));
  assert.deepEqual([claimed.calls.length, claimed.warnings.length], [1, 1], 'what a model wrote is not taken away');
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
  for (const said of ['error', 'abort', 'insufficient_system_resource'])
    assert.equal(read(chunk({}, said)).fault?.kind, 'unavailable');
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

const part = (index?: unknown, id?: unknown, name?: string, text?: unknown) => ({
  index,
  id,
  function: { name, arguments: text },
});
const call = (name: string, text: string) => ({ function: { name, arguments: text } });
const rest = (index: unknown, text: string) => ({ index, function: { arguments: text } });

/** Parts of calls as servers write them, chunk by chunk, and the names with the arguments that were meant. */
const WRITTEN: [title: string, chunks: object[][], ...meant: string[]][] = [
  ['arguments as an object', [[part(0, 'a', 'one', { n: [1] })]], 'one {"n":[1]}'],
  [
    'an index as text, and one call without a list',
    [[part('0', 'a', 'one', '')], [part(0, undefined, undefined, '{}')]],
    'one {}',
  ],
  ['arguments of null', [[part(0, 'a', 'one', null)]], 'one {}'],
  [
    'no ids and no indexes, in one chunk',
    [[call('one', '{"n"'), call('two', '{}')], [rest(undefined, ':1}')]],
    ...['one {"n":1}', 'two {}'],
  ],
  [
    'no ids and no indexes, in several chunks',
    [[call('one', '{"n":1}')], [call('one', '{"n":2}')]],
    ...['one {"n":1}', 'one {"n":2}'],
  ],
  [
    'ids that are empty, of calls that are all numbered 0',
    [[part(0, '', 'one', '{"n":1}'), part(0, '', 'two', '{"n":2}')]],
    ...['one {"n":1}', 'two {"n":2}'],
  ],
  ['ids of null as text', [[part(undefined, 'null', 'one', '{}'), part(undefined, 'null', 'two')]], 'one {}', 'two {}'],
  [
    'one id of two calls',
    [[part(0, 'a', 'one', '{"n":1}')], [part(1, 'a', 'one', '{"n"')], [part(1, 'a', undefined, ':2}')]],
    ...['one {"n":1}', 'one {"n":2}'],
  ],
  [
    'a call that is sent once more',
    [[part(0, 'a', 'one', '{"n":')], [rest(0, '1}')], [part(0, 'a', 'one', '{"n":1}')]],
    'one {"n":1}',
  ],
  [
    'an end under a new index',
    [[part(0, 'a', 'one', '{"s":"}{')], [rest(1, '\\"')], [part(1, '', '', '"}')]],
    'one {"s":"}{\\""}',
  ],
  [
    'an end under the index of another call',
    [[part(0, 'a', 'one', '{}')], [part(1, 'b', 'two', '{"n":')], [rest(0, '2}')]],
    ...['one {}', 'two {"n":2}'],
  ],
  [
    'an end under its id and a new index',
    [[part(0, 'a', 'one', '{"n":')], [part(1, 'b', 'two', '{"n":2}')], [part(2, 'a', undefined, '1}')]],
    ...['one {"n":1}', 'two {"n":2}'],
  ],
  ['an empty part under a new index', [[part(0, 'a', 'one', '{}')], [rest(1, '')]], 'one {}'],
  [
    'arguments that begin with a placeholder',
    [
      ...[[part(0, 'a', 'one', {})], [rest(0, '{"n"')], [rest(0, ':1}')]],
      ...[[part(1, 'b', 'two', 'null')], [part(1, 'b', 'two', '{"n":2}')]],
    ],
    ...['one {"n":1}', 'two {"n":2}'],
  ],
  [
    'arguments that repeat their beginning',
    [[part(0, 'a', 'one', '{"n":')], [part(0, 'a', 'one', '{"n":1}}')]],
    'one {"n":{"n":1}}',
  ],
  [
    'all that there is of one in each part',
    [
      ...[[part(0, 'a', 'one', '{"s":"x')], [part(0, 'a', 'one', '{"s":"x"')], [part(0, 'a', 'one', '{"s":"x"}')]],
      ...[[part(0, 'a', 'one', '')], [rest(0, '{"s":"x"}')]],
    ],
    'one {"s":"x"}',
  ],
  [
    'a name that is cut',
    [
      ...[[part(0, 'a', 'get_', '')], [part(0, undefined, 'one')], [rest(0, '{}')]],
      ...[[part(1, 'b', 'get_')], [part(1, 'b', 'get_two', '')]],
    ],
    ...['get_one {}', 'get_two {}'],
  ],
  ['numbers as ids', [[part(0, 7, 'one', '{}')]], 'one {}'],
  ['a name after the id', [[{ index: 0, id: 'a' }], [part(0, undefined, 'one')], [rest(0, '{}')]], 'one {}'],
];

for (const [title, chunks, ...meant] of WRITTEN) {
  test(`ChatCompletionReader: calls with ${title}`, () => {
    const told = read(...chunks.map((parts) => calling(...parts)), chunk({}, 'tool_calls'), '[DONE]');
    const shown = told.calls.map(({ function: { name, arguments: text } }) => `${name} ${text}`);
    assert.deepEqual(shown, meant);
    assert.equal(new Set(told.calls.map(({ id }) => id)).size, meant.length, 'ids are unique');
    assert.ok(told.calls.every(({ id }) => typeof id === 'string'));
  });
}

test('ChatCompletionReader: calls survive other cuts, numbers and ids', () => {
  const argument = fc.json({ maxDepth: 2 }).map((value) => `{"v":${value}}`);
  const calls = fc.array(fc.record({ name: fc.constantFrom('one', 'two'), text: argument }), {
    minLength: 1,
    maxLength: 4,
  });
  const ways = fc.record({
    pieces: fc.integer({ min: 1, max: 5 }),
    numbering: fc.constantFrom('right', 'zero', 'none', 'shifted tail'),
    ids: fc.constantFrom('right', 'none', 'empty', 'first part alone'),
    repeatsNames: fc.boolean(),
  });
  fc.assert(
    fc.property(calls, ways, (meant, { pieces, numbering, ids, repeatsNames }) => {
      const parts = meant.flatMap(({ name, text }, number) =>
        Array.from({ length: pieces }, (_, piece) => {
          const [from, to] = [piece, piece + 1].map((at) => Math.floor((text.length * at) / pieces));
          const index = { right: number, zero: 0, none: undefined, 'shifted tail': number + (piece > 0 ? 1 : 0) }[
            numbering
          ];
          const id = {
            right: `c${number}`,
            none: undefined,
            empty: '',
            'first part alone': piece ? undefined : `c${number}`,
          }[ids];
          const named = piece === 0 || (repeatsNames && numbering !== 'shifted tail') ? { name } : {};
          return calling({ index, id, function: { ...named, arguments: text.slice(from, to) } });
        }),
      );
      const told = read(...parts, chunk({}, 'tool_calls'), '[DONE]');
      assert.deepEqual(
        told.calls.map(({ function: { name, arguments: text } }) => ({ name, text })),
        meant.map((call) => ({ ...call })),
      );
    }),
    { numRuns: 1_000 },
  );
});

test('ChatCompletionReader: what no call can be made of is a failure', () => {
  const broken = [
    [calling({ index: 0, function: { arguments: '{"n":1}' } }), chunk({}, 'tool_calls')],
    [calling({ index: 0, id: 'a', function: { name: 'one', arguments: '{"n":' } }), '[DONE]'],
    ['[DONE]'],
  ];
  for (const events of broken) {
    assert.throws(
      () => {
        const { fault } = read(...events);
        if (fault) throw fault;
      },
      { kind: 'broken' },
    );
  }
  assert.throws(() => read(calling({ function: { name: 'one', arguments: 7 } })), TypeError);
});

test('ChatCompletionReader: parts of contents are text, reasoning, or a warning', () => {
  const told = read(
    chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
    chunk({ content: [{ type: 'thinking', thinking: '. ' }, { type: 'text', text: 'So ' }, 'it ', null].slice(0, 3) }),
    chunk({
      content: [
        { type: 'reference', reference_ids: [1] },
        { type: 'reference', reference_ids: [2] },
      ],
    }),
    chunk({
      content: [
        { type: 'reasoning_text', text: 'Yes.' },
        { type: 'thinking', thinking: [{ type: 'tool_reference', tool: 't' }] },
      ],
    }),
    chunk({ content: { type: 'text', text: 'is' } }),
    chunk({ content: '.' }),
    chunk({}, 'stop'),
  );
  assert.equal(told.text, 'So it is.');
  assert.equal(told.reasoning, 'Hm. Yes.');
  assert.deepEqual(told.warnings, ['The answer has parts of the type reference, which are left out.']);
  const others = read(chunk({ refusal: { text: 'No.' }, images: [{ type: 'image_url' }] }), chunk({}, 'stop'));
  assert.deepEqual([others.text, others.warnings.length], ['No.', 1]);
  for (const content of [7, [7], { a: 1 }, [{ type: 'text', text: 7 }]])
    assert.throws(() => read(chunk({ content })), TypeError);
});

test('ChatCompletionReader: a message in place of a delta counts once', () => {
  const message = { role: 'assistant', content: 'Hello!', tool_calls: [{ id: 'a', function: { name: 'now' } }] };
  const whole = { object: 'chat.completion', choices: [{ message, finish_reason: 'tool_calls' }] };
  assert.deepEqual([read(whole).text, callsIn(read(whole))], ['Hello!', [['a', 'now', '{}']]]);
  assert.equal(read({ choices: [{ message, finish_reason: null }] }).finish, 'tool_calls', 'an answer in one piece');
  const repeated = { choices: [{ delta: { content: 'lo!' }, message: { content: 'Hello!' } }] };
  const last = { choices: [{ message: { content: 'Hello!' }, finish_reason: 'stop' }] };
  assert.equal(read(chunk({ content: 'Hel' }), repeated, last).text, 'Hello!');
});

test('ChatCompletionReader: an old function_call is a call', () => {
  const told = read(
    chunk({ function_call: { name: 'now', arguments: '{"z"' } }),
    chunk({ function_call: { arguments: ':1}' } }),
    chunk({}, 'function_call'),
  );
  assert.deepEqual([told.calls[0]!.function, told.finish], [{ name: 'now', arguments: '{"z":1}' }, 'tool_calls']);
});

test('ChatCompletionReader: an end without a reason after a call is tool_calls', () => {
  const call = calling({ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } });
  assert.equal(read(call, '[DONE]').finish, 'tool_calls');
  assert.equal(read(chunk({ content: 'a' }), '[DONE]').finish, 'other');
});

test('ChatCompletionReader: errors are read wherever servers put them', () => {
  const errors: [object, string, string][] = [
    [[{ error: { message: 'm', code: 429 } }], 'rate_limited', 'm'],
    [{ object: 'error', message: 'm', code: 400 }, 'refused', 'm'],
    [{ detail: 'm' }, 'unavailable', 'm'],
    [{ message: 'm', code: 429 }, 'rate_limited', 'm'],
    [{ error: { error: { message: 'm' } } }, 'unavailable', 'm'],
    [{ error: true, message: 'm' }, 'unavailable', 'm'],
    [{ error: { message: { text: 'm' } } }, 'unavailable', 'The provider failed.'],
    [{ choices: [{ delta: {}, error: { message: 'm', code: 503 } }] }, 'unavailable', 'm'],
  ];
  for (const [event, kind, message] of errors) {
    const { fault } = read(chunk({ content: 'a' }), event);
    assert.deepEqual([fault?.kind, fault?.message], [kind, message], JSON.stringify(event));
  }
});

test('ChatCompletionReader: cached input and reasoning under other names', () => {
  const usageOf = (usage: object) => read(chunk({}, 'stop'), { choices: [], usage }).usage;
  const counts = { prompt_tokens: 9, completion_tokens: 2 };
  const cached = { inputTokens: 9, outputTokens: 2, cachedInputTokens: 8 };
  assert.deepEqual(usageOf({ ...counts, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 1 }), cached);
  assert.deepEqual(usageOf({ ...counts, cached_tokens: 8 }), cached);
  assert.deepEqual(
    usageOf({ prompt_tokens: '9', completion_tokens: '2', total_tokens: '11', cached_tokens: 8 }),
    cached,
  );
  assert.deepEqual([usageOf({}), usageOf({ total_tokens: 9 })], [null, null], 'unknown is not 0');
  assert.deepEqual(usageOf({ ...counts, total_tokens: 16 }), { inputTokens: 9, outputTokens: 7, reasoningTokens: 5 });
  const inChoice = { choices: [{ delta: {}, finish_reason: 'stop', usage: counts }] };
  assert.deepEqual(read(inChoice).usage, { inputTokens: 9, outputTokens: 2 });
});

test('ChatCompletionReader: empty, encrypted and mixed thoughts go back whole', () => {
  const backOf = (...deltas: object[]) => {
    const call = calling({ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } });
    const events = eventsOf(...deltas.map((delta) => chunk(delta)), call, chunk({}, 'tool_calls'));
    return readText(new ChatCompletionReader({ returnsReasoning: true }), events).calls[0]!.extra_content
      ?.chat_completions;
  };
  assert.deepEqual(backOf({ reasoning_content: '' }, { reasoning_content: null }), { reasoning_content: '' });
  const secret = (data: string, id: string) => ({ type: 'reasoning.encrypted', data, id });
  const secrets = [secret('E1', 'a'), secret('E2', 'b')];
  assert.deepEqual(backOf({ reasoning_details: secrets }), { reasoning_details: secrets });
  const text = (index: number, text: string) => ({ type: 'reasoning.text', index, text });
  assert.deepEqual(
    backOf({ reasoning_details: [text(0, 'a'), text(1, 'x')] }, { reasoning_details: [text(0, 'b'), text(1, 'y')] }),
    { reasoning_details: [text(0, 'ab'), text(1, 'xy')] },
  );
});

test('ChatCompletionReader: the first call carries the reasoning that goes back', () => {
  const reader = new ChatCompletionReader({ returnsReasoning: true });
  const detail = (text: string, more: object = {}) => ({ type: 'reasoning.text', index: 0, text, ...more });
  const told = readText(
    reader,
    eventsOf(
      chunk({ reasoning_content: 'I need ', reasoning_details: [detail('I need ')] }),
      chunk({ reasoning_content: 'it.', reasoning_details: [detail('it.', { signature: 's' })] }),
      calling(
        { index: 0, id: 'a', function: { name: 'one', arguments: '{}' } },
        { index: 1, id: 'b', function: { name: 'two' } },
      ),
      chunk({}, 'tool_calls'),
    ),
  );
  assert.equal(told.reasoning, 'I need it.');
  assert.deepEqual(
    told.calls.map(({ extra_content }) => extra_content),
    [
      {
        chat_completions: {
          reasoning_content: 'I need it.',
          reasoning_details: [detail('I need it.', { signature: 's' })],
        },
      },
      undefined,
    ],
  );
});
