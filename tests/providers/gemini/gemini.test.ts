import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GeminiReader } from '../../../src/providers/gemini/reader.ts';
import { scopeOfThisFile } from '../../support/shared.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';
import { CONVERSATION, EVERYTHING, PDF, SCHEMA } from '../conversation.ts';
import { API_KEY, type Asked, bodySent, GEMINI, type Told, tell } from '../support.ts';
import { cut, eventsOf, readText } from '../transcripts.ts';

const chunk = (parts: object[], rest: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...rest }],
});
const ended = (finishReason: string, rest: object = {}) => chunk([{ text: '' }], { finishReason, ...rest });
const read = (...events: (object | string)[]): Told => readText(new GeminiReader(), eventsOf(...events));

const WHOLE = eventsOf(
  { ...chunk([{ text: 'Olá', thought: true }]), usageMetadata: { promptTokenCount: 10 }, responseId: 'r1' },
  {
    ...chunk([{ text: 'So ' }]),
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, thoughtsTokenCount: 7 },
  },
  chunk([{ text: 'é ' }, { text: '🌍' }]),
  chunk([{ executableCode: { language: 'PYTHON', code: '1+1' } }, { codeExecutionResult: { output: '2' } }]),
  chunk([{ functionCall: { id: 'a', name: 'now', args: { n: 'ã' } }, thoughtSignature: 'c2ln' }]),
  {
    ...ended('STOP'),
    usageMetadata: {
      ...{ promptTokenCount: 10, toolUsePromptTokenCount: 3, cachedContentTokenCount: 4 },
      ...{ candidatesTokenCount: 6, thoughtsTokenCount: 7 },
    },
  },
);

test('GeminiReader: the result does not depend on how the stream is split', () => {
  const expected = readText(new GeminiReader(), WHOLE);
  assert.equal(expected.text, 'So é 🌍');
  assert.equal(expected.reasoning, 'Olá');
  assert.deepEqual(expected.calls, [
    {
      ...{ id: 'a', type: 'function', function: { name: 'now', arguments: '{"n":"ã"}' } },
      extra_content: { google: { thought_signature: 'c2ln' } },
    },
  ]);
  assert.deepEqual(expected.usage, {
    ...{ inputTokens: 13, outputTokens: 13, cachedInputTokens: 4, reasoningTokens: 7 },
  });
  assert.equal(expected.finish, 'tool_calls');
  fc.assert(
    fc.property(cut(WHOLE), (parts) => {
      assert.deepEqual(readText(new GeminiReader(), ...parts), expected);
    }),
    { numRuns: 500 },
  );
});

test('GeminiReader: whole with a finish reason, and reads what follows', () => {
  const reader = new GeminiReader();
  readText(reader, eventsOf(chunk([{ text: 'a' }])));
  assert.equal(reader.state, 'open');
  readText(reader, eventsOf(ended('STOP')));
  assert.equal(reader.state, 'whole');
  const told = read(chunk([{ text: 'a' }]), ended('STOP'), {
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
  });
  assert.deepEqual(told.usage, { inputTokens: 1, outputTokens: 2 });
});

test('GeminiReader: every finish reason has one name', () => {
  const reasons = {
    ...{ STOP: 'stop', MAX_TOKENS: 'length', CONTINUATION: 'length' },
    ...{ SAFETY: 'content_filter', RECITATION: 'content_filter', BLOCKLIST: 'content_filter', SPII: 'content_filter' },
    ...{ PROHIBITED_CONTENT: 'content_filter', IMAGE_SAFETY: 'content_filter', OTHER: 'other', LANGUAGE: 'other' },
  };
  for (const [said, meant] of Object.entries(reasons)) assert.equal(read(ended(said)).finish, meant, said);
  for (const said of ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE']) {
    assert.equal(read(ended(said)).fault?.kind, 'broken', said);
  }
  const malformed = read(ended('MALFORMED_FUNCTION_CALL', { finishMessage: 'Malformed function call: print(now())' }));
  assert.match(malformed.fault!.message, /MALFORMED_FUNCTION_CALL.*print\(now\(\)\)/);
});

test('GeminiReader: a blocked prompt is a refusal with the reason', () => {
  const { fault } = read({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage: 'Not this.' } });
  assert.deepEqual([fault?.kind, fault?.message], ['refused', 'The prompt is blocked (PROHIBITED_CONTENT). Not this.']);
  assert.equal(read({ promptFeedback: { safetyRatings: [] } }, ended('STOP')).finish, 'stop');
});

test('GeminiReader: a call gets a missing id and empty arguments', () => {
  const { calls } = read(
    chunk([{ functionCall: { name: 'one' } }, { functionCall: { name: 'two', args: {} } }]),
    ended('STOP'),
  );
  assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
  assert.deepEqual(
    calls.map(({ function: { arguments: text } }) => text),
    ['{}', '{}'],
  );
  assert.ok(calls.every((call) => !('extra_content' in call)));
});

test('GeminiReader: the first candidate is the answer', () => {
  const two = {
    candidates: [{ content: { parts: [{ text: 'a' }] } }, { content: { parts: [{ text: 'b' }] }, index: 1 }],
  };
  assert.equal(read(two, ended('STOP')).text, 'a');
});

