import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOfThisFile } from '../../support/shared.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';
import { CONVERSATION, EVERYTHING, PDF, PNG } from '../conversation.ts';
import {
  API_KEY,
  type Asked,
  askAt,
  bodySent,
  CHAT_OFFERS,
  CUSTOM,
  GROQ,
  LEGACY,
  type Offer,
  XAI,
} from '../support.ts';

const upstream = await fakeUpstream(scopeOfThisFile());
const sent = (offer: Offer, asked: Asked = {}) =>
  bodySent(offer, upstream, asked) as Promise<Record<string, unknown> & { messages: Record<string, unknown>[] }>;

const PATHS = new Map([
  [LEGACY, '/v1/chat/completions'],
  [GROQ, '/openai/v1/chat/completions'],
  [XAI, '/xai/v1/chat/completions'],
  [CUSTOM, '/custom/v1/chat/completions'],
]);

for (const offer of CHAT_OFFERS) {
  const { name, model } = offer;

  test(`${name}: a short request has only the required members`, async () => {
    assert.deepEqual(await sent(offer), {
      model,
      messages: [{ role: 'user', content: 'Say hello.' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const { method, path, headers } = upstream.requests.at(-1)!;
    assert.deepEqual({ method, path }, { method: 'POST', path: PATHS.get(offer) });
    assert.equal(headers.authorization, `Bearer ${API_KEY}`);
  });

  test(`${name}: every member is translated`, async () => {
    const { messages, ...members } = await sent(offer, EVERYTHING);
    assert.deepEqual(messages[0], { role: 'system', content: 'Be brief.' });
    assert.deepEqual(members, {
      model,
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.5,
      top_p: 0.9,
      frequency_penalty: 0.25,
      presence_penalty: -0.25,
      stop: ['END', '###'],
      seed: 42,
      [offer === CUSTOM ? 'max_tokens' : 'max_completion_tokens']: 200,
      tools: EVERYTHING.tools,
      response_format: EVERYTHING.responseFormat,
    });
  });

  test(`${name}: messages are unchanged but for tool names and file types`, async () => {
    const { messages } = await sent(offer, { messages: CONVERSATION });
    const [system, , assistant, , , last, thanks] = CONVERSATION;
    assert.deepEqual(messages, [
      system,
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: PNG, detail: 'low' } },
          { type: 'file', file: { filename: 'order.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
          { type: 'file', file: { filename: 'notes', file_data: 'data:text/plain;base64,T2zDoQ==' } },
        ],
      },
      assistant,
      { role: 'tool', tool_call_id: 'call_1', content: '{"degrees":31}' },
      { role: 'tool', tool_call_id: 'call_2', content: CONVERSATION[4]!.content },
      last,
      thanks,
    ]);
  });

  test(`${name}: content null is sent, empty lists are not`, async () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'now', arguments: '{}' } }];
    const body = await sent(offer, {
      ...{ tools: [], stop: [], responseFormat: { type: 'text' } },
      messages: [
        { role: 'assistant', content: null, tool_calls: calls },
        { role: 'tool', tool_call_id: 'c', content: 'noon' },
      ],
    });
    assert.deepEqual(body.messages[0], { role: 'assistant', content: null, tool_calls: calls });
    assert.deepEqual(Object.keys(body).sort(), ['messages', 'model', 'stream', 'stream_options']);
  });

  test(`${name}: usage is not requested from a server without stream_options`, async () => {
    assert.equal('stream_options' in (await sent(offer, { capabilities: { streamUsage: false } })), false);
  });

  test(`${name}: headers of the connection override the default ones`, async () => {
    await sent(offer, { connection: { headers: { 'x-team': 'support', 'User-Agent': 'ours' } } });
    const { headers } = upstream.requests.at(-1)!;
    assert.equal(headers['x-team'], 'support');
    assert.equal(headers['user-agent'], 'ours');
  });

  test(`${name}: user messages have no tool_call_id`, async () => {
    const { messages } = await sent(offer, {
      messages: [{ role: 'user', content: 'hi', tool_call_id: 'c', name: 'Bob' }],
    });
    assert.deepEqual(messages, [{ role: 'user', content: 'hi' }]);
  });

  test(`${name}: Gemini's signatures are sent only to servers that may be Gemini`, async () => {
    const call = { id: 'c', type: 'function', function: { name: 'now', arguments: '{}' } };
    const extra_content = { google: { thought_signature: 'c2ln' } };
    const { messages } = await sent(offer, {
      messages: [
        { role: 'assistant', content: null, tool_calls: [{ ...call, extra_content }] },
        { role: 'tool', tool_call_id: 'c', content: 'noon' },
      ],
    });
    assert.deepEqual(messages[0]!.tool_calls, [offer === CUSTOM ? { ...call, extra_content } : call]);
  });
}

