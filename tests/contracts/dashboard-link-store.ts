import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DashboardLinkStore, StoredLink } from '../../src/core/analytics/dashboards/links/store.ts';
import type { DashboardStore } from '../../src/core/analytics/dashboards/store.ts';
import type { StoreBackend } from './backend.ts';
import { tab } from './dashboard-store.ts';

type Stores = { store: DashboardLinkStore; dashboards: DashboardStore };

const NOW = 100;

function link(id: string, tabId: string, members: Partial<StoredLink> = {}): StoredLink {
  return {
    ...{ id, tabId, tenantId: 'one', secretHash: `hash of ${id}`, limits: null },
    ...{ createdAt: 10, createdBy: 'ada@example.com', maker: 'ada', expiresAt: 1_000, lastUsedAt: null },
    ...members,
  };
}

export function testDashboardLinkStore({ name, open }: StoreBackend<Stores>): void {
  const putTab = async ({ dashboards }: Stores, tenantId: string, title: string) =>
    (await dashboards.putTab(tenantId, tab({ id: `${tenantId} ${title}`, name: title }))).stored.id;

  test(`DashboardLinkStore (${name}): found by its hash as stored, until it expires`, async (t) => {
    const stores = await open(t);
    const { store } = stores;
    const sales = await putTab(stores, 'one', 'Sales');
    const held = link('held', sales, { limits: [{ agents: ['support'] }], maker: null, expiresAt: null });
    for (const one of [link('a', sales), held]) assert.equal(await store.add(one), 'added');
    assert.deepEqual(await store.find('hash of a', 999), link('a', sales));
    assert.deepEqual(await store.find('hash of held', Number.MAX_SAFE_INTEGER), held);
    assert.deepEqual([await store.find('hash of a', 1_000), await store.find('hash of b', NOW)], [null, null]);
    assert.equal(await store.add(link('b', 'nowhere')), 'unknown tab');
  });

  test(`DashboardLinkStore (${name}): newest first, each in its tenant`, async (t) => {
    const stores = await open(t);
    const { store } = stores;
    const [sales, other, theirs] = [
      await putTab(stores, 'one', 'Sales'),
      await putTab(stores, 'one', 'Other'),
      await putTab(stores, 'two', 'Sales'),
    ];
    await store.add(link('old', sales));
    await store.add(link('new', sales, { createdAt: 20, expiresAt: 1 }));
    await store.add(link('other', other));
    await store.add(link('theirs', theirs, { tenantId: 'two' }));
    const ids = async (tenantId: string, tabId: string) => (await store.list(tenantId, tabId)).map(({ id }) => id);
    assert.deepEqual([await ids('one', sales), await ids('two', sales)], [['new', 'old'], []]);
    assert.deepEqual([await store.count('one'), await store.count('two')], [3, 1]);
    assert.deepEqual([await store.remove('two', 'old'), await store.remove('one', 'old')], [false, true]);
    assert.deepEqual([await store.remove('one', 'old'), await store.find('hash of old', NOW)], [false, null]);
    await store.setUsed('two', 'other', 50);
    assert.equal((await store.find('hash of other', NOW))?.lastUsedAt, null);
    await store.setUsed('one', 'other', 50);
    assert.equal((await store.find('hash of other', NOW))?.lastUsedAt, 50);
  });

  test(`DashboardLinkStore (${name}): a link goes with its tab`, async (t) => {
    const stores = await open(t);
    const { store, dashboards } = stores;
    const sales = await putTab(stores, 'one', 'Sales');
    await store.add(link('a', sales));
    assert.equal(await dashboards.removeTab('one', sales), true);
    assert.deepEqual([await store.find('hash of a', NOW), await store.count('one')], [null, 0]);
  });
}
