import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatUsage } from '../../../../../src/core/agents/chat/provider.ts';
import { countedUsage } from '../../../../../src/core/agents/chat/recording/record.ts';

test('countedUsage: valid counts are used and invalid details dropped', () => {
  const usage = { inputTokens: 30, outputTokens: 0, cachedInputTokens: 10, reasoningTokens: 0 };
  assert.deepEqual(countedUsage(usage), usage);
  const sloppy = { ...usage, cachedInputTokens: null, reasoningTokens: -3 } as unknown as ChatUsage;
  assert.deepEqual(countedUsage(sloppy), { inputTokens: 30, outputTokens: 0 });
});

test('countedUsage: invalid counts give null', () => {
  for (const [inputTokens, outputTokens] of [
    [null, 5],
    ['12', 5],
    [12, -1],
    [12, 1.5],
    [Number.POSITIVE_INFINITY, 1],
    [undefined, 1],
    [0, 0],
  ]) {
    assert.equal(countedUsage({ inputTokens, outputTokens } as unknown as ChatUsage), null);
  }
});
