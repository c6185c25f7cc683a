import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ExecutionFilter } from '../../src/core/agents/executions/store.ts';
import { contentSearchTerms } from '../../src/core/agents/executions/words.ts';
import { openBackend, type ReviewBackend } from './reviews.ts';

/** Lists of executions and searches. Every backend runs it. */
export function testExecutionLists(backend: ReviewBackend): void {
  const { name } = backend;

  test(`ExecutionLists (${name}): rows and their number by filters and words`, async (t: TestContext) => {
    const { executions: store, record, create } = await openBackend(t, backend);
    const said = (content: string) => JSON.stringify([{ role: 'user', content }]);
    const first = await record({ userId: 'ada', cost: 0.5, tags: ['vip'], messages: said('Onde está a entrega?') });
    const second = await record({ userId: 'bob', status: 'failed', latencyMs: 7, messages: said('A entrega atrasou') });
    const third = await record({ userId: 'ada', messages: said('Obrigada') });
    await record({ userId: 'ada', messages: said('entrega') }, 'two');
    await create({ executionId: second.id, rating: 'good' });
    while ((await store.indexSome()) > 0);
    const found = async (filter: ExecutionFilter) => {
      const page = { by: 'startedAt', order: 'desc', after: null, limit: 10 } as const;
      const ids = (await store.list('one', filter, page)).map(({ execution }) => execution.id);
      assert.equal(await store.count('one', filter, { by: 'startedAt', most: 10 }), ids.length);
      return ids;
    };
    assert.deepEqual(await found({}), [third.id, second.id, first.id]);
    assert.deepEqual(await found({ minCost: 0.1, tag: 'vip', userId: 'ada' }), [first.id]);
    assert.deepEqual(await found({ rating: 'good' }), [second.id]);
    assert.deepEqual(await found({ search: contentSearchTerms('entregas') }), [second.id, first.id]);
    assert.deepEqual(await found({ search: contentSearchTerms('entrega'), status: 'failed', maxLatencyMs: 7 }), [
      second.id,
    ]);
    assert.deepEqual(await found({ search: [] }), []);
  });

  test(`ExecutionLists (${name}): a text after data: is searched, a data URI is not`, async (t) => {
    const { executions: store, record } = await openBackend(t, backend);
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,entrega' } };
    await record({ messages: JSON.stringify([{ role: 'user', content: [image] }]), output: '"data:,entrega"' });
    const dated = await record({ messages: '[]', output: '"data: 12/03, entrega"' });
    const close = await record({ messages: '[]', output: '"data:12/03, entrega"' });
    while ((await store.indexSome()) > 0);
    const page = { by: 'startedAt', order: 'asc', after: null, limit: 10 } as const;
    const found = await store.list('one', { search: contentSearchTerms('entrega') }, page);
    assert.deepEqual(
      found.map(({ execution }) => execution.id),
      [dated.id, close.id],
    );
  });

  test(`ExecutionLists (${name}): scripts without spaces and numbers are searched`, async (t) => {
    const { executions: store, record } = await openBackend(t, backend);
    const texts = {
      chinese: '我的订单还没有到',
      japanese: 'iPhoneの配送が遅い、ｶﾞｽも',
      korean: '배송이 늦어요',
      thai: 'คำสั่งซื้อยังไม่มาถึง',
      numbers: { orderId: 998877, items: [{ price: -12.5 }] },
    };
    for (const [id, output] of Object.entries(texts))
      await record({ id, messages: '[]', output: JSON.stringify(output) });
    while ((await store.indexSome()) > 0);
    const page = { by: 'startedAt', order: 'asc', after: null, limit: 10 } as const;
    const found = async (search: string) =>
      (await store.list('one', { search: contentSearchTerms(search) }, page))
        .map(({ execution }) => execution.id)
        .join();
    const expected = {
      ...{ 订单: 'chinese', 单: 'chinese', 单订: '', '订单 没有': 'chinese', 订单没有: '' },
      ...{ 配送: 'japanese', 'iphone 遅い': 'japanese', ガス: 'japanese', 배송: 'korean', 늦어요: 'korean' },
      ...{ สั่งซื้อ: 'thai', ซื้อสั่ง: '', '998877': 'numbers', '12.5': 'numbers', '9988': '' },
    };
    for (const [search, id] of Object.entries(expected)) assert.equal(await found(search), id, search);
  });

  test(`ExecutionLists (${name}): counts that somebody waits for are made in turn`, async (t) => {
    const { executions: store, record } = await openBackend(t, backend);
    await record({ threadId: 't' });
    const count = (signal?: AbortSignal) => store.count('one', {}, { by: 'startedAt', most: 10, signal });
    const page = new AbortController();
    // Two nodes may take turns.
    const first = [count(), count()];
    const left = [count(page.signal), count(page.signal)];
    const last = [count(), count(), store.countThreads('one', {}, { most: 10 })];
    page.abort();
    assert.deepEqual(await Promise.all([...first, ...left, ...last]), [1, 1, null, null, 1, 1, 1]);
  });
}
