import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversationsOf } from '../../src/core/agents/executions/of-user.ts';
import type { ErasedConversations, ListedExecution } from '../../src/core/agents/executions/store.ts';
import type { EventStore } from '../../src/core/analytics/events/store.ts';
import { type ErasureParts, ErasureService } from '../../src/core/erasure.ts';
import { execution } from '../contracts/execution-store.ts';

const PAGE = { userId: 'u', threadIds: ['t'], executionIds: ['e'] };

/** A service over stores that note what they are asked to erase. */
function noted(pages: ErasedConversations[], named: Record<string, string[]> = {}) {
  const asked: (ErasedConversations | null)[] = [];
  const actions: unknown[][] = [];
  const events = {
    settle: async () => undefined,
    query: async (_tenant: string, { selection }: { selection: { predicates: { field: object }[] } }) => ({
      rows: (
        named[JSON.stringify(selection.predicates[0]!.field).includes('userId') ? 'userId' : 'threadId'] ?? []
      ).map((id) => [id, 1]),
    }),
    erase: async (tenantId: string, erasure: object) => {
      assert.deepEqual([tenantId, erasure], ['one', { executionIds: named.userId, inAnyThread: true }]);
      return 1;
    },
  } as unknown as EventStore;
  const service = new ErasureService({
    tenants: { get: async () => ({ id: 'one', name: 'acme' }) } as unknown as ErasureParts['tenants'],
    audit: { record: async (...line: unknown[]) => void actions.push(line) },
    tenantStore: { remove: async () => assert.fail('the tenant stays') },
    events,
    conversationsOf: async function* () {
      yield* pages;
    },
    erasers: [
      { what: 'documents', tenantsOnly: true, erase: async () => assert.fail('they are of the tenant') },
      {
        what: 'events',
        erase: async (tenantId, some) => {
          assert.equal(tenantId, 'one');
          asked.push(some);
          return 1;
        },
      },
    ],
  });
  return { service, asked, actions };
}

test('ErasureService: an end user is erased page by page, never as the whole tenant', async () => {
  const next = { ...PAGE, threadIds: [], executionIds: ['f'] };
  const { service, asked, actions } = noted([PAGE, next], { threadId: ['named'], userId: ['late'] });
  const { erased, threadId, userId } = await service.erase({ tenant: 'acme', userId: 'u' });
  assert.deepEqual([erased, threadId, userId], [{ events: 4 }, null, 'u']);
  assert.deepEqual(asked, [
    { ...PAGE, executionIds: ['e', 'named'] },
    next,
    { userId: 'u', threadIds: [], executionIds: ['late'] },
  ]);
  assert.deepEqual(actions, [[null, 'one', 'end_user.erased', null, erased]], 'without the id');
});

test('ErasureService: a thread is of no end user', async () => {
  const { service, asked, actions } = noted([PAGE], { threadId: ['named'] });
  await service.erase({ tenant: 'acme', threadId: 't' });
  assert.deepEqual(asked, [{ threadIds: ['t'], executionIds: ['named'], userId: null }]);
  assert.equal(actions[0]![2], 'thread.erased');
});

test('conversationsOf: pages go on where one ends, without threads of others', async () => {
  const row = (index: number): ListedExecution => ({
    execution: execution({ id: `e${index}`, threadId: index % 2 === 0 ? null : `t${index % 4}` }),
    place: [index, index],
    review: null,
  });
  const all = Array.from({ length: 1_500 }, (_, index) => row(index));
  const store = {
    list: async (_tenant: string, _filter: object, { after, limit }: { after: number[] | null; limit: number }) =>
      all.slice(after === null ? 0 : after[0]! + 1).slice(0, limit),
    threadsOfOthers: async () => new Set(['t3']),
  };
  const pages = await Array.fromAsync(conversationsOf(store, 'one', 'u'));
  assert.deepEqual(
    pages.map(({ executionIds, ...page }) => ({ ...page, first: executionIds[0], count: executionIds.length })),
    [
      { threadIds: ['t1'], userId: 'u', first: 'e0', count: 1_000 },
      { threadIds: ['t1'], userId: 'u', first: 'e1000', count: 500 },
    ],
  );
});
