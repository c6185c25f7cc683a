import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOfThisFile } from '../../support/shared.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';
import { CONVERSATION, EVERYTHING, PDF, SCHEMA } from '../conversation.ts';
import { ANTHROPIC, API_KEY, type Asked, bodySent, tell } from '../support.ts';

const upstream = await fakeUpstream(scopeOfThisFile());
const sent = (asked: Asked = {}) => bodySent(ANTHROPIC, upstream, asked) as Promise<Record<string, unknown>>;

const HELLO = { role: 'user', content: [{ type: 'text', text: 'Say hello.' }] };

test('anthropicRequest: a short request has only the required members', async () => {
  assert.deepEqual(await sent(), {
    model: 'claude-sonnet-4-5',
    max_tokens: 4_096,
    messages: [HELLO],
    stream: true,
  });
});

test('anthropicRequest: every member is translated', async () => {
  // Unsupported members are removed before the adapter.
  const { frequencyPenalty: _f, presencePenalty: _p, seed: _e, topP: _t, ...asked } = EVERYTHING;
  const { messages: _, ...members } = await sent({ ...asked, serverTools: ['web_search', 'code_execution'] });
  assert.deepEqual(members, {
    model: 'claude-sonnet-4-5',
    max_tokens: 200,
    stream: true,
    system: 'Be brief.',
    temperature: 0.5,
    stop_sequences: ['END', '###'],
    tools: [
      { name: 'weather', description: 'Of a city.', input_schema: SCHEMA, strict: true },
      { name: 'now', input_schema: { type: 'object', properties: {} } },
      { type: 'web_search_20260318', name: 'web_search', allowed_callers: ['direct'] },
      { type: 'code_execution_20260521', name: 'code_execution' },
    ],
    output_config: { format: { type: 'json_schema', schema: SCHEMA } },
  });
});

test('anthropicRequest: every kind of message and part is translated', async () => {
  const { system, messages } = await sent({ messages: CONVERSATION });
  assert.equal(system, 'Speak Portuguese.');
  assert.deepEqual(messages, [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        {
          ...{ type: 'document', title: 'order.pdf' },
          source: { type: 'base64', media_type: 'application/pdf', data: PDF },
        },
        { type: 'document', title: 'notes', source: { type: 'text', media_type: 'text/plain', data: 'Olá' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Rio' } },
        { type: 'tool_use', id: 'call_2', name: 'now', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: '{"degrees":31}' }] },
        {
          ...{ type: 'tool_result', tool_use_id: 'call_2' },
          content: [
            { type: 'text', text: 'no' },
            { type: 'text', text: 'on' },
          ],
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'It is hot.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Thanks.' }] },
  ]);
});

test('anthropicRequest: an image address is passed on', async () => {
  const url = 'https://example.com/cat.jpg';
  const { messages } = await sent({
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  });
  assert.deepEqual(messages, [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }]);
});

test('anthropicRequest: a file is text, an image or a PDF by its type', async () => {
  const part = (filename: string, file_data: string) => ({ type: 'file' as const, file: { filename, file_data } });
  const json = `data:application/json;base64,${Buffer.from('{"a":1}').toString('base64')}`;
  const jpg = 'data:image/jpg;base64,/9j/4AA=';
  const [message] = (await sent({ messages: [{ role: 'user', content: [part('a.json', json), part('a.jpg', jpg)] }] }))
    .messages as { content: unknown }[];
  assert.deepEqual(message!.content, [
    { type: 'document', title: 'a.json', source: { type: 'text', media_type: 'text/plain', data: '{"a":1}' } },
    { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/4AA=' } },
  ]);
});

const REFUSED: [string, NonNullable<Asked['messages']>[number], RegExp][] = [
  [
    'a file that it cannot read',
    {
      role: 'user',
      content: [{ type: 'file', file: { filename: 'a.zip', file_data: 'data:application/zip;base64,UEs=' } }],
    },
    /^messages\[0\]\.content\[0\]\.file\.file_data: is application\/zip; .*PDF/,
  ],
  [
    'text that is none',
    { role: 'user', content: [{ type: 'file', file: { filename: 'a.txt', file_data: '/w==' } }] },
    /^messages\[0\]\.content\[0\]\.file\.file_data: .*UTF-8/,
  ],
  [
    'an image of a kind that it does not know',
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/bmp;base64,Qk0=' } }] },
    /^messages\[0\]\.content\[0\]\.image_url\.url: is image\/bmp; .*PNG/,
  ],
  [
    'arguments that are no JSON',
    { role: 'assistant', content: null, tool_calls: [callOf('{"city":')] },
    /^messages\[0\]\.tool_calls\[0\]\.function\.arguments: must be a JSON object/,
  ],
  [
    'arguments that are no object',
    { role: 'assistant', content: null, tool_calls: [callOf('[1]')] },
    /^messages\[0\]\.tool_calls\[0\]\.function\.arguments: must be a JSON object/,
  ],
  ['a conversation of nothing', { role: 'user', content: ' \n' }, /^messages: hold nothing/],
];

for (const [what, message, told] of REFUSED) {
  test(`anthropicRequest: ${what} is refused, naming its path`, async () => {
    const before = upstream.requests.length;
    const { fault } = await tell(ANTHROPIC, upstream, { messages: [message] });
    assert.equal(fault?.kind, 'refused');
    assert.match(fault!.message, told);
    assert.equal(fault!.status, null);
    assert.equal(upstream.requests.length, before);
  });
}

test('answerSchemaOf: a schema that is not strict is adapted', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string', pattern: '^A' } } };
  const { output_config: config } = await sent({
    responseFormat: { type: 'json_schema', json_schema: { name: 'answer', schema } },
  });
  assert.deepEqual(config, {
    format: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: { name: { type: 'string', description: '{pattern: "^A"}' } },
        additionalProperties: false,
      },
    },
  });
});

