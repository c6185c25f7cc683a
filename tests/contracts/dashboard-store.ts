import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type {
  CardToPut,
  DashboardStore,
  StoredCard,
  StoredTab,
  TabToPut,
} from '../../src/core/analytics/dashboards/store.ts';
import { openStores, type StateBackend } from './backend.ts';

type Backend = StateBackend<{ store: DashboardStore }>;

let counter = 0;

export function card(members: Partial<CardToPut> = {}): CardToPut {
  counter += 1;
  return {
    id: `card-${String(counter).padStart(6, '0')}`,
    agentId: 'support',
    title: `Card ${counter}`,
    cardType: 'number',
    config: { eventName: 'order', aggregation: 'count' },
    idempotencyKey: null,
    identity: `identity ${counter}`,
    createdAt: counter,
    updatedAt: counter,
    ...members,
  };
}

export function tab(members: Partial<TabToPut> = {}): TabToPut {
  counter += 1;
  const id = `tab-${String(counter).padStart(6, '0')}`;
  return { id, agentId: 'support', name: `Tab ${counter}`, createdAt: counter, updatedAt: counter, ...members };
}

const LAYOUT = { x: 0, y: 1.5, w: 2, h: 3 };

export function testDashboardStore(backend: Backend): void {
  const { name } = backend;
  const opened = async (t: TestContext, place?: string) => {
    const { store, close, at } = await openStores(backend, t, place);
    const putCard = async (members: Partial<CardToPut> = {}, tenantId = 'one'): Promise<StoredCard> => {
      const result = await store.putCard(tenantId, card(members));
      if (result === 'unknown tab') throw new Error(result);
      return result.stored;
    };
    const putTab = async (members: Partial<TabToPut> = {}, tenantId = 'one'): Promise<StoredTab> =>
      (await store.putTab(tenantId, tab(members))).stored;
    return { store, putCard, putTab, close, at };
  };

  test(`DashboardStore (${name}): a card keeps every member, by id and in the list`, async (t) => {
    const { store, putTab } = await opened(t);
    const { id: tabId } = await putTab();
    const config = { eventName: 'q"\\\'; --\u2028😀', filters: [{ value: [1e-7, 'a\0b', true] }], empty: {} };
    const sent = card({ tabId, gridLayout: LAYOUT, sortOrder: -2.5, idempotencyKey: 'key', config });
    assert.deepEqual(await store.putCard('one', sent), { created: true, stored: sent });
    assert.deepEqual(await store.findCard('one', sent.id), sent);
    assert.deepEqual(await store.listCards('one', 'support'), [sent]);
    assert.deepEqual(await store.cardOfIdentity('one', 'support', sent.identity), sent);
    assert.equal(await store.cardOfIdentity('one', 'other', sent.identity), null);
    assert.equal(await store.cardOfIdentity('two', 'support', sent.identity), null);
    const bare = card();
    const stored = { ...bare, tabId: null, gridLayout: null, sortOrder: -1.5 };
    assert.deepEqual(await store.putCard('one', bare), { created: true, stored });
  });

  test(`DashboardStore (${name}): putCard updates by identity; absent keeps, null clears`, async (t) => {
    const { store, putCard, putTab } = await opened(t);
    const { id: tabId } = await putTab();
    const first = await putCard({ identity: 'same', tabId, gridLayout: LAYOUT, sortOrder: 4 });
    const again = card({ identity: 'same', cardType: 'line', config: { eventName: 'other' } });
    const { title, cardType, config, updatedAt } = again;
    const expected = { ...first, title, cardType, config, updatedAt };
    assert.deepEqual(await store.putCard('one', again), { created: false, stored: expected });
    const emptied = await putCard({ identity: 'same', tabId: null, gridLayout: null, sortOrder: 0 });
    assert.deepEqual([emptied.id, emptied.tabId, emptied.gridLayout, emptied.sortOrder], [first.id, null, null, 0]);
    assert.deepEqual(await store.listCards('one', null), [emptied]);
  });

  test(`DashboardStore (${name}): of fifty concurrent puts of an identity one creates`, async (t) => {
    const { store, at } = await opened(t);
    const { store: second } = await opened(t, at);
    const put = (index: number) => (index % 2 ? store : second).putCard('one', card({ identity: 'same' }));
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => put(index)));
    const made = results.filter((result) => result !== 'unknown tab');
    assert.equal(made.length, 50);
    assert.equal(made.filter(({ created }) => created).length, 1);
    assert.equal(new Set(made.map(({ stored }) => stored.id)).size, 1);
    assert.equal((await store.listCards('one', null)).length, 1);
  });

  test(`DashboardStore (${name}): of fifty concurrent puts of a tab one creates`, async (t) => {
    const { store, at } = await opened(t);
    const { store: second } = await opened(t, at);
    const put = (index: number) => (index % 2 ? store : second).putTab('one', tab({ name: 'Sales', sortOrder: index }));
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => put(index)));
    assert.equal(results.filter(({ created }) => created).length, 1);
    assert.equal(new Set(results.map(({ stored }) => stored.id)).size, 1);
    assert.equal((await store.listTabs('one', null)).length, 1);
  });

  test(`DashboardStore (${name}): fifty concurrent new cards get distinct sort orders`, async (t) => {
    const { store, putCard } = await opened(t);
    await Promise.all(Array.from({ length: 50 }, () => putCard()));
    const orders = (await store.listCards('one', 'support')).map(({ sortOrder }) => sortOrder);
    assert.deepEqual(
      orders,
      Array.from({ length: 50 }, (_, index) => index),
    );
  });

  test(`DashboardStore (${name}): identities and tab names are per tenant and agent`, async (t) => {
    const { store, putCard, putTab } = await opened(t);
    await putCard({ identity: 'same' });
    await putTab({ name: 'Sales' });
    for (const [tenantId, agentId] of [
      ['one', 'other'],
      ['two', 'support'],
    ] as const) {
      const result = await store.putCard(tenantId, card({ identity: 'same', agentId }));
      assert.ok(result !== 'unknown tab' && result.created);
      assert.equal((await store.putTab(tenantId, tab({ name: 'Sales', agentId }))).created, true);
    }
    assert.deepEqual([(await store.listCards('one', null)).length, (await store.listTabs('one', null)).length], [2, 2]);
  });

  test(`DashboardStore (${name}): lists are by sortOrder, then age; new ones come last`, async (t) => {
    const { store, putCard, putTab } = await opened(t);
    for (const [title, sortOrder, createdAt] of [
      ['young', 1, 300],
      ['old', 1, 100],
      ['middle', 1, 200],
      ['first', -7.25, 400],
      ['late', 40, 50],
    ] as const) {
      await putCard({ title, sortOrder, createdAt });
      await putTab({ name: title, sortOrder, createdAt });
    }
    await putCard({ agentId: 'other', sortOrder: 1_000 });
    await putTab({ agentId: 'other', sortOrder: 1_000 });
    assert.equal((await putCard({ title: 'new', createdAt: 1 })).sortOrder, 41);
    assert.equal((await putTab({ name: 'new', createdAt: 1 })).sortOrder, 41);
    const expected = ['first', 'old', 'middle', 'young', 'late', 'new'];
    assert.deepEqual(
      (await store.listCards('one', 'support')).map(({ title }) => title),
      expected,
    );
    assert.deepEqual(
      (await store.listTabs('one', 'support')).map((one) => one.name),
      expected,
    );
    assert.equal((await store.listCards('one', null)).length, 7);
    assert.deepEqual([(await putCard({}, 'two')).sortOrder, (await putTab({}, 'two')).sortOrder], [0, 0]);
  });

  test(`DashboardStore (${name}): putTab sets the sortOrder if given`, async (t) => {
    const { store } = await opened(t);
    const { stored } = await store.putTab('one', tab({ name: 'Sales', sortOrder: 3 }));
    assert.deepEqual(await store.putTab('one', tab({ name: 'Sales' })), { created: false, stored });
    const moved = await store.putTab('one', tab({ name: 'Sales', sortOrder: 0 }));
    const expected = { ...stored, sortOrder: 0, updatedAt: moved.stored.updatedAt };
    assert.deepEqual(moved, { created: false, stored: expected });
    assert.deepEqual(await store.findTab('one', stored.id), expected);
  });

  test(`DashboardStore (${name}): a missing or foreign tab is unknown on put and change`, async (t) => {
    const { store, putCard, putTab } = await opened(t);
    const own = await putCard({ identity: 'own' });
    const tabIds = ['nothing', own.id, (await putTab({ agentId: 'other' })).id, (await putTab({}, 'two')).id];
    for (const tabId of tabIds) {
      assert.equal(await store.putCard('one', card({ tabId })), 'unknown tab');
      assert.equal(await store.putCard('one', card({ identity: 'own', tabId })), 'unknown tab');
      assert.equal(await store.changeCard('one', own.id, { title: 'New', tabId }, 9), 'unknown tab');
    }
    assert.deepEqual(await store.listCards('one', null), [own]);
  });

  test(`DashboardStore (${name}): a change keeps what is undefined and clears with null`, async (t) => {
    const { store, putCard, putTab } = await opened(t);
    const { id: tabId } = await putTab();
    const first = await putCard({ gridLayout: LAYOUT, sortOrder: 2 });
    const changes = { title: 'New', config: { eventName: 'b' }, cardType: 'gauge', identity: 'new', tabId } as const;
    const changed = { ...first, ...changes, updatedAt: 7_077 };
    const kept = { gridLayout: undefined, sortOrder: undefined };
    assert.deepEqual(await store.changeCard('one', first.id, { ...changes, ...kept }, 7_077), changed);
    const emptied = { ...changed, gridLayout: null, tabId: null, sortOrder: 0, updatedAt: 7_078 };
    const nulls = { gridLayout: null, tabId: null, sortOrder: 0 };
    assert.deepEqual(await store.changeCard('one', first.id, nulls, 7_078), emptied);
    assert.deepEqual(await store.findCard('one', first.id), emptied);
    const renamed = await putTab({ sortOrder: 5 });
    const expected = { ...renamed, name: 'New', updatedAt: 7_079 };
    assert.deepEqual(await store.changeTab('one', renamed.id, { name: 'New', sortOrder: undefined }, 7_079), expected);
  });

  test(`DashboardStore (${name}): changing to another's identity or name is a conflict`, async (t) => {
    const { store, putCard, putTab } = await opened(t);
    const [first, second] = [await putCard({ identity: 'first' }), await putCard({ identity: 'second' })];
    const [sales, support] = [await putTab({ name: 'Sales' }), await putTab({ name: 'Support' })];
    await putCard({ identity: 'third', agentId: 'other' });
    await putCard({ identity: 'third' }, 'two');
    assert.equal(await store.changeCard('one', second.id, { identity: 'first', title: 'New' }, 9), 'conflict');
    assert.equal(await store.changeTab('one', support.id, { name: 'Sales', sortOrder: 9 }, 9), 'conflict');
    assert.deepEqual(await store.listCards('one', 'support'), [first, second]);
    assert.deepEqual(await store.listTabs('one', 'support'), [sales, support]);
    const same = { ...second, updatedAt: 7_010 };
    assert.deepEqual(await store.changeCard('one', second.id, { identity: 'second' }, 7_010), same);
    assert.deepEqual(await store.changeTab('one', support.id, { name: 'Support' }, 7_010), {
      ...support,
      updatedAt: 7_010,
    });
    const moved = { ...second, identity: 'third', updatedAt: 7_011 };
    assert.deepEqual(await store.changeCard('one', second.id, { identity: 'third' }, 7_011), moved, 'of this agent');
    assert.equal((await putCard({ identity: 'second' })).id === second.id, false, 'the old identity is free');
  });

  test(`DashboardStore (${name}): of concurrent changes to one identity one succeeds`, async (t) => {
    const { store, putCard } = await opened(t);
    const cards = await Promise.all(Array.from({ length: 10 }, () => putCard()));
    const results = await Promise.all(cards.map(({ id }) => store.changeCard('one', id, { identity: 'same' }, 9)));
    assert.equal(results.filter((result) => result === 'conflict').length, 9);
    assert.equal((await store.listCards('one', null)).filter(({ identity }) => identity === 'same').length, 1);
  });

  test(`DashboardStore (${name}): remove succeeds once, and frees the identity`, async (t) => {
    const { store, putCard } = await opened(t);
    const [gone, kept] = [await putCard({ identity: 'same' }), await putCard()];
    const removed = await Promise.all(Array.from({ length: 5 }, () => store.removeCard('one', gone.id)));
    assert.deepEqual(
      removed.filter((one) => one !== null),
      [gone],
    );
    assert.equal(await store.findCard('one', gone.id), null);
    assert.equal(await store.changeCard('one', gone.id, { title: 'New' }, 9), null);
    assert.equal(await store.tenantOf('card', gone.id), null);
    assert.deepEqual(await store.listCards('one', null), [kept]);
    const result = await store.putCard('one', card({ identity: 'same' }));
    assert.ok(result !== 'unknown tab' && result.created);
  });

  test(`DashboardStore (${name}): removing a tab leaves its cards without a tab`, async (t) => {
    const { store, putCard, putTab } = await opened(t);
    const [tabOne, tabTwo] = [await putTab(), await putTab()];
    const cards = [
      await putCard({ tabId: tabOne.id, gridLayout: LAYOUT }),
      await putCard({ tabId: tabTwo.id }),
      await putCard({ tabId: tabOne.id }),
    ];
    assert.equal(await store.removeTab('one', tabOne.id), true);
    assert.equal(await store.removeTab('one', tabOne.id), false);
    assert.equal(await store.findTab('one', tabOne.id), null);
    assert.equal(await store.changeTab('one', tabOne.id, { name: 'New' }, 9), null);
    assert.deepEqual(await store.listTabs('one', null), [tabTwo]);
    const left = await store.listCards('one', null);
    assert.deepEqual(
      left.map(({ id, tabId }) => [id, tabId]),
      cards.map(({ id, tabId }) => [id, tabId === tabOne.id ? null : tabId]),
    );
    assert.deepEqual(left[0]?.gridLayout, LAYOUT);
    assert.equal(await store.putCard('one', card({ tabId: tabOne.id })), 'unknown tab');
  });

  test(`DashboardStore (${name}): a tab removed during puts leaves no card behind in it`, async (t) => {
    const { store, putTab } = await opened(t);
    const tabs = await Promise.all(Array.from({ length: 10 }, () => putTab()));
    await Promise.all(
      tabs.flatMap(({ id }) => [
        store.putCard('one', card({ tabId: id })),
        store.removeTab('one', id),
        store.putCard('one', card({ tabId: id })),
      ]),
    );
    assert.deepEqual(await store.listTabs('one', null), []);
    assert.ok((await store.listCards('one', null)).every(({ tabId }) => tabId === null));
  });

  test(`DashboardStore (${name}): other tenants are invisible, except to tenantOf`, async (t) => {
    const { store, putCard, putTab } = await opened(t);
    const theirTab = await putTab({}, 'two');
    const theirCard = await putCard({ tabId: theirTab.id }, 'two');
    assert.equal(await store.findCard('one', theirCard.id), null);
    assert.equal(await store.findTab('one', theirTab.id), null);
    for (const agentId of [null, 'support']) {
      assert.deepEqual(await store.listCards('one', agentId), []);
      assert.deepEqual(await store.listTabs('one', agentId), []);
    }
    assert.equal(await store.changeCard('one', theirCard.id, { title: 'Taken', tabId: null }, 9), null);
    assert.equal(await store.changeTab('one', theirTab.id, { name: 'Taken' }, 9), null);
    assert.equal(await store.removeCard('one', theirCard.id), null);
    assert.equal(await store.removeTab('one', theirTab.id), false);
    assert.deepEqual(await store.listCards('two', null), [theirCard]);
    assert.deepEqual(await store.listTabs('two', null), [theirTab]);
    assert.equal(await store.tenantOf('card', theirCard.id), 'two');
    assert.equal(await store.tenantOf('tab', theirTab.id), 'two');
    assert.equal(await store.tenantOf('card', theirTab.id), null, 'a tab is no card');
    assert.equal(await store.tenantOf('tab', theirCard.id), null);
    assert.equal(await store.tenantOf('card', 'nothing'), null);
  });

  test(`DashboardStore (${name}): names and counts of cards match the list`, async (t) => {
    const { store, putCard, putTab } = await opened(t);
    const { id: tabId } = await putTab({ name: 'Sales' });
    await putCard({ identity: 'a', title: 'Second', sortOrder: 2, tabId });
    await putCard({ identity: 'b', title: 'First', sortOrder: 1 });
    await putCard({ identity: 'c', agentId: 'other' });
    await putCard({ identity: 'd' }, 'two');
    for (const agentId of [null, 'support', 'nobody']) {
      const names = (await store.listCards('one', agentId)).map(({ id, title, cardType, tabId }) => ({
        ...{ id, title, cardType, tabId },
      }));
      assert.deepEqual(await store.listCardNames('one', agentId), names);
    }
    assert.equal(await store.countCards('one', 'support'), 2);
    assert.equal(await store.countCards('one', 'nobody'), 0);
  });

  test(`DashboardStore (${name}): contents survive closing and are not created again`, async (t) => {
    const { store, putCard, putTab, close, at } = await opened(t);
    const { id: tabId } = await putTab({ name: 'Sales' });
    const stored = await putCard({ identity: 'same', tabId, gridLayout: LAYOUT });
    const [tabs, cards] = [await store.listTabs('one', null), await store.listCards('one', null)];
    await close();
    const again = await opened(t, at);
    assert.deepEqual(await again.store.listTabs('one', null), tabs);
    assert.deepEqual(await again.store.listCards('one', null), cards);
    assert.equal((await again.putCard({ identity: 'same' })).id, stored.id);
    assert.equal((await again.putTab({ name: 'Sales' })).id, tabId);
  });
}
