import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { ResponsesReader } from '../../../src/providers/openai/reader.ts';
import { startServer } from '../../outbound/support.ts';
import { type Asked, askAt, OPENAI, readAll, type Told } from '../support.ts';
import { cut, eventsOf, readText } from '../transcripts.ts';

/* The events of OpenAI's Responses API. */

const said = (delta: string) => ({ type: 'response.output_text.delta', delta });
const called = (item: object) => ({ type: 'response.output_item.done', item: { type: 'function_call', ...item } });
const completed = (response: object = {}) => ({ type: 'response.completed', response });
const incomplete = (reason: string) => ({ type: 'response.incomplete', response: { incomplete_details: { reason } } });
const read = (...events: (object | string)[]): Told => readText(new ResponsesReader(), eventsOf(...events));

const USAGE = {
  input_tokens: 50,
  input_tokens_details: { cached_tokens: 20, cache_write_tokens: 5 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 12 },
};

const WHOLE = eventsOf(
  { type: 'response.created', response: { id: 'resp_1' } },
  { type: 'response.reasoning_summary_part.added', summary_index: 0 },
  { type: 'response.reasoning_summary_text.delta', delta: 'Olá' },
  { type: 'response.reasoning_summary_part.added', summary_index: 1 },
  { type: 'response.reasoning_summary_text.delta', delta: 'então' },
  { type: 'response.web_search_call.searching' },
  said('So '),
  said('é 🌍'),
  { type: 'response.output_text.done', text: 'So é 🌍' },
  { type: 'response.function_call_arguments.delta', delta: '{"n"' },
  called({ call_id: 'call_1', name: 'now', arguments: '{"n":"ã"}', status: 'completed' }),
  { type: 'response.something.new', delta: 'no' },
  completed({ usage: USAGE }),
);

test('ResponsesReader: the result does not depend on how the stream is split', () => {
  const expected = readText(new ResponsesReader(), WHOLE);
  assert.equal(expected.text, 'So é 🌍');
  assert.equal(expected.reasoning, 'Olá\n\nentão');
  assert.deepEqual(expected.calls, [
    { id: 'call_1', type: 'function', function: { name: 'now', arguments: '{"n":"ã"}' } },
  ]);
  assert.deepEqual(expected.usage, {
    ...{ inputTokens: 50, outputTokens: 30 },
    ...{ cachedInputTokens: 20, cacheWriteTokens: 5, reasoningTokens: 12 },
  });
  assert.equal(expected.finish, 'tool_calls');
  fc.assert(
    fc.property(cut(WHOLE), (parts) => {
      assert.deepEqual(readText(new ResponsesReader(), ...parts), expected);
    }),
    { numRuns: 500 },
  );
});

test('ResponsesReader: closed by the final event only', () => {
  const reader = new ResponsesReader();
  readText(reader, eventsOf(said('a'), { type: 'response.output_text.done' }, { type: 'response.content_part.done' }));
  assert.equal(reader.state, 'open');
  readText(reader, eventsOf(completed()));
  assert.equal(reader.state, 'closed');
});

test('ResponsesReader: the reason for an incomplete response is the finish reason', () => {
  assert.equal(read(said('a'), incomplete('max_output_tokens')).finish, 'length');
  assert.equal(read(said('a'), incomplete('content_filter')).finish, 'content_filter');
  assert.equal(read(said('a'), incomplete('steered')).finish, 'other');
  assert.equal(read(said('a'), { type: 'response.incomplete' }).finish, 'other');
  assert.equal(read(said('a'), completed()).finish, 'stop');
});

test('ResponsesReader: a cut call is dropped with a warning, empty arguments are {}', () => {
  const told = read(
    called({ call_id: 'a', name: 'now', arguments: '' }),
    called({ call_id: 'b', name: 'then', arguments: '{"n":', status: 'incomplete' }),
    incomplete('max_output_tokens'),
  );
  assert.deepEqual(
    told.calls.map(({ id, function: called }) => [id, called.arguments]),
    [['a', '{}']],
  );
  assert.deepEqual(told.warnings, ['A call of then was cut off and is left out.']);
  assert.equal(told.finish, 'length');
});

