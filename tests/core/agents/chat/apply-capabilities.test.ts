import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyCapabilities } from '../../../../src/core/agents/chat/apply-capabilities.ts';
import { capabilitiesOf, type Vendor } from '../../../../src/core/agents/chat/capabilities.ts';
import type { ChatRequest } from '../../../../src/core/agents/chat/schema.ts';

const TUNED = {
  temperature: 0.5,
  topP: 0.9,
  frequencyPenalty: 1,
  presencePenalty: 1,
  seed: 7,
  thinking: { type: 'enabled', budgetTokens: 2_048 },
} as const;

function ask(provider: Vendor, model: string, given: Partial<ChatRequest>, overrides = {}, strict = false) {
  const request: ChatRequest = {
    projectId: 'p',
    provider,
    model,
    messages: [{ role: 'user', content: 'hi' }],
    ...given,
  };
  return applyCapabilities(
    request,
    capabilitiesOf({ provider, model, legacy: given.legacy ?? false }, overrides),
    strict ? Object.keys(given) : [],
  );
}

test('applyCapabilities: an unsupported tuning member is dropped and named', () => {
  const cases: [Vendor, string, Partial<ChatRequest>, string][] = [
    ['openai', 'gpt-4o', {}, 'frequencyPenalty,presencePenalty,seed,thinking'],
    ['openai', 'gpt-4o', { legacy: true }, 'thinking'],
    ['openai', 'gpt-5.1', {}, 'temperature,topP,frequencyPenalty,presencePenalty,seed'],
    ['openai', 'o3', { legacy: true }, 'temperature,topP,frequencyPenalty,presencePenalty'],
    ['openai', 'gpt-5-chat-latest', {}, 'temperature,topP,frequencyPenalty,presencePenalty,seed,thinking'],
    ['anthropic', 'claude-3-5-haiku-20241022', {}, 'frequencyPenalty,presencePenalty,seed,thinking'],
    ['anthropic', 'claude-sonnet-4-5-20250929', {}, 'frequencyPenalty,presencePenalty,seed'],
    ['anthropic', 'claude-opus-4-7', {}, 'temperature,topP,frequencyPenalty,presencePenalty,seed'],
    ['anthropic', 'claude-opus-5-5', {}, 'temperature,topP,frequencyPenalty,presencePenalty,seed'],
    ['bedrock', 'anthropic.claude-sonnet-4-20250514-v1:0', {}, 'frequencyPenalty,presencePenalty,seed'],
    ['bedrock', 'amazon.nova-pro-v1:0', {}, 'frequencyPenalty,presencePenalty,seed,thinking'],
    ['groq', 'llama-3.3-70b-versatile', {}, 'frequencyPenalty,presencePenalty,thinking'],
    ['groq', 'openai/gpt-oss-120b', {}, 'frequencyPenalty,presencePenalty'],
    ['gemini', 'gemini-2.5-flash', {}, ''],
    ['xai', 'grok-4', {}, 'frequencyPenalty,presencePenalty,thinking'],
    ['custom', 'llama3.2', {}, ''],
  ];
  for (const [provider, model, given, dropped] of cases) {
    const honoured = ask(provider, model, { ...TUNED, ...given });
    assert.equal(honoured.dropped.join(), dropped, `${provider} ${model}`);
    for (const name of honoured.dropped) assert.ok(!(name in honoured.request), `${model} is asked without ${name}`);
    assert.deepEqual(honoured.refusals, []);
  }
});

test('capabilitiesOf: a definition overrides known capabilities', () => {
  const { dropped, request } = ask('custom', 'tiny', TUNED, { temperature: false, maxOutputTokens: 100 });
  assert.deepEqual(dropped, ['temperature']);
  assert.equal(request.topP, 0.9);
  assert.equal(ask('custom', 'tiny', { maxTokens: 500 }, { maxOutputTokens: 100 }).request.maxTokens, 100);
});

test('applyCapabilities: strict refuses members that would be dropped', () => {
  assert.deepEqual(ask('openai', 'gpt-4o', { seed: 1 }, {}, true).refusals, [
    'seed: is not supported by gpt-4o (openai); omit it',
  ]);
});

