import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DocumentNames } from '../../../src/providers/bedrock/body.ts';
import { scopeOfThisFile } from '../../support/shared.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';
import { CONVERSATION, EVERYTHING, PDF, PNG, SCHEMA } from '../conversation.ts';
import { type Asked, BEDROCK, bodySent, tell } from '../support.ts';

test('DocumentNames: a name is the filename in the allowed characters', () => {
  const names = new DocumentNames();
  assert.equal(names.nameOf('Pedido nº 7 (ação)  final.v2.pdf'), 'Pedido no 7 (acao) final-v2');
  assert.equal(names.nameOf('日本.pdf'), 'document');
  assert.equal(names.nameOf('.pdf'), 'document (2)');
});

test('DocumentNames: names are valid, short and unique', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }), { maxLength: 30 }),
      (filenames) => {
        const names = new DocumentNames();
        const all = filenames.map((filename) => names.nameOf(filename));
        for (const name of all) {
          assert.match(name, /^[a-zA-Z0-9()[\]-](?:[a-zA-Z0-9()[\]-]| (?! )){0,199}$/);
        }
        assert.equal(new Set(all).size, all.length);
      },
    ),
  );
});

const upstream = await fakeUpstream(scopeOfThisFile());
const sent = (asked: Asked = {}) => bodySent(BEDROCK, upstream, asked) as Promise<Record<string, unknown>>;
const NOVA = { model: 'amazon.nova-lite-v1:0' };
const TOOLS: Asked['tools'] = [{ type: 'function', function: { name: 'now' } }];

test('bedrockRequest: a short request has only the required members', async () => {
  assert.deepEqual(await sent(NOVA), {
    messages: [{ role: 'user', content: [{ text: 'Say hello.' }] }],
    inferenceConfig: {},
  });
  assert.deepEqual((await sent()).inferenceConfig, { maxTokens: 4_096 });
});

test('bedrock: the model is part of the path, in any characters', async () => {
  await sent();
  assert.equal(upstream.requests.at(-1)!.path, '/model/anthropic.claude-sonnet-4-5-v1%3A0/converse-stream');
  const arn = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-lite-v1:0';
  await sent({ model: arn });
  assert.equal(upstream.requests.at(-1)!.path, `/model/${encodeURIComponent(arn)}/converse-stream`);
});

test('bedrockRequest: every member is translated', async () => {
  // Unsupported members are removed before the adapter.
  const { frequencyPenalty: _f, presencePenalty: _p, seed: _e, topP: _t, ...asked } = EVERYTHING;
  const { messages: _, ...members } = await sent(asked);
  const { outputConfig, ...others } = members;
  assert.deepEqual(others, {
    system: [{ text: 'Be brief.' }],
    inferenceConfig: { maxTokens: 200, temperature: 0.5, stopSequences: ['END', '###'] },
    toolConfig: {
      tools: [
        { toolSpec: { name: 'weather', description: 'Of a city.', inputSchema: { json: SCHEMA }, strict: true } },
        { toolSpec: { name: 'now', inputSchema: { json: { type: 'object', properties: {} } } } },
      ],
    },
  });
  assert.deepEqual(outputConfig, {
    textFormat: {
      type: 'json_schema',
      structure: { jsonSchema: { schema: JSON.stringify(SCHEMA), name: 'answer', description: 'The answer.' } },
    },
  });
});

