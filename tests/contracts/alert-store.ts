import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { DueQuery } from '../../src/core/base/concurrency/due-runner.ts';
import type { AlertStore, CheckSettlement, StoredAlert, StoredChange } from '../../src/core/watch/alerts/store.ts';
import { INITIAL_MEMORY } from '../../src/core/watch/alerts/transition.ts';
import type { DeliveryStore } from '../../src/core/watch/deliveries/store.ts';
import { openStores, type StateBackend } from './backend.ts';
import { newDelivery } from './delivery-store.ts';

type Backend = StateBackend<{ store: AlertStore; deliveries: Pick<DeliveryStore, 'list'> }>;

let counter = 0;

export function newAlert(members: Partial<StoredAlert> = {}): StoredAlert {
  counter += 1;
  return {
    id: `alert-${String(counter).padStart(6, '0')}`,
    tenantId: 'one',
    agentId: null,
    definition: {
      title: 'Few orders',
      asked: { metric: 'orders' },
      condition: { type: 'no_data' },
      every: '* * * * *',
      timezone: 'UTC',
      cooldown: 0,
      enabled: true,
    },
    sealedTargets: null,
    revision: 0,
    memory: INITIAL_MEMORY,
    lastCheck: null,
    nextDue: 100,
    createdAt: 1,
    updatedAt: 1,
    createdBy: 'test',
    ...members,
  };
}

const FOUND = { bucket: '2026-11-24T00:00:00+00:00', value: 3.5, comparedWith: 4, cases: 'AXE9', error: null };

function newChange(alertId: string, members: Partial<StoredChange> = {}): StoredChange {
  counter += 1;
  return {
    id: `change-${String(counter).padStart(6, '0')}`,
    alertId,
    at: 110,
    from: 'ok',
    to: 'alerting',
    ...FOUND,
    notified: true,
    ...members,
  };
}

export function settlement(members: Partial<CheckSettlement> = {}): CheckSettlement {
  return {
    memory: { ...INITIAL_MEMORY, state: 'alerting', notified: 'alerting', notifiedAt: 110 },
    lastCheck: { at: 110, ...FOUND },
    nextDue: 200,
    change: null,
    deliveries: [],
    ...members,
  };
}

const EVERY: DueQuery = { limit: 10, ofTenant: 10, except: [] };
const PAGE = { limit: 10, offset: 0 };