test('answerSchemaOf: a schema without a type is refused', async () => {
  const { fault } = await tell(ANTHROPIC, upstream, {
    responseFormat: { type: 'json_schema', json_schema: { name: 'answer', schema: { title: 'Anything' } } },
  });
  assert.equal(fault?.kind, 'refused');
  assert.match(fault!.message, /^responseFormat\.json_schema\.schema: /);
});

test('anthropicRequest: older models get older versions of the tools', async () => {
  const { tools } = await sent({ model: 'claude-opus-4-1-20250805', serverTools: ['web_search', 'code_execution'] });
  assert.deepEqual(tools, [
    { type: 'web_search_20250305', name: 'web_search' },
    { type: 'code_execution_20250825', name: 'code_execution' },
  ]);
});

function callOf(text: string) {
  return { id: 'call_1', type: 'function', function: { name: 'now', arguments: text } };
}

test('anthropic: requests go to /v1/messages with the key in x-api-key', async () => {
  await sent({ connection: { headers: { 'x-team': 'orders' } } });
  const { method, path, headers } = upstream.requests.at(-1)!;
  assert.deepEqual({ method, path }, { method: 'POST', path: '/v1/messages' });
  assert.equal(headers['x-api-key'], API_KEY);
  assert.equal(headers.authorization, undefined);
  assert.equal(headers['x-team'], 'orders');
});

test('anthropic: headers of the definition override the default ones', async () => {
  await sent({ connection: { apiKey: null, headers: { Authorization: 'Bearer of-mine', 'anthropic-beta': 'one' } } });
  const { headers } = upstream.requests.at(-1)!;
  assert.equal(headers.authorization, 'Bearer of-mine');
  assert.equal(headers['anthropic-beta'], 'one');
  assert.equal(headers['x-api-key'], undefined);
});

test('anthropic: no key, token, header or address of the environment is used', async (t) => {
  const set = {
    ANTHROPIC_API_KEY: 'sk-of-the-environment',
    ANTHROPIC_AUTH_TOKEN: 'token-of-the-environment',
    ANTHROPIC_CUSTOM_HEADERS: 'x-secret: of-the-environment',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
  };
  Object.assign(process.env, set);
  t.after(() => {
    for (const name of Object.keys(set)) delete process.env[name];
  });
  for (const apiKey of [API_KEY, null]) {
    await sent({ connection: { apiKey } });
    assert.doesNotMatch(JSON.stringify(upstream.requests.at(-1)!.headers), /of-the-environment/);
  }
});

test('anthropic: without a key none is searched for', async (t) => {
  process.env.ANTHROPIC_PROFILE = 'that-is-not-there';
  t.after(() => delete process.env.ANTHROPIC_PROFILE);
  const { 'x-api-key': key, authorization } = await sent({ connection: { apiKey: null } }).then(
    () => upstream.requests.at(-1)!.headers,
  );
  assert.deepEqual({ key, authorization }, { key: undefined, authorization: undefined });
});

test('anthropic: only sampling selects the older version of the API', async () => {
  const versionOf = async (asked: Asked) => {
    await sent(asked);
    return upstream.requests.at(-1)!.headers['anthropic-version'];
  };
  assert.equal(await versionOf({}), '2026-10-21');
  assert.equal(await versionOf({ temperature: 0 }), '2023-06-01');
  assert.equal(await versionOf({ topP: 0.5 }), '2023-06-01');
});

const LATER: NonNullable<Asked['messages']> = [
  { role: 'user', content: 'One.' },
  { role: 'assistant', content: 'Two.' },
  { role: 'system', content: 'Count down.' },
  { role: 'user', content: 'Three.' },
  { role: 'assistant', content: 'Four.' },
  { role: 'user', content: 'Five.' },
  { role: 'system', content: 'Stop soon.' },
];

test('conversationOf: later system messages follow user turns for newer models', async () => {
  const { system, messages } = await sent({ model: 'claude-opus-5-5', messages: LATER });
  assert.equal(system, undefined);
  const turns = messages as { role: string; content: { text: string }[] }[];
  assert.deepEqual(
    turns.map(({ role, content }) => `${role}: ${content.map(({ text }) => text).join()}`),
    [
      'user: One.',
      'assistant: Two.',
      'user: Three.',
      'system: Count down.',
      'assistant: Four.',
      'user: Five.',
      'system: Stop soon.',
    ],
  );
});

test('conversationOf: other system messages go first', async () => {
  const { system } = await sent({ instructions: 'Count.', messages: LATER });
  assert.equal(system, 'Count.\n\nCount down.\n\nStop soon.');
  const unsaid = await sent({
    model: 'claude-opus-5-5',
    messages: [
      { role: 'user', content: 'One.' },
      { role: 'assistant', content: 'Two' },
      { role: 'system', content: 'Count down.' },
    ],
  });
  assert.equal(unsaid.system, 'Count down.');
  assert.equal((unsaid.messages as unknown[]).length, 2);
});

test('conversationOf: adjacent messages of one role merge, results first, ids valid', async () => {
  const { messages } = await sent({
    messages: [
      { role: 'user', content: 'One.' },
      { role: 'user', content: 'Two.' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'functions.now:0', type: 'function', function: { name: 'now', arguments: '' } }],
      },
      { role: 'tool', tool_call_id: 'functions.now:0', content: '' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '' },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  });
  assert.deepEqual(messages, [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'functions_now_0', name: 'now', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'functions_now_0', content: [] },
        { type: 'text', text: 'And?' },
      ],
    },
  ]);
});
