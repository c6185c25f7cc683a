import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderFault } from '../../../src/core/agents/chat/provider.ts';
import { type ClaudeSettings, claudeSettings } from '../../../src/providers/shared/claude.ts';
import { ANTHROPIC, type Asked, callOf } from '../support.ts';

const OLDER = 'claude-sonnet-4-5';
const MIDDLE = 'claude-opus-4-6';
const SILENT = 'claude-opus-4-8';
const NEWER = 'claude-sonnet-5';
const NEWEST = 'claude-opus-5-5';

function settings(model: string, asked: Asked = {}): ClaudeSettings {
  return claudeSettings(callOf({ ...ANTHROPIC, model }, 'http://localhost', asked));
}

function refusal(model: string, asked: Asked): string {
  try {
    settings(model, asked);
  } catch (error) {
    assert.ok(error instanceof ProviderFault);
    assert.equal(error.kind, 'refused');
    return error.message;
  }
  throw new assert.AssertionError({ message: 'it was to be refused' });
}

const enabled = (budgetTokens?: number): Asked => ({ thinking: { type: 'enabled', budgetTokens } });

test('claudeSettings: by default older models do not think and newer ones may', () => {
  for (const model of [OLDER, MIDDLE, SILENT]) {
    const { thinking, thinks, maxTokens } = settings(model);
    assert.deepEqual({ thinking, thinks, maxTokens }, { thinking: undefined, thinks: false, maxTokens: 4_096 }, model);
  }
  for (const model of [NEWER, NEWEST, 'claude-fable-5-1', 'claude-haiku-5-5']) {
    const { thinking, thinks, maxTokens } = settings(model);
    assert.deepEqual({ thinking, thinks, maxTokens }, { thinking: undefined, thinks: true, maxTokens: 20_480 }, model);
  }
});

test('claudeSettings: older models think within a budget and leave tokens to answer', () => {
  const { thinking, effort, maxTokens } = settings(OLDER, enabled(10_000));
  assert.deepEqual(thinking, { type: 'enabled', budget_tokens: 10_000 });
  assert.deepEqual({ effort, maxTokens }, { effort: undefined, maxTokens: 14_096 });
  assert.deepEqual(settings(OLDER, enabled()).thinking, { type: 'enabled', budget_tokens: 4_096 });
  assert.deepEqual(settings(OLDER, { thinking: { type: 'adaptive' } }).thinking, {
    type: 'enabled',
    budget_tokens: 4_096,
  });
});

test('claudeSettings: a default budget leaves half of maxTokens for the answer', () => {
  assert.deepEqual(settings(OLDER, { ...enabled(), maxTokens: 5_000 }).thinking, {
    type: 'enabled',
    budget_tokens: 2_500,
  });
  assert.deepEqual(settings(OLDER, { ...enabled(), maxTokens: 1_025 }).thinking, {
    type: 'enabled',
    budget_tokens: 1_024,
  });
});

test('claudeSettings: the limit of the model is not exceeded', () => {
  assert.equal(settings(OLDER, enabled(62_000)).maxTokens, 64_000);
  assert.equal(settings('claude-3-opus-20240229').maxTokens, 4_096);
});

test('claudeSettings: an impossible budget is refused by its name', () => {
  assert.match(refusal(OLDER, enabled(1_023)), /^thinking\.budgetTokens: must be at least 1,024/);
  assert.match(refusal(OLDER, { ...enabled(2_000), maxTokens: 2_000 }), /^thinking\.budgetTokens: .*raise maxTokens$/);
  assert.match(refusal(OLDER, enabled(64_000)), /^thinking\.budgetTokens: /);
  assert.match(refusal(OLDER, { ...enabled(), maxTokens: 1_024 }), /^maxTokens: .*raise maxTokens$/);
  assert.deepEqual(settings(OLDER, { ...enabled(1_024), maxTokens: 1_025 }).thinking, {
    type: 'enabled',
    budget_tokens: 1_024,
  });
});

test('claudeSettings: models since 4.6 think adaptively, with an effort and a summary', () => {
  for (const model of [MIDDLE, SILENT, NEWER, NEWEST]) {
    const efforts = [undefined, 1_000, 8_192, 8_193].map((budget) => settings(model, enabled(budget)).effort);
    assert.deepEqual(efforts, [undefined, 'low', 'medium', 'high'], model);
    assert.deepEqual(settings(model, enabled(1_000)).thinking, { type: 'adaptive', display: 'summarized' });
  }
  const { thinking, effort, maxTokens } = settings(NEWER, { thinking: { type: 'adaptive' } });
  assert.deepEqual(
    { thinking, effort, maxTokens },
    {
      thinking: { type: 'adaptive', display: 'summarized' },
      effort: undefined,
      maxTokens: 20_480,
    },
  );
});