test('GeminiReader: images are dropped with one warning', () => {
  const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
  const told = read(chunk([{ text: 'Here: ' }, image]), chunk([image]), ended('STOP'));
  assert.deepEqual([told.text, told.warnings], ['Here: ', ['The answer holds image/png, which is left out.']]);
});

test('GeminiReader: an error within the stream has its status and retry delay', () => {
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' };
  const { fault } = read({
    error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED', details: [retryInfo] },
  });
  assert.deepEqual([fault?.kind, fault?.message, fault?.retryAfterMs], ['rate_limited', 'Quota.', 34_500]);
  assert.equal(
    read({ error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } }).fault?.kind,
    'unavailable',
  );
  assert.equal(read({ error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' } }).fault?.kind, 'refused');
});

interface Body {
  contents: { role: string; parts: Record<string, unknown>[] }[];
  generationConfig?: Record<string, unknown>;
  [member: string]: unknown;
}

const upstream = await fakeUpstream(scopeOfThisFile());
const sent = (asked: Asked = {}) => bodySent(GEMINI, upstream, asked) as Promise<Body>;
const refused = async (asked: Asked): Promise<string> => {
  const before = upstream.requests.length;
  const { fault } = await tell(GEMINI, upstream, asked);
  assert.equal(fault?.kind, 'refused');
  assert.equal(upstream.requests.length, before, 'nobody is asked');
  return fault!.message;
};
const callAndAnswer = (call: object, answer = 'noon'): NonNullable<Asked['messages']> => [
  { role: 'user', content: 'When?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'now', arguments: '{}' }, ...call }],
  },
  { role: 'tool', tool_call_id: 'c', content: answer },
];

test('gemini: a short request has only the required members', async () => {
  assert.deepEqual(await sent(), {
    contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }],
    generationConfig: {},
  });
});

