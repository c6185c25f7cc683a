import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DashboardChangeStore, MAX_CHANGES } from '../../src/core/analytics/dashboards/changes/store.ts';
import type { AgentChange, DashboardStore, StoredCard } from '../../src/core/analytics/dashboards/store.ts';
import { rareTest } from '../support/rare.ts';
import type { StoreBackend } from './backend.ts';
import { card, tab } from './dashboard-store.ts';

type Stores = { store: DashboardStore; changes: DashboardChangeStore };

let counter = 0;

function change(members: Partial<AgentChange> = {}): AgentChange {
  counter += 1;
  return {
    id: `change-${String(counter).padStart(6, '0')}`,
    at: 1_000_000 + counter,
    by: { kind: 'key', id: 'k', label: 'a key', client: null, userId: null },
    tool: 'save_card',
    intent: 'because',
    ...members,
  };
}

const ALL_OF_THEM = { agentId: null, since: 0, limit: 100, offset: 0 };
const UNDO = { at: 9_000_000, by: 'ada@example.com' };

export function testDashboardChangeStore({ name, open }: StoreBackend<Stores>): void {
  const states = async ({ changes }: Stores) =>
    (await changes.list('one', ALL_OF_THEM)).items.map(({ id, action, state }) => [id, action, state]);
  const put = async ({ store }: Stores, members: object, by?: AgentChange): Promise<StoredCard> => {
    const result = await store.putCard('one', card(members), by);
    if (result === 'unknown tab') throw new Error(result);
    return result.stored;
  };

  test(`DashboardChangeStore (${name}): a change keeps who, why and what was before`, async (t) => {
    const stores = await open(t);
    const by = { kind: 'grant', id: 'g', label: 'ada@example.com', client: 'Claude', userId: 'ada' } as const;
    const [first, second, third] = [change({ by }), change({ intent: null }), change({ tool: 'delete_card' })];
    const made = await put(stores, { identity: 'same', title: 'Before', idempotencyKey: 'k' }, first);
    const changed = await put(
      stores,
      { identity: 'same', title: 'After', gridLayout: { x: 1, y: 2, w: 3, h: 4 } },
      second,
    );
    assert.deepEqual(await stores.store.removeCard('one', made.id, third), changed);
    const item = { kind: 'card', itemId: made.id, agentId: 'support', undoneAt: null, undoneBy: null };
    const { items, total } = await stores.changes.list('one', ALL_OF_THEM);
    assert.equal(total, 3);
    assert.deepEqual(items, [
      { ...third, ...item, title: 'After', action: 'deleted', state: 'current' },
      { ...second, ...item, at: changed.updatedAt, title: 'After', action: 'changed', state: 'superseded' },
      { ...first, ...item, at: made.updatedAt, title: 'Before', action: 'created', state: 'superseded' },
    ]);
    const formers = [first, second, third].map(async ({ id }) => (await stores.changes.find('one', id))?.former);
    assert.deepEqual(await Promise.all(formers), [null, made, changed]);
    assert.equal(await stores.changes.find('two', first.id), null);
    assert.equal((await stores.changes.list('two', ALL_OF_THEM)).total, 0);
  });

  test(`DashboardChangeStore (${name}): undo goes back step by step to nothing`, async (t) => {
    const stores = await open(t);
    const [first, second, third] = [change(), change(), change()];
    const made = await put(stores, { identity: 'same', updatedAt: 10 }, first);
    const changed = await put(stores, { identity: 'same', cardType: 'line', updatedAt: 20 }, second);
    await stores.store.removeCard('one', made.id, third);
    const { undo } = stores.changes;
    const undoOf = (id: string) => undo.call(stores.changes, 'one', id, UNDO);
    assert.equal(await undoOf(second.id), 'not current');
    const undone = await undoOf(third.id);
    assert.ok(undone !== null && typeof undone === 'object');
    assert.deepEqual([undone.state, undone.undoneAt, undone.undoneBy], ['undone', UNDO.at, UNDO.by]);
    assert.deepEqual(await stores.store.findCard('one', made.id), changed);
    assert.equal(await undoOf(third.id), 'not current');
    assert.ok(await undoOf(second.id));
    assert.deepEqual(await stores.store.findCard('one', made.id), made);
    assert.ok(await undoOf(first.id));
    assert.equal(await stores.store.findCard('one', made.id), null);
    assert.deepEqual(new Set((await states(stores)).map(([, , state]) => state)), new Set(['undone']));
    assert.equal(await undo.call(stores.changes, 'two', first.id, UNDO), null);
  });

  test(`DashboardChangeStore (${name}): a later change of others forbids undo`, async (t) => {
    const stores = await open(t);
    const [first, second] = [change(), change()];
    const { id } = await put(stores, { updatedAt: 50 }, first);
    await stores.store.changeCard('one', id, { title: 'Of a person' }, 40);
    const { id: tabId } = (await stores.store.putTab('one', tab({ updatedAt: 50 }), second)).stored;
    await stores.store.changeTab('one', tabId, { name: 'Of a person' }, 50);
    for (const { id } of [first, second]) assert.equal(await stores.changes.undo('one', id, UNDO), 'not current');
    assert.equal((await stores.store.findCard('one', id))?.title, 'Of a person');
    assert.deepEqual(new Set((await states(stores)).map(([, , state]) => state)), new Set(['superseded']));
  });

  test(`DashboardChangeStore (${name}): what changes nothing is no change`, async (t) => {
    const stores = await open(t);
    const made = await put(stores, { identity: 'same', title: 'Sales', updatedAt: 10 }, change());
    assert.deepEqual(await put(stores, { identity: 'same', title: 'Sales', updatedAt: 20 }, change()), made);
    assert.deepEqual(
      await stores.store.changeCard('one', made.id, { title: 'Sales', tabId: null }, 20, change()),
      made,
    );
    await stores.store.putTab('one', tab({ name: 'Tab', sortOrder: 1 }), change());
    await stores.store.putTab('one', tab({ name: 'Tab', sortOrder: 1 }), change());
    await stores.store.putTab('one', tab({ name: 'Tab' }), change());
    assert.deepEqual(
      (await states(stores)).map(([, action]) => action),
      ['created', 'created'],
    );
    assert.equal(await stores.store.removeCard('one', 'unknown', change()), null);
    assert.equal((await states(stores)).length, 2);
  });

  test(`DashboardChangeStore (${name}): a card comes back without its tab`, async (t) => {
    const stores = await open(t);
    const { id: tabId } = (await stores.store.putTab('one', tab())).stored;
    const gone = await put(stores, { tabId });
    const removal = change();
    await stores.store.removeCard('one', gone.id, removal);
    await stores.store.removeTab('one', tabId);
    const other = await put(stores, { identity: gone.identity });
    assert.equal(await stores.changes.undo('one', removal.id, UNDO), 'conflict');
    await stores.store.removeCard('one', other.id);
    assert.ok(await stores.changes.undo('one', removal.id, UNDO));
    assert.deepEqual(await stores.store.findCard('one', gone.id), { ...gone, tabId: null });
  });

  test(`DashboardChangeStore (${name}): an undone tab leaves its cards in none`, async (t) => {
    const stores = await open(t);
    const [making, moving] = [change(), change({ tool: 'save_tab' })];
    const { stored } = await stores.store.putTab('one', tab({ sortOrder: 3 }), making);
    const { id } = await put(stores, { tabId: stored.id });
    await stores.store.putTab('one', tab({ name: stored.name, sortOrder: 5, updatedAt: 1e6 }), moving);
    assert.equal(await stores.changes.undo('one', making.id, UNDO), 'not current');
    assert.ok(await stores.changes.undo('one', moving.id, UNDO));
    assert.deepEqual(await stores.store.findTab('one', stored.id), stored);
    assert.ok(await stores.changes.undo('one', making.id, UNDO));
    assert.equal(await stores.store.findTab('one', stored.id), null);
    assert.equal((await stores.store.findCard('one', id))?.tabId, null);
  });

  test(`DashboardChangeStore (${name}): lists by agent, state and age, page by page`, async (t) => {
    const stores = await open(t);
    const kept = [change(), change(), change(), change()];
    await put(stores, { updatedAt: 10 }, kept[0]);
    await put(stores, { updatedAt: 20, agentId: 'other' }, kept[1]);
    await put(stores, { updatedAt: 30, identity: 'same', title: 'a' }, kept[2]);
    await put(stores, { updatedAt: 40, identity: 'same', title: 'b' }, kept[3]);
    const listed = async (asked: object) => {
      const { items, total } = await stores.changes.list('one', { ...ALL_OF_THEM, ...asked });
      return [items.map(({ id }) => kept.findIndex((one) => one.id === id)), total];
    };
    assert.deepEqual(await listed({}), [[3, 2, 1, 0], 4]);
    assert.deepEqual(await listed({ limit: 2, offset: 1 }), [[2, 1], 4]);
    assert.deepEqual(await listed({ agentId: 'other' }), [[1], 1]);
    assert.deepEqual(await listed({ state: 'current' }), [[3, 1, 0], 3]);
    assert.deepEqual(await listed({ state: 'superseded' }), [[2], 1]);
    assert.deepEqual(await listed({ state: 'undone' }), [[], 0]);
    assert.deepEqual(await listed({ since: 30 }), [[3, 2], 2]);
    await stores.changes.prune(30);
    assert.deepEqual(await listed({}), [[3, 2], 2]);
  });

  rareTest(`DashboardChangeStore (${name}): of a tenant the newest ${MAX_CHANGES} stay`, async (t) => {
    const stores = await open(t);
    const { id } = await put(stores, { updatedAt: 1 }, change());
    for (let index = 0; index <= MAX_CHANGES; index++) {
      await stores.store.changeCard('one', id, { sortOrder: -index - 1 }, 1, change());
    }
    const { items, total } = await stores.changes.list('one', { ...ALL_OF_THEM, limit: 2_000 });
    assert.deepEqual([total, items.length, items.at(-1)?.action], [MAX_CHANGES, MAX_CHANGES, 'changed']);
  });
}
