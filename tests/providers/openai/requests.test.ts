import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOfThisFile } from '../../support/shared.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';
import { CONVERSATION, EVERYTHING, PDF, PNG, SCHEMA } from '../conversation.ts';
import { API_KEY, type Asked, bodySent, OPENAI, tell } from '../support.ts';

const upstream = await fakeUpstream(scopeOfThisFile());
const sent = (asked: Asked = {}) => bodySent(OPENAI, upstream, asked) as Promise<Record<string, unknown>>;
const O3 = { model: 'o3' };

test('responsesBody: a short request has only the required members', async () => {
  assert.deepEqual(await sent(), {
    model: 'gpt-4.1',
    input: [{ role: 'user', content: 'Say hello.' }],
    stream: true,
    store: false,
  });
});

test('openai: requests go to /responses with the key as a bearer token', async () => {
  await sent();
  const { method, path, headers } = upstream.requests.at(-1)!;
  assert.deepEqual({ method, path }, { method: 'POST', path: '/v1/responses' });
  assert.equal(headers.authorization, `Bearer ${API_KEY}`);
});

test('responsesBody: every member is translated', async () => {
  // Unsupported members are removed before the adapter.
  const { frequencyPenalty: _f, presencePenalty: _p, stop: _s, seed: _e, ...asked } = EVERYTHING;
  const { input: _, ...members } = await sent({ ...asked, serverTools: ['web_search', 'code_execution'] });
  assert.deepEqual(members, {
    model: 'gpt-4.1',
    instructions: 'Be brief.',
    stream: true,
    store: false,
    temperature: 0.5,
    top_p: 0.9,
    max_output_tokens: 200,
    tools: [
      { type: 'function', name: 'weather', description: 'Of a city.', parameters: SCHEMA, strict: true },
      { type: 'function', name: 'now', parameters: { type: 'object', properties: {} }, strict: false },
      { type: 'web_search' },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ],
    text: {
      format: { type: 'json_schema', name: 'answer', description: 'The answer.', schema: SCHEMA, strict: true },
    },
  });
});

test('responsesBody: every kind of message and part is translated', async () => {
  const { input } = await sent({ messages: CONVERSATION });
  assert.deepEqual(input, [
    { role: 'system', content: 'Speak Portuguese.' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: PNG, detail: 'low' },
        { type: 'input_file', filename: 'order.pdf', file_data: `data:application/pdf;base64,${PDF}` },
        { type: 'input_file', filename: 'notes', file_data: 'data:text/plain;base64,T2zDoQ==' },
      ],
    },
    { role: 'assistant', content: 'Let me look.' },
    { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Rio"}' },
    { type: 'function_call', call_id: 'call_2', name: 'now', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: '{"degrees":31}' },
    { type: 'function_call_output', call_id: 'call_2', output: 'noon' },
    { role: 'assistant', content: 'It is hot.' },
    { role: 'user', content: 'Thanks.' },
  ]);
});