test('ResponsesReader: a failure is classified by its code', () => {
  const kindOf = (code: string) =>
    read({ type: 'response.failed', response: { error: { code, message: 'm' } } }).fault?.kind;
  assert.equal(kindOf('rate_limit_exceeded'), 'rate_limited');
  assert.equal(kindOf('insufficient_quota'), 'rate_limited');
  for (const code of ['server_error', 'vector_store_timeout', 'server_is_overloaded', 'new_code']) {
    assert.equal(kindOf(code), 'unavailable', code);
  }
  for (const code of [
    'invalid_prompt',
    'bio_policy',
    'image_too_large',
    'unsupported_image_media_type',
    'data_residency_mismatch',
  ]) {
    assert.equal(kindOf(code), 'refused', code);
  }
});

test('ResponsesReader: an error event is read, nested or not', () => {
  const flat = read(said('a'), { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.', param: null });
  assert.deepEqual([flat.fault?.kind, flat.fault?.message, flat.text], ['rate_limited', 'Slow down.', 'a']);
  const nested = read({ type: 'error', error: { type: 'invalid_request_error', message: 'No.', code: null } });
  assert.deepEqual([nested.fault?.kind, nested.fault?.message], ['refused', 'No.']);
  const plain = read({ error: { message: 'It broke.', type: 'server_error' } });
  assert.deepEqual([plain.fault?.kind, plain.fault?.message], ['unavailable', 'It broke.']);
  assert.equal(read({ type: 'response.failed', response: {} }).fault?.message, 'The provider failed.');
});

test('ResponsesReader: a call without an id is broken', () => {
  assert.equal(read(called({ name: 'now', arguments: '{}' })).fault?.kind, 'broken');
});

const thought = (id: string, sealed: string | null = `sealed ${id}`) => ({
  type: 'response.output_item.done',
  item: { type: 'reasoning', id, summary: [], content: [], encrypted_content: sealed, status: 'completed' },
});
const wrote = { type: 'response.output_item.done', item: { type: 'message', id: 'msg_1', status: 'completed' } };
const searched = { type: 'response.output_item.done', item: { type: 'web_search_call', id: 'ws_1' } };
const call = (id: string) => called({ call_id: id, name: 'now', arguments: '{}' });
const reasonedIn = (...events: object[]) =>
  read(...events, completed()).calls.map(({ id, extra_content: extra }) => {
    const { reasoning = [] } = (extra?.openai ?? {}) as { reasoning?: { id: string }[] };
    return [id, ...reasoning.map((item) => item.id)];
  });

test('ResponsesReader: a call has the reasoning before it in the form to send back', () => {
  const { calls } = read(thought('rs_1'), call('a'), call('b'), completed());
  assert.deepEqual(
    calls.map(({ extra_content: extra }) => extra),
    [
      { openai: { reasoning: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed rs_1' }] } },
      undefined,
    ],
  );
  assert.deepEqual(reasonedIn(thought('rs_1'), thought('rs_2'), call('a'), thought('rs_3'), call('b')), [
    ['a', 'rs_1', 'rs_2'],
    ['b', 'rs_3'],
  ]);
  assert.deepEqual(reasonedIn(thought('rs_1'), wrote, call('a')), [['a', 'rs_1']]);
});

test('ResponsesReader: unsealed or misplaced reasoning is dropped', () => {
  assert.deepEqual(reasonedIn(thought('rs_1', null), thought('rs_2', ''), call('a')), [['a']]);
  assert.deepEqual(reasonedIn(wrote, thought('rs_1'), call('a')), [['a']]);
  assert.deepEqual(reasonedIn(thought('rs_1'), searched, thought('rs_2'), call('a')), [['a']]);
  assert.deepEqual(reasonedIn(call('a'), thought('rs_1'), wrote, call('b')), [['a'], ['b']]);
  const cutOff = called({ call_id: 'a', name: 'now', arguments: '{', status: 'incomplete' });
  assert.deepEqual(reasonedIn(thought('rs_1'), cutOff, call('b')), [['b']]);
});

/* OpenAI opens encrypted reasoning only for the organization that got it. */

type Item = { type?: string };

const UNOPENED = {
  message: 'The encrypted content could not be verified.',
  type: 'invalid_request_error',
  param: null,
  code: 'invalid_encrypted_content',
};

/** Opens none, or says so whatever it is sent. */
async function stranger(t: TestContext, { always = false } = {}) {
  const inputs: Item[][] = [];
  const server = await startServer(t, async (request, response) => {
    const { input } = (await json(request)) as { input: Item[] };
    inputs.push(input);
    if (always || input.some(({ type }) => type === 'reasoning')) {
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: UNOPENED }));
    }
    return response.end(
      eventsOf({ type: 'response.output_text.delta', delta: 'Noon.' }, { type: 'response.completed', response: {} }),
    );
  });
  return { url: server.url, inputs };
}

const REASONING = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };
const CALLED: Asked = {
  model: 'gpt-5',
  messages: [
    { role: 'user', content: 'When?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          ...{ id: 'a', type: 'function', function: { name: 'now', arguments: '{}' } },
          extra_content: { openai: { reasoning: [REASONING] } },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: '12:00' },
  ],
};

