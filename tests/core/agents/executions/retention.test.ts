import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expireExecutions } from '../../../../src/core/agents/executions/retention.ts';

const DAY_MS = 86_400_000;

test('expireExecutions: a tenant that fails stops no other', async () => {
  const asked: [string, number][] = [];
  const reported: unknown[] = [];
  await expireExecutions({
    store: {
      retentions: async () => [
        { tenantId: 'a', days: 1 },
        { tenantId: 'b', days: 2 },
        { tenantId: 'c', days: 30 },
      ],
      expire: async (tenantId, before) => {
        asked.push([tenantId, before]);
        if (tenantId === 'a') throw new Error('locked');
        return tenantId === 'b' ? 7 : 0;
      },
    },
    effects: { now: () => 100 * DAY_MS },
    onExpired: (...expired) => reported.push(expired),
    onError: (error) => reported.push((error as Error).message),
  });
  assert.deepEqual(asked, [
    ['a', 99 * DAY_MS],
    ['b', 98 * DAY_MS],
    ['c', 70 * DAY_MS],
  ]);
  assert.deepEqual(reported, ['locked', ['b', 7]]);
});