export function testAlertStore(backend: Backend): void {
  const { name } = backend;
  const opened = async (t: TestContext, place?: string) => {
    const { store, deliveries, close, at } = await openStores(backend, t, place);
    const added = async (members: Partial<StoredAlert> = {}) => {
      const alert = newAlert(members);
      await store.add(alert);
      return alert;
    };
    const dueIds = async (now: number, query: Partial<DueQuery> = {}) =>
      (await store.due(now, { ...EVERY, ...query })).map(({ id }) => id);
    return { store, deliveries, close, at, added, dueIds };
  };

  test(`${name}: alerts outlast a restart and belong to one tenant`, async (t) => {
    const { store, close, at, added } = await opened(t);
    const alert = await added({ agentId: 'support', sealedTargets: 'v1.AAAA.x', lastCheck: { at: 50, ...FOUND } });
    const other = await added({ tenantId: 'two', nextDue: null });
    await close();
    const { store: again } = await opened(t, at);
    assert.deepEqual(await again.find('one', alert.id), alert);
    assert.equal(await again.find('two', alert.id), null);
    assert.deepEqual((await again.list('two', PAGE)).items, [other]);
    assert.equal(await again.remove('two', alert.id), false);
    assert.equal(await again.replace({ ...alert, tenantId: 'two' }, null), false);
    assert.equal(await (await again.list('one', { limit: 0, offset: 0 })).total, 1);
    assert.notEqual(store, again);
  });

  test(`${name}: lists are newest first, of a state or a maker if asked`, async (t) => {
    const { store, added } = await opened(t);
    const ids = [
      await added({ maker: 'ana' }),
      await added({ memory: { ...INITIAL_MEMORY, state: 'failing' } }),
      await added(),
    ].map(({ id }) => id);
    const list = async (asked: Parameters<AlertStore['list']>[1]) => {
      const { items, total } = await store.list('one', asked);
      return [items.map(({ id }) => id), total];
    };
    assert.deepEqual(await list({ limit: 2, offset: 0 }), [[ids[2], ids[1]], 3]);
    assert.deepEqual(await list({ limit: 2, offset: 2 }), [[ids[0]], 3]);
    assert.deepEqual(await list({ ...PAGE, state: 'failing' }), [[ids[1]], 1]);
    assert.deepEqual(await list({ ...PAGE, maker: 'ana' }), [[ids[0]], 1]);
  });

  test(`${name}: a check settles state, change and messages, or nothing`, async (t) => {
    const { store, deliveries, added } = await opened(t);
    const alert = await added();
    const change = newChange(alert.id);
    const message = newDelivery({ source: { kind: 'alert', id: alert.id } });
    const settled = settlement({ change, deliveries: [message] });
    assert.equal(await store.settle(alert, settled), true);
    const now = await store.find('one', alert.id);
    assert.deepEqual(now, {
      ...alert,
      revision: 1,
      memory: settled.memory,
      lastCheck: settled.lastCheck,
      nextDue: 200,
    });
    assert.deepEqual(await store.history('one', alert.id, PAGE), { items: [change], total: 1 });
    assert.equal(await store.settle(alert, settlement({ change: newChange(alert.id) })), false, 'an older revision');
    assert.equal((await store.history('one', alert.id, PAGE)).total, 1);
    assert.deepEqual(await store.history('two', alert.id, PAGE), { items: [], total: 0 });
    const sent = await deliveries.list('one', message.source, 10);
    assert.deepEqual(
      sent.map(({ id }) => id),
      [message.id],
    );
    const repeated = settlement({ change, nextDue: 300 });
    await assert.rejects(store.settle(now!, repeated), 'a change of that id exists');
    assert.equal((await store.find('one', alert.id))?.nextDue, 200, 'nothing of it was kept');
  });

  test(`${name}: a change of the definition makes another revision`, async (t) => {
    const { store, added } = await opened(t);
    const alert = await added();
    const changed = { ...alert, definition: { ...alert.definition, title: 'Fewer orders' }, nextDue: null };
    const reset = newChange(alert.id, { from: 'alerting', to: 'ok' });
    assert.equal(await store.replace(changed, reset), true);
    assert.deepEqual(await store.find('one', alert.id), { ...changed, revision: 1 });
    assert.equal(await store.replace(changed, newChange(alert.id)), false);
    assert.deepEqual((await store.history('one', alert.id, PAGE)).items, [reset]);
    assert.equal(await store.settle(alert, settlement()), false);
  });

  test(`${name}: due are those whose time has come; tenants take turns`, async (t) => {
    const { store, added, dueIds } = await opened(t);
    const [first, second, third] = [
      await added({ nextDue: 10 }),
      await added({ nextDue: 20 }),
      await added({ nextDue: 30 }),
    ];
    const other = await added({ tenantId: 'two', nextDue: 40 });
    await added({ nextDue: null });
    const later = await added({ nextDue: 500 });
    const setBack = await added({ nextDue: 900, lastCheck: { at: 899, ...FOUND } });
    const edited = await added({ nextDue: 950, updatedAt: 950 });
    assert.deepEqual(await dueIds(5), [setBack.id, edited.id]);
    await store.settle(edited, settlement({ lastCheck: { at: 6, ...FOUND }, nextDue: 950 }));
    assert.deepEqual(await dueIds(6), [setBack.id], 'a check rights the time of the change');
    assert.deepEqual(await dueIds(40), [first!.id, other.id, second!.id, third!.id, setBack.id]);
    assert.deepEqual(await dueIds(40, { limit: 2 }), [first!.id, other.id]);
    assert.deepEqual(await dueIds(40, { ofTenant: 1 }), [first!.id, other.id]);
    assert.deepEqual(await dueIds(40, { ofTenant: 1, except: [first!.id, other.id] }), [second!.id]);
    assert.equal(await store.nextDue(40), later.nextDue);
    assert.equal(await store.nextDue(950), null);
  });

  test(`${name}: changes wait until they are recorded, oldest first`, async (t) => {
    const { store, added } = await opened(t);
    const alert = await added();
    const changes = [newChange(alert.id), newChange(alert.id)];
    await store.settle(alert, settlement({ change: changes[0]! }));
    await store.settle({ ...alert, revision: 1 }, settlement({ change: changes[1]! }));
    const expected = changes.map((change) => ({ ...change, tenantId: 'one', title: 'Few orders' }));
    assert.deepEqual(await store.unrecorded(10), expected);
    await store.recorded([changes[0]!.id]);
    assert.deepEqual(await store.unrecorded(10), expected.slice(1));
    assert.equal((await store.history('one', alert.id, PAGE)).total, 2);
  });

  test(`${name}: the history goes with the alert`, async (t) => {
    const { store, added } = await opened(t);
    const alert = await added();
    await store.settle(alert, settlement({ change: newChange(alert.id) }));
    assert.equal(await store.remove('one', alert.id), true);
    assert.deepEqual(await store.unrecorded(10), []);
    assert.equal((await store.history('one', alert.id, PAGE)).total, 0);
    assert.deepEqual(await store.due(1_000, EVERY), []);
  });
}
