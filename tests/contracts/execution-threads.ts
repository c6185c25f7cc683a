import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ListedThread, ThreadFilter } from '../../src/core/agents/executions/store.ts';
import type { StoredReview } from '../../src/core/agents/reviews/store.ts';
import { rowsOf } from '../support/pages.ts';
import { openBackend, type ReviewBackend } from './reviews.ts';

/** Threads of executions, and the reviews in them. Every backend runs it. */
export function testExecutionThreads(backend: ReviewBackend): void {
  const { name } = backend;

  const opened = async (t: TestContext) => {
    const stores = await openBackend(t, backend);
    const { executions: store, record } = stores;
    const listed = async (filter: ThreadFilter = {}, limit = 100) => {
      const rows = await rowsOf<ListedThread>(limit, (last) =>
        store.listThreads('one', filter, { after: last?.place ?? null, limit }),
      );
      return rows.map(({ threadId }) => threadId);
    };
    /** An execution of a thread that started at that time. */
    const at = (startedAt: number, threadId: string | null, members: object = {}, tenantId = 'one') =>
      record({ startedAt, threadId, ...members }, tenantId);
    return { ...stores, listed, at };
  };

  test(`ExecutionThreads (${name}): each once, by its newest execution`, async (t) => {
    const { executions: store, listed, at } = await opened(t);
    await at(10, 'old', { cost: 0.1, userId: 'ada' });
    await at(20, 'busy', { cost: 0.2, userId: 'ada' });
    await at(20, 'busy', { cost: 0.3, userId: 'bob' });
    await at(40, 'busy');
    await at(30, 'free');
    await at(50, null);
    await at(60, 'busy', {}, 'two');
    assert.deepEqual(await listed(), ['busy', 'free', 'old']);
    const [busy, free] = await store.listThreads('one', {}, { after: null, limit: 2 });
    const { place: _, ...members } = busy!;
    assert.deepEqual(members, { threadId: 'busy', userId: 'bob', executions: 3, cost: 0.5, firstAt: 20, lastAt: 40 });
    assert.deepEqual([free!.cost, free!.userId, free!.executions], [null, null, 1]);
    assert.equal(await store.countThreads('one', {}, { most: 100 }), 3);
    assert.equal(await store.countThreads('one', {}, { most: 2 }), 2, 'at most');
    assert.equal(await store.countThreads('two', {}, { most: 100 }), 1);
  });

  test(`ExecutionThreads (${name}): pages of any size, also at one time`, async (t) => {
    const { listed, at } = await opened(t);
    for (let index = 0; index < 12; index += 1) await at(Math.floor(index / 4), `t${index % 5}`);
    const all = await listed();
    assert.equal(new Set(all).size, 5);
    for (const limit of [1, 2, 3, 5]) assert.deepEqual(await listed({}, limit), all, `${limit} a page`);
  });

  test(`ExecutionThreads (${name}): filters hold for one execution`, async (t) => {
    const { executions: store, listed, at } = await opened(t);
    await at(10, 'mixed', { userId: 'ada', agentId: 'a', cost: 1 });
    await at(30, 'mixed', { userId: 'bob', agentId: 'b', cost: 2 });
    await at(20, 'other', { userId: 'ada', agentId: 'b' });
    assert.deepEqual(await listed({ userId: 'ada' }), ['other', 'mixed'], 'by the newest of that user');
    assert.deepEqual(await listed({ userId: 'bob' }), ['mixed']);
    assert.deepEqual(await listed({ userId: 'ada', agentId: 'b' }), ['other'], 'both hold for one execution');
    assert.deepEqual(await listed({ from: 15, to: 25 }), ['other']);
    assert.deepEqual(await listed({ to: 15 }), ['mixed']);
    assert.deepEqual(await listed({ userId: 'nobody' }), []);
    const [mixed] = await store.listThreads('one', { to: 15 }, { after: null, limit: 1 });
    assert.deepEqual([mixed!.executions, mixed!.cost, mixed!.lastAt], [2, 3, 30]);
    assert.equal(await store.countThreads('one', { userId: 'ada' }, { most: 100 }), 2);
  });

  test(`ReviewStore (${name}): reviews of a thread by creation`, async (t) => {
    const { store, create, at } = await opened(t);
    const made = [];
    for (let index = 0; index < 5; index += 1) {
      const { id } = await at(index, 'thread');
      made.push(await create({ executionId: id, createdAt: 100 - Math.floor(index / 2) }));
    }
    await create({ executionId: (await at(1, 'other')).id });
    await create({ executionId: 'not recorded' });
    const ordered = made.toSorted((one, two) => one.createdAt - two.createdAt || (one.id < two.id ? -1 : 1));
    for (const limit of [1, 2, 9]) {
      const read = await rowsOf<StoredReview>(limit, (last) =>
        store.ofThread('one', 'thread', { after: last && [last.createdAt, last.id], limit }),
      );
      assert.deepEqual(read, ordered, `${limit} a page`);
    }
    assert.deepEqual(await store.ofThread('two', 'thread', { after: null, limit: 9 }), []);
    assert.deepEqual(
      [await store.countOfThread('one', 'thread', 100), await store.countOfThread('one', 'thread', 3)],
      [5, 3],
    );
  });

  test(`ReviewStore (${name}): the newest judged executions, with thread and start`, async (t) => {
    const { store, create, at } = await opened(t);
    const { id } = await at(7, 'thread');
    await create({ executionId: id, rating: 'bad', agentId: 'a' });
    await create({ executionId: 'not recorded', rating: 'good', agentId: 'b', createdAt: 9 });
    const [recorded, unrecorded] = [
      { executionId: id, rating: 'bad', threadId: 'thread', at: 7 },
      { executionId: 'not recorded', rating: 'good', threadId: null, at: 9 },
    ];
    const found = await store.judged('one', {}, 9);
    assert.deepEqual(
      found.toSorted((one, other) => one.at - other.at),
      [recorded, unrecorded],
    );
    assert.deepEqual(await store.judged('one', {}, 1), [unrecorded]);
    assert.deepEqual(await store.judged('one', { agentId: 'a' }, 9), [recorded]);
    assert.deepEqual(await store.judged('one', { to: 10 }, 9), [unrecorded]);
    assert.deepEqual(await store.judged('two', {}, 9), []);
  });
}