test('claudeSettings: disabled thinking is a warning if it cannot be turned off', () => {
  for (const model of [OLDER, MIDDLE, SILENT, NEWER, 'claude-opus-5', 'claude-haiku-5-5']) {
    const { thinking, thinks, warnings } = settings(model, { thinking: { type: 'disabled' } });
    assert.deepEqual({ thinking, thinks, warnings }, { thinking: { type: 'disabled' }, thinks: false, warnings: [] });
  }
  for (const model of [NEWEST, 'claude-fable-5-1', 'claude-mythos-5']) {
    const { thinking, thinks, warnings } = settings(model, { thinking: { type: 'disabled' } });
    assert.deepEqual({ thinking, thinks }, { thinking: undefined, thinks: true }, model);
    assert.match(warnings.map(({ message }) => message).join(), /^thinking: .* cannot be kept from thinking$/);
  }
});

const CALL = { id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } };
const THOUGHT = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
const ANSWERED = (call: object): Asked['messages'] => [
  { role: 'user', content: 'What time is it?' },
  { role: 'assistant', content: null, tool_calls: [call as Record<string, unknown>] },
  { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
];

test('claudeSettings: within tool calls an older model thinks only with its thoughts', () => {
  const without = settings(OLDER, { ...enabled(2_000), messages: ANSWERED(CALL) });
  assert.equal(without.thinking, undefined);
  assert.equal(without.maxTokens, 4_096);
  assert.match(without.warnings.map(({ message }) => message).join(), /^thinking: is left out.*extra_content/);
  const call = { ...CALL, extra_content: { anthropic: { thinking: [THOUGHT] } } };
  const within = settings(OLDER, { ...enabled(2_000), messages: ANSWERED(call) });
  assert.deepEqual(within.thinking, { type: 'enabled', budget_tokens: 2_000 });
  assert.deepEqual(within.warnings, []);
  assert.deepEqual(settings(MIDDLE, { ...enabled(2_000), messages: ANSWERED(CALL) }).thinking, {
    type: 'adaptive',
    display: 'summarized',
  });
});

test('claudeSettings: a call answered long ago does not prevent thinking', () => {
  const messages = [
    ...ANSWERED(CALL)!,
    { role: 'assistant' as const, content: 'Noon.' },
    { role: 'user' as const, content: 'Thanks.' },
  ];
  assert.deepEqual(settings(OLDER, { ...enabled(2_000), messages }).thinking, {
    type: 'enabled',
    budget_tokens: 2_000,
  });
});

test('claudeSettings: temperature is at most 1 and excludes topP', () => {
  const { temperature, topP, warnings } = settings(OLDER, { temperature: 1.5, topP: 0.5 });
  assert.deepEqual({ temperature, topP }, { temperature: 1, topP: undefined });
  assert.equal(warnings.length, 2);
  assert.match(warnings[0]!.message, /^temperature: is lowered from 1\.5 to 1/);
  assert.match(warnings[1]!.message, /^topP: is left out.* beside temperature$/);
  const named = warnings.map(({ droppedParam }) => droppedParam);
  assert.deepEqual(named, ['temperature: 1.5 -> 1', 'topP']);
  assert.deepEqual(settings(OLDER, { topP: 0.5 }).topP, 0.5);
  assert.deepEqual(settings(OLDER, { temperature: 0 }).warnings, []);
});

test('claudeSettings: while thinking only temperature 1 and a high topP are sent', () => {
  const low = settings(OLDER, { ...enabled(2_000), temperature: 0.2 });
  assert.equal(low.temperature, undefined);
  assert.match(
    low.warnings.map(({ message }) => message).join(),
    /^temperature: is left out, since the model is thinking$/,
  );
  const narrow = settings(MIDDLE, { ...enabled(2_000), topP: 0.9 });
  assert.equal(narrow.topP, undefined);
  assert.match(narrow.warnings.map(({ message }) => message).join(), /^topP: is left out/);
  const kept = settings(OLDER, { ...enabled(2_000), temperature: 1 });
  assert.deepEqual({ temperature: kept.temperature, warnings: kept.warnings }, { temperature: 1, warnings: [] });
  assert.equal(settings(OLDER, { ...enabled(2_000), topP: 0.95 }).topP, 0.95);
});

test('claudeSettings: a dropped member is named, a required one refused', () => {
  const asked = { temperature: 0.5, topP: 0.5 };
  const dropped = settings(OLDER, asked).warnings.flatMap(({ droppedParam }) => droppedParam ?? []);
  assert.deepEqual(dropped, ['topP']);
  const call = callOf({ ...ANTHROPIC, model: OLDER }, 'http://localhost', asked);
  assert.throws(() => claudeSettings({ ...call, requiredParams: ['topP'] }), /topP: is left out/);
});
