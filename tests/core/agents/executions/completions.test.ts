import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionEvents } from '../../../../src/core/agents/executions/completions.ts';
import type { EndedExecution, ExecutionFacts } from '../../../../src/core/agents/executions/store.ts';
import type { TenantRuntimeEvent } from '../../../../src/core/base/audit/runtime-event.ts';
import { execution } from '../../../contracts/execution-store.ts';

async function eventOf(members: Partial<ExecutionFacts>, stepTools: string[] = []): Promise<TenantRuntimeEvent> {
  const waiting: EndedExecution[] = [{ tenantId: 'one', execution: execution(members), stepTools }];
  const events: TenantRuntimeEvent[] = [];
  const completions = completionEvents({
    store: { unsentEnds: async () => waiting, endsSent: async () => undefined },
    outbox: {
      store: async (stored) => {
        events.push(...stored);
        return [];
      },
    },
    onError: assert.ifError,
  });
  await completions.run();
  return events[0]!;
}

test('CompletionEvents: an event names at most 50 tools', async () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `tool ${index}`);
  const { properties } = await eventOf({ tools: ['of messages'] }, names);
  assert.deepEqual((properties as { tools: string[] }).tools, ['of messages', ...names.slice(0, 49)]);
});

test('CompletionEvents: an event lies at the end, unless that cannot be true', async () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const at = async (completedAt: number | null) => (await eventOf({ completedAt, updatedAt: now })).timestamp;
  assert.equal(await at(now - 1_000), now - 1_000);
  assert.equal(await at(null), now);
  assert.equal(await at(Date.parse('2999-01-01T00:00:00Z')), now);
  assert.equal(await at(Date.parse('0001-01-01T00:00:00Z')), now);
});