test('bedrockRequest: every kind of message and part is translated', async () => {
  const { system, messages } = await sent({ messages: CONVERSATION, tools: TOOLS });
  assert.deepEqual(system, [{ text: 'Speak Portuguese.' }]);
  assert.deepEqual(messages, [
    {
      role: 'user',
      content: [
        { text: 'What is this?' },
        { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } },
        { document: { format: 'pdf', name: 'order', source: { bytes: PDF } } },
        { document: { format: 'txt', name: 'notes', source: { bytes: 'T2zDoQ==' } } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { text: 'Let me look.' },
        { toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Rio' } } },
        { toolUse: { toolUseId: 'call_2', name: 'now', input: {} } },
      ],
    },
    {
      role: 'user',
      content: [
        { toolResult: { toolUseId: 'call_1', content: [{ text: '{"degrees":31}' }] } },
        { toolResult: { toolUseId: 'call_2', content: [{ text: 'no' }, { text: 'on' }] } },
      ],
    },
    { role: 'assistant', content: [{ text: 'It is hot.' }] },
    { role: 'user', content: [{ text: 'Thanks.' }] },
  ]);
});

test('bedrockRequest: Claude gets its own thinking settings, and an effort if any', async () => {
  const thinking = { type: 'enabled' as const, budgetTokens: 2_000 };
  const older = await sent({ thinking, temperature: 0.5 });
  assert.deepEqual(older.additionalModelRequestFields, { thinking: { type: 'enabled', budget_tokens: 2_000 } });
  assert.deepEqual(older.inferenceConfig, { maxTokens: 6_096 });
  const newer = await sent({ model: 'us.anthropic.claude-opus-4-8-v1', thinking });
  assert.deepEqual(newer.additionalModelRequestFields, { thinking: { type: 'adaptive', display: 'summarized' } });
  assert.deepEqual(newer.outputConfig, { effort: 'low' });
  const silent = await sent({ model: 'us.anthropic.claude-opus-4-8-v1', thinking: { type: 'disabled' } });
  assert.deepEqual(silent.additionalModelRequestFields, { thinking: { type: 'disabled' } });
});

test('bedrockRequest: a profile is Claude if its definition has a thinking style', async () => {
  const model = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc';
  const thinking = { type: 'enabled' as const, budgetTokens: 2_000 };
  const asked = await sent({ model, thinking, capabilities: { thinking: 'budget' } });
  assert.deepEqual(asked.additionalModelRequestFields, { thinking: { type: 'enabled', budget_tokens: 2_000 } });
});

test('bedrockRequest: thoughts are sent back with the calls that followed them', async () => {
  const thoughts = [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'ZGF0YQ==' },
  ];
  const call = { id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } };
  const { messages } = await sent({
    tools: TOOLS,
    thinking: { type: 'enabled', budgetTokens: 2_000 },
    messages: [
      { role: 'user', content: 'What time is it?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ ...call, extra_content: { anthropic: { thinking: thoughts } } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
    ],
  });
  assert.deepEqual((messages as { content: unknown }[])[1]!.content, [
    { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
    { reasoningContent: { redactedContent: 'ZGF0YQ==' } },
    { toolUse: { toolUseId: 'call_1', name: 'now', input: {} } },
  ]);
});

test('bedrockRequest: a temperature above 1 is lowered with a warning', async () => {
  for (const model of [BEDROCK.model, NOVA.model]) {
    const told = await tell(BEDROCK, upstream, { model, temperature: 1.5 });
    assert.match(told.warnings.join(), /^temperature: is lowered from 1\.5 to 1/);
    assert.equal(upstream.requests.at(-1)!.body.inferenceConfig.temperature, 1);
  }
});

test('bedrockRequest: other models get their members unchanged', async () => {
  const schema = { title: 'Anything' };
  const { inferenceConfig, outputConfig } = await sent({
    ...{ ...NOVA, temperature: 0.3, topP: 0.5, maxTokens: 50 },
    responseFormat: { type: 'json_schema', json_schema: { name: 'answer', schema } },
  });
  assert.deepEqual(inferenceConfig, { maxTokens: 50, temperature: 0.3, topP: 0.5 });
  assert.deepEqual(outputConfig, {
    textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: JSON.stringify(schema), name: 'answer' } } },
  });
});

test('bedrockRequest: later system messages go first', async () => {
  const { system } = await sent({
    instructions: 'Count.',
    messages: [
      { role: 'user', content: 'One.' },
      { role: 'system', content: [{ type: 'text', text: 'Count down.' }] },
    ],
  });
  assert.deepEqual(system, [{ text: 'Count.' }, { text: 'Count down.' }]);
});

test('bedrockRequest: documents have unique names, formats and a text next to them', async () => {
  const file = (filename: string, file_data: string) => ({ type: 'file' as const, file: { filename, file_data } });
  const { messages } = await sent({
    messages: [
      {
        role: 'user',
        content: [file('a.docx', 'QQ=='), file('a.md', 'QQ=='), file('a.json', 'QQ=='), file('a.png', PNG)],
      },
    ],
  });
  const [{ content }] = messages as [{ content: { document?: { name: string; format: string }; text?: string }[] }];
  assert.deepEqual(
    content.flatMap(({ document }) => (document ? [[document.name, document.format]] : [])),
    [
      ['a', 'docx'],
      ['a (2)', 'md'],
      ['a (3)', 'txt'],
    ],
  );
  assert.deepEqual(content.at(-1), { text: 'a, a (2), a (3)' });
});

const REFUSED: [string, Asked, RegExp][] = [
  [
    'a file that it cannot read',
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'file', file: { filename: 'a.zip', file_data: 'data:application/zip;base64,UEs=' } }],
        },
      ],
    },
    /^messages\[0\]\.content\[0\]\.file\.file_data: is application\/zip; .*PDF/,
  ],
  [
    'an image of a kind that it does not know',
    {
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/bmp;base64,Qk0=' } }] }],
    },
    /^messages\[0\]\.content\[0\]\.image_url\.url: is image\/bmp; .*PNG/,
  ],
  ['a conversation with calls of functions that it does not tell', { messages: CONVERSATION }, /^tools: /],
];

for (const [what, asked, told] of REFUSED) {
  test(`bedrockRequest: ${what} is refused, naming its path`, async () => {
    const before = upstream.requests.length;
    const { fault } = await tell(BEDROCK, upstream, asked);
    assert.equal(fault?.kind, 'refused');
    assert.match(fault!.message, told);
    assert.equal(upstream.requests.length, before);
  });
}