test('custom: reasoning that a call carries is sent back as members of its message', async () => {
  const call = { id: 'c', type: 'function', function: { name: 'now', arguments: '{}' } };
  const chat_completions = {
    reasoning_content: 'I need the clock.',
    reasoning_details: [{ type: 'reasoning.text' }],
    role: 'user',
  };
  const messages: Asked['messages'] = [
    { role: 'assistant', content: null, tool_calls: [{ ...call, extra_content: { chat_completions } }] },
    { role: 'tool', tool_call_id: 'c', content: 'noon' },
  ];
  const { role: _, ...reasoning } = chat_completions;
  const expected = { role: 'assistant', content: null, tool_calls: [call] };
  assert.deepEqual((await sent(CUSTOM, { messages })).messages[0], { ...expected, ...reasoning });
  assert.deepEqual((await sent(XAI, { messages })).messages[0], expected);
  const said: Asked['messages'] = [
    { role: 'assistant', content: 'Ten.', reasoning_content: 'So.' },
    { role: 'user', content: 'And?' },
  ];
  assert.deepEqual((await sent(CUSTOM, { messages: said })).messages[0], said[0]);
  assert.deepEqual((await sent(XAI, { messages: said })).messages[0], { role: 'assistant', content: 'Ten.' });
});

test('chatCompletionBody: parameters without members are an object schema', async () => {
  const parametersOf = async (parameters?: object) => {
    const tools = [
      { type: 'function', function: { name: 'now', ...(parameters ? { parameters } : {}) } },
    ] as Asked['tools'];
    return ((await sent(CUSTOM, { tools })).tools as { function: { parameters?: object } }[])[0]!.function.parameters;
  };
  assert.deepEqual(await parametersOf({}), { type: 'object', properties: {} });
  assert.deepEqual(await parametersOf({ type: 'object' }), { type: 'object', properties: {} });
  assert.equal(await parametersOf(), undefined);
});

const enabled = (budgetTokens: number): Asked => ({ thinking: { type: 'enabled', budgetTokens } });

test('chatCompletionBody: a thinking budget becomes an effort', async () => {
  assert.equal((await sent(LEGACY, { model: 'o4-mini', ...enabled(1_024) })).reasoning_effort, 'low');
  assert.equal((await sent(GROQ, { model: 'openai/gpt-oss-120b', ...enabled(5_000) })).reasoning_effort, 'medium');
  assert.equal((await sent(XAI, { model: 'grok-4.3', ...enabled(20_000) })).reasoning_effort, 'high');
  assert.equal((await sent(CUSTOM, enabled(20_000))).reasoning_effort, 'high');
  assert.equal((await sent(CUSTOM, { thinking: { type: 'adaptive' } })).reasoning_effort, undefined);
  assert.equal((await sent(GROQ, enabled(5_000))).reasoning_effort, undefined);
});

test("groq: Qwen's reasoning is requested apart, with its own efforts", async () => {
  const first = await sent(GROQ, { model: 'qwen/qwen3-32b', ...enabled(1_024) });
  assert.deepEqual([first.reasoning_format, first.reasoning_effort], ['parsed', 'default']);
  const unasked = await sent(GROQ, { model: 'qwen/qwen3-32b' });
  assert.deepEqual([unasked.reasoning_format, unasked.reasoning_effort], ['parsed', undefined]);
  const later = await sent(GROQ, { model: 'qwen/qwen3.8-27b', ...enabled(1_024) });
  assert.deepEqual([later.reasoning_format, later.reasoning_effort], ['parsed', 'low']);
});

test('custom: without a key a dummy one is sent', async () => {
  await sent(CUSTOM, { connection: { apiKey: null } });
  assert.equal(upstream.requests.at(-1)!.headers.authorization, 'Bearer none');
});

test('custom: without an address nothing is sent', async () => {
  await assert.rejects(askAt(CUSTOM, '', { connection: { baseUrl: null } }), {
    kind: 'refused',
    message: /^providerName: .*baseUrl/,
  });
});
