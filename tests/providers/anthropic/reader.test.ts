import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AnthropicReader } from '../../../src/providers/anthropic/reader.ts';
import { readEvents } from '../../../src/providers/shared/reading.ts';
import { bodyOf, readAll } from '../support.ts';
import { begin, call, delta, end, ending, START, STOP, text, thought, told, written } from './events.ts';

test('AnthropicReader: the result does not depend on how the stream is split', async () => {
  const block = fc.oneof(
    fc
      .array(fc.string({ unit: 'grapheme' }), { maxLength: 4 })
      .map((parts) => (index: number) => text(index, ...parts)),
    fc.json().map((json) => (index: number) => call(index, `toolu_${index}`, json.slice(0, 3), json.slice(3))),
    fc.string({ unit: 'grapheme' }).map((words) => (index: number) => thought(index, words)),
    fc.constant((index: number) => [
      begin(index, { type: 'server_tool_use', id: 's', name: 'web_search' }),
      end(index),
    ]),
    fc.constant(() => [{ type: 'ping' }]),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(block, { maxLength: 5 }),
      fc.array(fc.nat(5_000), { maxLength: 12 }),
      async (blocks, places) => {
        const events = [START, ...blocks.flatMap((make, index) => make(index)), ending('end_turn'), STOP];
        const whole = await told(events);
        assert.equal(whole.fault, null);
        assert.deepEqual(await told(events, places), whole);
      },
    ),
    { numRuns: 200 },
  );
});

test('AnthropicReader: a stream cut before its last event is broken, after its events', async () => {
  const events = [START, ...text(0, 'Olá ', 'mundo 🌍'), ending('end_turn'), STOP];
  const bytes = written(events);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - written([STOP]).length), async (length) => {
      const reader = new AnthropicReader({ mayContinue: false });
      const { text: said, fault, finish } = await readAll(readEvents(bodyOf(bytes.subarray(0, length)), reader));
      assert.equal(fault?.kind, 'broken');
      assert.equal(finish, null);
      assert.ok('Olá mundo 🌍'.startsWith(said));
    }),
  );
});

test('AnthropicReader: every stop reason has a finish reason', async () => {
  const reasons = {
    end_turn: 'stop',
    stop_sequence: 'stop',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    tool_use: 'tool_calls',
    refusal: 'content_filter',
    of_the_future: 'other',
  };
  for (const [reason, expected] of Object.entries(reasons)) {
    assert.equal((await told([START, ending(reason), STOP])).finish, expected, reason);
  }
  assert.equal((await told([START, ending(null), STOP])).finish, 'other');
});

test('AnthropicReader: counts are totals, and a missing one is unchanged', async () => {
  const start = (usage: object) => ({ type: 'message_start', message: { usage } });
  const usageOf = async (first: object, last: object) =>
    (await told([start(first), ending('end_turn', last), STOP])).usage;
  assert.deepEqual(
    await usageOf(
      { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 },
      { output_tokens: 7, input_tokens: null },
    ),
    { inputTokens: 15, outputTokens: 7, cachedInputTokens: 5 },
  );
  assert.deepEqual(
    await usageOf(
      { input_tokens: 10, output_tokens: 1 },
      {
        ...{ input_tokens: 30, cache_creation_input_tokens: 4, output_tokens: 9 },
        output_tokens_details: { thinking_tokens: 6 },
      },
    ),
    { inputTokens: 34, outputTokens: 9, cacheWriteTokens: 4, reasoningTokens: 6 },
  );
});

test('AnthropicReader: a broken answer has the usage so far', async () => {
  const { usage, fault } = await told([START, ...text(0, 'Olá')]);
  assert.deepEqual(usage, { inputTokens: 10, outputTokens: 1 });
  assert.equal(fault?.kind, 'broken');
});

test("AnthropicReader: a call arrives when complete, with the model's arguments", async () => {
  const { calls, finish } = await told([
    START,
    ...call(0, 'toolu_1', '', '{"a": ', '1.50}'),
    begin(1, { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} }),
    end(1),
    begin(2, { type: 'tool_use', id: 'toolu_3', name: 'look', input: { at: 'once' } }),
    end(2),
    ending('tool_use'),
    STOP,
  ]);
  assert.deepEqual(
    calls.map(({ id, function: called }) => [id, called.name, called.arguments]),
    [
      ['toolu_1', 'find', '{"a": 1.50}'],
      ['toolu_2', 'now', '{}'],
      ['toolu_3', 'look', '{"at":"once"}'],
    ],
  );
  assert.equal(finish, 'tool_calls');
});

const THOUGHT = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
const HIDDEN = { type: 'redacted_thinking', data: 'ZGF0YQ==' };

test('AnthropicReader: thoughts are reasoning, and part of the first call', async () => {
  const { reasoning, calls } = await told([
    START,
    ...thought(0, 'Hm.'),
    begin(1, HIDDEN),
    end(1),
    ...text(2, 'Let me look.'),
    ...call(3, 'toolu_1', '{}'),
    ...call(4, 'toolu_2', '{}'),
    ending('tool_use'),
    STOP,
  ]);
  assert.equal(reasoning, 'Hm.');
  assert.deepEqual(calls[0]!.extra_content, { anthropic: { thinking: [THOUGHT, HIDDEN] } });
  assert.ok(!('extra_content' in calls[1]!));
});

