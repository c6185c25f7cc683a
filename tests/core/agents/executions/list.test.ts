import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExecutionListService } from '../../../../src/core/agents/executions/list.ts';
import { listExecutionsSchema } from '../../../../src/core/agents/executions/list-schema.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';

const caller = { tenantId: 'one', scopes: ['*'], timezone: 'UTC' } as unknown as Caller;

test('ExecutionListService.list: its count is dropped once nobody waits for it', async () => {
  const signals: AbortSignal[] = [];
  const lists = (list: () => Promise<never[]>) =>
    new ExecutionListService({
      store: {
        list,
        count: (_, __, { signal }) => {
          signals.push(signal!);
          return new Promise(() => undefined);
        },
      },
      assessments: { countsOf: async () => new Map() },
      effects: { now: () => 0 },
    });
  const input = listExecutionsSchema.parse({});
  const whole = await lists(async () => {
    assert.equal(signals[0]!.aborted, false, 'while rows are read');
    return [];
  }).list(caller, input);
  assert.equal(whole.total, 0);
  await assert.rejects(lists(() => Promise.reject(new Error('away'))).list(caller, input), /away/);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true],
  );
});