test('responsesBody: a call without text is only a call', async () => {
  for (const content of [null, '']) {
    const { input } = await sent({
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
        {
          role: 'assistant',
          content,
          tool_calls: [
            {
              ...{ id: 'c', type: 'function', function: { name: 'now', arguments: '' } },
              extra_content: { google: { thought_signature: 'c2ln' } },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'c', content: '' },
      ],
    });
    assert.deepEqual(input, [
      { role: 'user', content: [{ type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' }] },
      { type: 'function_call', call_id: 'c', name: 'now', arguments: '' },
      { type: 'function_call_output', call_id: 'c', output: '' },
    ]);
  }
});

const reasoning = (id: string) => ({ type: 'reasoning', id, summary: [], encrypted_content: `sealed ${id}` });
const callTo = (id: string, extra_content?: unknown) => ({
  ...{ id, type: 'function', function: { name: 'now', arguments: '{}' } },
  ...(extra_content === undefined ? {} : { extra_content }),
});
const answered = (content: string | null, ...calls: { id: string }[]): NonNullable<Asked['messages']> => [
  { role: 'user', content: 'When?' },
  { role: 'assistant', content, tool_calls: calls },
  ...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'noon' })),
];
const itemsSent = async (asked: Asked) =>
  ((await sent(asked)).input as { type?: string; id?: string; call_id?: string; role?: string }[]).map(
    ({ type, id, call_id: callId, role }) => [type ?? role, id ?? callId].filter(Boolean).join(' '),
  );

test('responsesBody: reasoning is requested encrypted and sent back in its place', async () => {
  assert.deepEqual((await sent(O3)).include, ['reasoning.encrypted_content']);
  const one = { openai: { reasoning: [{ ...reasoning('rs_1'), content: [], status: 'completed' }] } };
  const messages = answered(
    'Let me see.',
    callTo('a', one),
    callTo('b', { openai: { reasoning: [reasoning('rs_2')] } }),
  );
  assert.deepEqual(await itemsSent({ ...O3, messages }), [
    ...['user', 'reasoning rs_1', 'assistant', 'function_call a', 'reasoning rs_2', 'function_call b'],
    ...['function_call_output a', 'function_call_output b'],
  ]);
  const { input } = await sent({ ...O3, messages });
  assert.deepEqual((input as unknown[])[1], reasoning('rs_1'));
});

test('responsesBody: models without reasoning neither request nor get it', async () => {
  assert.equal((await sent()).include, undefined);
  const messages = answered(null, callTo('a', { openai: { reasoning: [reasoning('rs_1')] } }));
  assert.deepEqual(await itemsSent({ messages }), ['user', 'function_call a', 'function_call_output a']);
});

test('reasoningOf: reasoning of others is not sent back', async () => {
  const strange = [
    { anthropic: { thinking: [{ type: 'thinking', thinking: 'a', signature: 'b' }] } },
    { openai: null },
    { openai: { reasoning: 'text' } },
    {
      openai: { reasoning: [null, 7, { ...reasoning('rs_1'), encrypted_content: null }, { type: 'message', id: 'm' }] },
    },
    'text',
    null,
  ];
  for (const extra of strange) {
    const messages = answered(null, callTo('a', extra));
    assert.deepEqual(await itemsSent({ ...O3, messages }), ['user', 'function_call a', 'function_call_output a']);
  }
});

test('responsesBody: other formats are passed on', async () => {
  assert.deepEqual((await sent({ responseFormat: { type: 'text' } })).text, { format: { type: 'text' } });
  assert.deepEqual((await sent({ responseFormat: { type: 'json_object' } })).text, { format: { type: 'json_object' } });
});

test('responsesBody: a budget becomes an effort with a summary, adaptive none', async () => {
  const efforts = { 1: 'low', 2048: 'low', 2049: 'medium', 8192: 'medium', 8193: 'high' };
  for (const [budget, effort] of Object.entries(efforts)) {
    const budgetTokens = Number(budget);
    const { reasoning } = await sent({ ...O3, thinking: { type: 'enabled', budgetTokens } });
    assert.deepEqual(reasoning, { effort, summary: 'auto' }, budget);
  }
  assert.deepEqual((await sent({ ...O3, thinking: { type: 'enabled' } })).reasoning, { summary: 'auto' });
  assert.deepEqual((await sent({ ...O3, thinking: { type: 'adaptive' } })).reasoning, { summary: 'auto' });
  assert.equal((await sent({ ...O3, thinking: { type: 'disabled' } })).reasoning, undefined);
  assert.equal((await sent(O3)).reasoning, undefined);
});

test('responsesBody: too small a maxTokens is refused by its name', async () => {
  const before = upstream.requests.length;
  const { fault } = await tell(OPENAI, upstream, { maxTokens: 15 });
  assert.equal(fault?.kind, 'refused');
  assert.equal(fault?.message, 'maxTokens: must be at least 16, or legacy true, with openai');
  assert.equal(upstream.requests.length, before);
  assert.equal((await sent({ maxTokens: 16 })).max_output_tokens, 16);
});

test('responsesBody: a file of unknown type is refused by its path', async () => {
  const content = [
    { type: 'text' as const, text: 'Read.' },
    { type: 'file' as const, file: { filename: 'thing', file_data: PDF } },
  ];
  const { fault } = await tell(OPENAI, upstream, { messages: [{ role: 'user', content }] });
  assert.equal(fault?.kind, 'refused');
  assert.match(fault!.message, /^messages\[0\]\.content\[1\]\.file\.file_data: .*data: URL/);
});

test('openai: headers of the connection override the default ones', async () => {
  await sent({ connection: { headers: { 'x-team': 'support', 'user-agent': 'ours' } } });
  const { headers } = upstream.requests.at(-1)!;
  assert.equal(headers['x-team'], 'support');
  assert.equal(headers['user-agent'], 'ours');
});