test('gemini: the model is in the path, the key only in a header', async () => {
  await sent();
  const { method, path, headers, body } = upstream.requests.at(-1)!;
  assert.equal(method, 'POST');
  assert.equal(path, '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
  assert.equal(headers['x-goog-api-key'], API_KEY);
  assert.ok(!`${path}${JSON.stringify(body)}`.includes(API_KEY));
});

test('gemini: without a key none is sent', async () => {
  await sent({ connection: { apiKey: null } });
  assert.equal('x-goog-api-key' in upstream.requests.at(-1)!.headers, false);
});

test('gemini: every member is translated', async () => {
  const { contents: _, ...members } = await sent(EVERYTHING);
  assert.deepEqual(members, {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    generationConfig: {
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 200,
      frequencyPenalty: 0.25,
      presencePenalty: -0.25,
      stopSequences: ['END', '###'],
      seed: 42,
      responseMimeType: 'application/json',
      responseJsonSchema: SCHEMA,
    },
    tools: [
      {
        functionDeclarations: [
          { name: 'weather', description: 'Of a city.', parametersJsonSchema: SCHEMA },
          { name: 'now' },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } },
  });
});

test('gemini: every kind of message and part is translated', async () => {
  const { contents, systemInstruction } = await sent({ instructions: 'Be brief.', messages: CONVERSATION });
  assert.deepEqual(systemInstruction, { parts: [{ text: 'Be brief.' }, { text: 'Speak Portuguese.' }] });
  assert.deepEqual(contents, [
    {
      role: 'user',
      parts: [
        { text: 'What is this?' },
        { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
        { inlineData: { mimeType: 'application/pdf', data: PDF } },
        { inlineData: { mimeType: 'text/plain', data: 'T2zDoQ==' } },
      ],
    },
    {
      role: 'model',
      parts: [
        { text: 'Let me look.' },
        { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Rio' } } },
        { functionCall: { id: 'call_2', name: 'now', args: {} } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'call_1', name: 'weather', response: { output: '{"degrees":31}' } } },
        { functionResponse: { id: 'call_2', name: 'now', response: { output: 'noon' } } },
      ],
    },
    { role: 'model', parts: [{ text: 'It is hot.' }] },
    { role: 'user', parts: [{ text: 'Thanks.' }] },
  ]);
});

test('contentsOf: adjacent messages of one role merge, empty ones are dropped', async () => {
  const { contents } = await sent({
    messages: [
      { role: 'user', content: 'One.' },
      { role: 'assistant', content: '' },
      { role: 'user', content: [{ type: 'text', text: '' }] },
      { role: 'user', content: 'Two.' },
    ],
  });
  assert.deepEqual(contents, [{ role: 'user', parts: [{ text: 'One.' }, { text: 'Two.' }] }]);
});

test('contentsOf: a signature is sent back with its call', async () => {
  const signed = callAndAnswer({ extra_content: { google: { thought_signature: 'c2ln' } } });
  for (const model of ['gemini-2.5-flash', 'gemini-3.1-pro-preview']) {
    const { contents } = await sent({ model, messages: signed });
    assert.equal(contents[1]!.parts[0]!.thoughtSignature, 'c2ln', model);
  }
});

test('contentsOf: since Gemini 3 the first of unsigned parallel calls is marked', async () => {
  const twoCalls = callAndAnswer({});
  twoCalls[1]!.tool_calls!.push({ id: 'd', type: 'function', function: { name: 'now', arguments: '{}' } });
  twoCalls.push({ role: 'tool', tool_call_id: 'd', content: 'noon' });
  for (const [model, mark] of [
    ['gemini-2.0-flash', undefined],
    ['gemini-2.5-pro', undefined],
    ['gemini-3-flash-preview', 'skip_thought_signature_validator'],
    ['gemini-flash-latest', 'skip_thought_signature_validator'],
  ]) {
    const { contents } = await sent({ model: model!, messages: twoCalls });
    assert.deepEqual(
      contents[1]!.parts.map((part) => part.thoughtSignature),
      [mark, undefined],
      model,
    );
  }
});

test('contentsOf: large numbers in a tool result are unchanged', async () => {
  const { contents } = await sent({ messages: callAndAnswer({}, '{"id":12345678901234567890}') });
  assert.deepEqual(contents[2]!.parts[0]!.functionResponse, {
    ...{ id: 'c', name: 'now' },
    response: { output: '{"id":12345678901234567890}' },
  });
});

test('geminiParameters: thinking is a budget or a level, by the model', async () => {
  const config = async (model: string, thinking: Asked['thinking']) =>
    (await sent({ model, thinking })).generationConfig!.thinkingConfig;
  const budgeted = 'gemini-2.5-flash';
  const enabled = { type: 'enabled', budgetTokens: 3_000 } as const;
  assert.deepEqual(await config(budgeted, enabled), { includeThoughts: true, thinkingBudget: 3_000 });
  assert.deepEqual(await config(budgeted, { type: 'enabled' }), { includeThoughts: true, thinkingBudget: -1 });
  assert.deepEqual(await config(budgeted, { type: 'adaptive' }), { includeThoughts: true, thinkingBudget: -1 });
  assert.deepEqual(await config(budgeted, { type: 'disabled' }), { thinkingBudget: 0 });
  const levelled = 'gemini-3-flash-preview';
  assert.deepEqual(await config(levelled, enabled), { includeThoughts: true, thinkingLevel: 'MEDIUM' });
  assert.deepEqual(await config(levelled, { type: 'enabled', budgetTokens: 100 }), {
    ...{ includeThoughts: true, thinkingLevel: 'LOW' },
  });
  assert.deepEqual(await config(levelled, { type: 'adaptive' }), { includeThoughts: true });
  assert.equal(await config(levelled, undefined), undefined);
});

test("geminiParameters: Google's tools cannot be combined with functions", async () => {
  const { tools } = await sent({ serverTools: ['web_search', 'code_execution'] });
  assert.deepEqual(tools, [{ googleSearch: {} }, { codeExecution: {} }]);
  const { tools: own } = EVERYTHING;
  assert.match(await refused({ tools: own, serverTools: ['web_search'] }), /^serverTools: cannot go with tools/);
});

test('geminiParameters: an object without a schema has only its media type', async () => {
  const json = await sent({ responseFormat: { type: 'json_object' } });
  assert.deepEqual(json.generationConfig, { responseMimeType: 'application/json' });
  assert.deepEqual((await sent({ responseFormat: { type: 'text' } })).generationConfig, {});
});

test('geminiParameters: a long seed is cut to 32 bits, always alike', async () => {
  assert.deepEqual((await sent({ seed: 2 ** 40 + 7 })).generationConfig, { seed: 7 });
  assert.deepEqual((await sent({ seed: -3 })).generationConfig, { seed: -3 });
});

test('geminiParameters: an unsupported part is refused by its path, before a request', async () => {
  const withArguments = (text: string) => callAndAnswer({ function: { name: 'now', arguments: text } });
  for (const text of ['[1]', '{"a":', '"b"', 'null']) {
    assert.match(
      await refused({ messages: withArguments(text) }),
      /^messages\[1\]\.tool_calls\[0\]\.function\.arguments: must be a JSON object/,
    );
  }
  const image = { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } };
  assert.match(
    await refused({ messages: [{ role: 'user', content: [image] }] }),
    /^messages\[0\]\.content\[0\]\.image_url\.url: must be a data: URL/,
  );
  assert.match(await refused({ messages: [{ role: 'system', content: 'Alone.' }] }), /^messages: must hold something/);
  for (const model of ['../v1/x', 'a?b', 'a#b', 'a b', 'a:b']) {
    assert.match(await refused({ model }), /^model: must be the name of a model/);
  }
});

test('gemini: headers of the connection override the default ones', async () => {
  await sent({ connection: { headers: { 'x-team': 'support', 'user-agent': 'ours', 'x-goog-api-key': 'other' } } });
  const { headers } = upstream.requests.at(-1)!;
  assert.equal(headers['x-team'], 'support');
  assert.equal(headers['user-agent'], 'ours');
  assert.equal(headers['x-goog-api-key'], 'other');
});
