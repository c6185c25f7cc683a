import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stamp } from '../../src/core/analytics/metrics/summaries.ts';
import type { SegmentStore, StoredSegment } from '../../src/core/analytics/segments/store.ts';
import type { StoreBackend } from './backend.ts';

function segment(members: Partial<StoredSegment> = {}): StoredSegment {
  return {
    name: 'buyers',
    title: 'It\'s "odd" 😀',
    by: 'customer.id',
    conditions: [{ eventName: 'order', filters: [{ propertyKey: 'a', operator: 'in', value: [1, 'x'] }], atLeast: 2 }],
    createdAt: 1,
    createdBy: 'someone',
    updatedAt: 2,
    ...members,
  };
}

export async function allOf<Item>(
  store: { stamps(tenantId: string): Promise<Stamp[]>; some(tenantId: string, names: string[]): Promise<Item[]> },
  tenantId: string,
): Promise<Item[]> {
  return store.some(
    tenantId,
    (await store.stamps(tenantId)).map(({ key }) => key),
  );
}

export function testSegmentStore({ name, open }: StoreBackend<SegmentStore>): void {
  test(`SegmentStore (${name}): segments are kept as they were put, by name`, async (t) => {
    const store = await open(t);
    const [buyers, active] = [segment(), segment({ name: 'active', title: undefined })];
    for (const one of [buyers, active]) assert.equal(await store.put('one', one), 'put');
    const { title: _, ...untitled } = active;
    assert.deepEqual(await allOf(store, 'one'), [untitled, buyers]);
    assert.deepEqual(await store.find('one', 'buyers'), buyers);
    assert.equal(await store.find('one', 'other'), null);
    assert.deepEqual(await store.some('one', ['buyers', 'other']), [buyers]);
    const { name: _n, createdAt: _a, createdBy: _b, updatedAt: changedAt, ...definition } = buyers;
    const bytes = Buffer.byteLength(JSON.stringify(definition));
    assert.deepEqual((await store.stamps('one'))[1], { key: 'buyers', changedAt, bytes });
  });

  test(`SegmentStore (${name}): a second put replaces all but how it was created`, async (t) => {
    const store = await open(t);
    await store.put('one', segment());
    const changed = segment({ by: 'threadId', createdAt: 8, createdBy: 'another', updatedAt: 9 });
    assert.equal(await store.put('one', changed), 'put');
    assert.deepEqual(await allOf(store, 'one'), [{ ...changed, createdAt: 1, createdBy: 'someone' }]);
  });

  test(`SegmentStore (${name}): removes one of a tenant; knows no other tenant's`, async (t) => {
    const store = await open(t);
    for (const tenantId of ['one', 'two']) await store.put(tenantId, segment());
    assert.equal(await store.remove('one', 'buyers'), true);
    assert.equal(await store.remove('one', 'buyers'), false);
    assert.deepEqual(await allOf(store, 'one'), []);
    assert.deepEqual(await allOf(store, 'two'), [segment()]);
    assert.equal(await store.put('nobody', segment()), 'unknown tenant');
  });
}