test('applyCapabilities: legacy is dropped for a vendor without Chat Completions', () => {
  for (const [provider, isDropped] of [
    ['openai', false],
    ['groq', false],
    ['custom', false],
    ['anthropic', true],
    ['gemini', true],
    ['bedrock', true],
  ] as const) {
    assert.deepEqual(ask(provider, 'm', { legacy: true }).dropped, isDropped ? ['legacy'] : [], provider);
    assert.deepEqual(ask(provider, 'm', { legacy: false }).dropped, []);
  }
});

test('capabilitiesOf: a private server gets images inline unless defined otherwise', () => {
  const imagesOf = (provider: Vendor, overrides = {}) =>
    capabilitiesOf({ provider, model: 'm', legacy: false, isPrivate: true }, overrides).images;
  assert.deepEqual([imagesOf('openai'), imagesOf('anthropic'), imagesOf('custom')], ['inline', 'inline', 'inline']);
  assert.equal(imagesOf('openai', { images: 'any' }), 'any');
  assert.equal(imagesOf('openai', { images: 'none' }), 'none');
});

test('applyCapabilities: an unsupported essential member is refused, naming its path', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } } as const;
  const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'AAAA' } } as const;
  const messages: ChatRequest['messages'] = [{ role: 'user', content: [{ type: 'text', text: 'look' }, image, file] }];
  assert.deepEqual(ask('custom', 'm', { messages }, { images: 'none', files: false }).refusals, [
    'messages[0].content[1]: image_url is not possible with m (custom)',
    'messages[0].content[2]: file is not possible with m (custom)',
  ]);
  const tool = { type: 'function', function: { name: 'find' } } as const;
  const json = { type: 'json_object' } as const;
  const given = { tools: [tool], responseFormat: json, serverTools: ['web_search' as const] };
  assert.deepEqual(ask('custom', 'm', given, { tools: false, responseFormats: [] }).refusals, [
    'tools: are not possible with m (custom)',
    'responseFormat.type: json_object is not possible with m (custom)',
    'serverTools[0]: web_search is not possible with m (custom)',
  ]);
  assert.deepEqual(ask('anthropic', 'claude-sonnet-4-5', { responseFormat: json }).refusals.length, 1);
  assert.deepEqual(
    ask('openai', 'gpt-4o', { tools: [tool], responseFormat: json, serverTools: ['web_search'] }).refusals,
    [],
  );
});

test('applyCapabilities: the runtime cuts at all stop sequences or at none', () => {
  assert.deepEqual(ask('custom', 'm', { stop: ['a', 'b'] }).stopAt, []);
  assert.deepEqual(ask('custom', 'm', { stop: ['a', 'b', 'c', 'd', 'e'] }).stopAt, ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(ask('openai', 'gpt-4o', { stop: ['a'] }).stopAt, ['a']);
  assert.ok(!('stop' in ask('openai', 'gpt-4o', { stop: ['a'] }).request));
  assert.deepEqual(ask('anthropic', 'claude-sonnet-4-5', { stop: ['a', '\n\n'] }).stopAt, ['a', '\n\n']);
});

test('applyCapabilities: disabled thinking is dropped only if it cannot be turned off', () => {
  const thinking = { type: 'disabled' } as const;
  assert.deepEqual(ask('openai', 'gpt-4o', { thinking }).dropped, []);
  assert.deepEqual(ask('openai', 'o3', { thinking }).dropped, ['thinking']);
  assert.deepEqual(ask('gemini', 'gemini-2.5-flash', { thinking }).request.thinking, thinking);
});

test('applyCapabilities: maxTokens is lowered to the limit of the model', () => {
  assert.equal(ask('anthropic', 'claude-3-haiku-20240307', { maxTokens: 100_000 }).request.maxTokens, 4_096);
  assert.equal(ask('anthropic', 'claude-opus-4-1-20250805', { maxTokens: 100_000 }).request.maxTokens, 32_000);
  const within = ask('openai', 'gpt-4o', { maxTokens: 100 });
  assert.deepEqual([within.request.maxTokens, within.dropped], [100, []]);
});

test('applyCapabilities: a lowered maxTokens is named with both values', () => {
  const { dropped } = ask('openai', 'gpt-4o', { maxTokens: 100_000, seed: 1 });
  assert.deepEqual(dropped, ['seed', 'maxTokens: 100000 -> 16384']);
});

test('applyCapabilities: strict does not refuse a lowered maxTokens', () => {
  const { refusals, request } = ask('openai', 'gpt-4o', { maxTokens: 100_000 }, {}, true);
  assert.deepEqual([refusals, request.maxTokens], [[], 16_384]);
});