test('AnthropicReader: thoughts in an order that cannot be sent back are dropped', async () => {
  const orders = [
    [...text(0, 'First.'), ...thought(1, 'Hm.')],
    [...thought(0, 'Hm.'), begin(1, { type: 'server_tool_use', id: 's', name: 'web_search' }), end(1)],
    thought(0, 'Hm.', ''),
  ];
  for (const before of orders) {
    const { calls } = await told([START, ...before, ...call(5, 'toolu_1', '{}'), ending('tool_use'), STOP]);
    assert.deepEqual(Object.keys(calls[0]!), ['id', 'type', 'function']);
  }
});

test('AnthropicReader: unknown events, blocks and parts are ignored', async () => {
  const {
    text: said,
    finish,
    fault,
  } = await told([
    START,
    { type: 'of_the_future', index: 7 },
    begin(0, { type: 'hologram', size: 3 }),
    delta(0, { type: 'hologram_delta', light: 'x' }),
    end(0),
    ...text(1, 'Olá'),
    delta(1, { type: 'citations_delta', citation: { url: 'https://example.com' } }),
    ': a comment\n\n',
    ending('end_turn'),
    STOP,
    'data: [DONE]\n\n',
  ]);
  assert.deepEqual({ said, finish, fault }, { said: 'Olá', finish: 'stop', fault: null });
});

test("AnthropicReader: the vendor's explanation of a refusal is a warning", async () => {
  const details = { type: 'refusal', category: 'bio', explanation: 'This could do harm.' };
  const { warnings, finish } = await told([
    START,
    { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details: details }, usage: { output_tokens: 1 } },
    STOP,
  ]);
  assert.deepEqual({ warnings, finish }, { warnings: ['This could do harm.'], finish: 'content_filter' });
});

test('AnthropicReader: a pause that will be continued stores the content, without end', async () => {
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
  const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ encrypted_content: 'x' }] };
  const citation = { type: 'web_search_result_location', url: 'https://example.com' };
  const events = [
    START,
    ...thought(0, 'Hm.'),
    ...text(1, 'I ', 'look.'),
    begin(2, search),
    delta(2, { type: 'input_json_delta', partial_json: '{"query":' }),
    delta(2, { type: 'input_json_delta', partial_json: '"x"}' }),
    end(2),
    begin(3, found),
    end(3),
    begin(4, { type: 'text', text: '', citations: null }),
    delta(4, { type: 'citations_delta', citation }),
    delta(4, { type: 'text_delta', text: 'It is.' }),
    end(4),
    ...text(5),
    { ...ending('pause_turn'), delta: { stop_reason: 'pause_turn', container: { id: 'container_1' } } },
    STOP,
  ];
  const reader = new AnthropicReader({
    mayContinue: true,
    before: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3 },
  });
  const { finish, fault, text: said } = await readAll(readEvents(bodyOf(written(events)), reader));
  assert.deepEqual({ finish, fault, said }, { finish: null, fault: null, said: 'I look.It is.' });
  assert.deepEqual(reader.paused, {
    container: 'container_1',
    content: [
      THOUGHT,
      { type: 'text', text: 'I look.' },
      { ...search, input: { query: 'x' } },
      found,
      { type: 'text', text: 'It is.', citations: [citation] },
    ],
  });
  assert.deepEqual(reader.usage, { inputTokens: 11, outputTokens: 9, cachedInputTokens: 3 });
});

test('AnthropicReader: a pause that will not be continued ends the answer', async () => {
  const { finish, warnings } = await told([START, ...text(0, 'I look.'), ending('pause_turn'), STOP]);
  assert.equal(finish, 'other');
  assert.match(warnings.join(), /paused/);
});

const MALFORMED: Record<string, (object | string)[]> = {
  'no JSON': ['event: message_start\ndata: {"type"\n\n'],
  'no object': ['data: null\n\n'],
  'a start without a message': [{ type: 'message_start' }],
  'an ending without a delta': [{ type: 'message_delta' }],
  'a block without a block': [{ type: 'content_block_start', index: 0 }],
  'a text that is none': [begin(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 5 })],
  'a thought that is none': [begin(0, { type: 'thinking', thinking: '' }), delta(0, { type: 'thinking_delta' })],
  'arguments of no call': [delta(3, { type: 'input_json_delta', partial_json: '{}' })],
  'arguments that are no text': [...call(0, 'a').slice(0, 1), delta(0, { type: 'input_json_delta', partial_json: {} })],
  'a call without a name': [begin(0, { type: 'tool_use', id: 'a' }), end(0)],
  'the end of no block': [end(4)],
};

for (const [what, events] of Object.entries(MALFORMED)) {
  test(`anthropic: ${what} is broken`, async () => {
    const { fault, text: said } = await told([START, ...text(9, 'Olá'), ...events, ending('end_turn'), STOP]);
    assert.equal(fault?.kind, 'broken');
    assert.equal(said, 'Olá');
  });
}

const ERRORS: [string, string, number | null][] = [
  ['invalid_request_error', 'refused', 400],
  ['authentication_error', 'credential', 401],
  ['permission_error', 'credential', 403],
  ['not_found_error', 'refused', 404],
  ['rate_limit_error', 'rate_limited', 429],
  ['api_error', 'unavailable', 500],
  ['overloaded_error', 'unavailable', 529],
  ['of_the_future', 'unavailable', null],
];

for (const [type, kind, status] of ERRORS) {
  test(`anthropic: the error ${type} within the stream is ${kind}`, async () => {
    const { fault } = await told([START, { type: 'error', error: { type, message: 'As it\n is.' } }]);
    assert.deepEqual(
      { kind: fault?.kind, status: fault?.status, message: fault?.message },
      { kind, status, message: 'As it is.' },
    );
  });
}