test('openai: reasoning of another organization is dropped with a warning', async (t) => {
  const { url, inputs } = await stranger(t);
  const told = await readAll((await askAt(OPENAI, url, CALLED)).events);
  assert.deepEqual([told.text, told.finish], ['Noon.', 'stop']);
  assert.deepEqual(told.warnings, [
    'What was reasoned before is left out: OpenAI opens it only to the organization that it gave it to.',
  ]);
  assert.deepEqual(
    inputs.map((items) => items.map(({ type }) => type ?? 'message')),
    [
      ['message', 'reasoning', 'function_call', 'function_call_output'],
      ['message', 'function_call', 'function_call_output'],
    ],
  );
});

test('openai: a second refusal is not retried', async (t) => {
  const { url, inputs } = await stranger(t, { always: true });
  await assert.rejects(askAt(OPENAI, url, CALLED), { kind: 'refused', status: 400 });
  assert.equal(inputs.length, 2);
});

/* OpenAI shows summaries of reasoning only to organizations that it has verified. */

interface Body {
  reasoning?: { effort?: string; summary?: string };
}

const REFUSED = {
  message: 'Your organization must be verified to generate reasoning summaries.',
  type: 'invalid_request_error',
  code: 'unsupported_value',
};

async function unverified(t: TestContext, param: string, text = 'Hello!') {
  const bodies: Body[] = [];
  const server = await startServer(t, async (request, response) => {
    const body = (await json(request)) as Body;
    bodies.push(body);
    if (body.reasoning?.summary || param !== 'reasoning.summary') {
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: { ...REFUSED, param } }));
    }
    return response.end(
      eventsOf({ type: 'response.output_text.delta', delta: text }, { type: 'response.completed', response: {} }),
    );
  });
  return { url: server.url, bodies };
}

const THINKING = { model: 'gpt-5', thinking: { type: 'enabled', budgetTokens: 20_000 } } as const;

test('openai: a refused summary is dropped with a warning', async (t) => {
  const { url, bodies } = await unverified(t, 'reasoning.summary');
  const told = await readAll((await askAt(OPENAI, url, THINKING)).events);
  assert.deepEqual([told.text, told.finish], ['Hello!', 'stop']);
  assert.deepEqual(told.warnings, [
    'OpenAI shows the reasoning of its models only to organizations that it has verified.',
  ]);
  assert.deepEqual(
    bodies.map(({ reasoning }) => reasoning),
    [{ effort: 'high', summary: 'auto' }, { effort: 'high' }],
  );
});

test('openai: any other refusal fails at once', async (t) => {
  const { url, bodies } = await unverified(t, 'reasoning.effort');
  await assert.rejects(askAt(OPENAI, url, THINKING), { kind: 'refused', status: 400 });
  assert.equal(bodies.length, 1);
});
