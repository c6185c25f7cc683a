import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_EXECUTION_STEPS } from '../../../../src/core/agents/executions/step-schema.ts';
import { countsOf } from '../../../../src/core/agents/executions/usage.ts';

const USAGES = {
  OpenAI: {
    prompt_tokens: 100,
    completion_tokens: 30,
    total_tokens: 130,
    prompt_tokens_details: { cached_tokens: 90 },
  },
  Anthropic: { input_tokens: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 0, output_tokens: 30 },
  Gemini: { promptTokenCount: 100, cachedContentTokenCount: 90, candidatesTokenCount: 10, thoughtsTokenCount: 20 },
  Bedrock: { inputTokens: 10, cacheReadInputTokens: 90, cacheWriteInputTokens: 0, outputTokens: 30, totalTokens: 130 },
  'this server': { inputTokens: 100, cachedInputTokens: 90, outputTokens: 30, reasoningTokens: 20 },
};

for (const [provider, usage] of Object.entries(USAGES)) {
  test(`countsOf: the input of ${provider} includes cached tokens, the output reasoning`, () => {
    const { inputTokens, outputTokens, totalTokens, cacheReadTokens } = countsOf(usage);
    assert.deepEqual(
      { inputTokens, outputTokens, totalTokens, cacheReadTokens },
      {
        ...{ inputTokens: 100, outputTokens: 30, totalTokens: 130, cacheReadTokens: 90 },
      },
    );
  });
}

test('countsOf: sums over all steps stay exact; a larger count is not said', () => {
  const most = {
    input_tokens: 1e11,
    cache_read_input_tokens: 1e11,
    cache_creation_input_tokens: 1e11,
    output_tokens: 1e11,
  };
  const { totalTokens } = countsOf({ ...most, toolUsePromptTokenCount: 1e11, thoughtsTokenCount: 1e11 });
  assert.ok(Number.isSafeInteger(totalTokens! * MAX_EXECUTION_STEPS));
  assert.deepEqual(countsOf({ inputTokens: 1e11 + 1, outputTokens: 2 }).inputTokens, null);
});

test('countsOf: a tool of Gemini is part of the input; what is not counted is null', () => {
  const { inputTokens, outputTokens, totalTokens } = countsOf({ promptTokenCount: 5, toolUsePromptTokenCount: 2 });
  assert.deepEqual([inputTokens, outputTokens, totalTokens], [7, null, 7]);
  assert.equal(countsOf(null).totalTokens, null);
});
