import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('countsOf: a tool of Gemini is part of the input; what is not counted is null', () => {
  const { inputTokens, outputTokens, totalTokens } = countsOf({ promptTokenCount: 5, toolUsePromptTokenCount: 2 });
  assert.deepEqual([inputTokens, outputTokens, totalTokens], [7, null, 7]);
  assert.equal(countsOf(null).totalTokens, null);
});
