import assert from 'node:assert/strict';
import type { test } from 'node:test';
import { planTable } from '../../src/core/analytics/events/questions/plan.ts';
import type { EventStore, StoredEvent } from '../../src/core/analytics/events/store.ts';
import { tableQuestion } from '../reference/questions.ts';
import { type Backend, CONTEXT, storedEvent, storeHelpers } from './event-store.ts';

async function count(store: EventStore, tenantId: string, eventName = 'a'): Promise<number> {
  const plan = planTable(tableQuestion({ eventName, mode: 'aggregate', groupBy: 'threadId' }), CONTEXT);
  return (await store.query(tenantId, plan)).matched;
}

const named = (id: string, event: Partial<StoredEvent> = {}) => storedEvent({ id, idFromCaller: true, ...event });

export function testEventStoreRemoval({ name, open, directory }: Backend, define: typeof test): void {
  const { opened, visible } = storeHelpers({ open, directory });

  define(`${name}: erasing a thread removes its events and no others`, async (t) => {
    const { store, at } = await opened(t);
    await visible(store, 't', [storedEvent({ threadId: 'x' }), storedEvent({ threadId: 'y' }), storedEvent()]);
    await visible(store, 'other', [storedEvent({ threadId: 'x' })]);
    // It may not be visible yet, but was appended before.
    await store.append('t', [storedEvent({ threadId: 'x' })]);
    assert.equal(await store.erase('t', { threadId: 'x' }), 2);
    assert.equal(await count(store, 't'), 2);
    assert.equal(await count(store, 'other'), 1);
    assert.equal(await store.erase('t', { threadId: 'x' }), 0);
    await store.close();
    const again = await open(at);
    t.after(() => again.close());
    assert.equal(await count(again, 't'), 2, 'it stays so');
  });

  define(`${name}: erasing executions removes events without a thread, and ids`, async (t) => {
    const { store } = await opened(t);
    const hostile = 'q"\\\'; DROP TABLE hot --\u2028😀%_*';
    const events = () => [
      named('gone', { executionId: 'x', eventName: 'b' }),
      storedEvent({ executionId: hostile }),
      named('of a thread', { executionId: 'x', threadId: 'thread' }),
      storedEvent({ executionId: 'y' }),
      storedEvent(),
    ];
    await visible(store, 't', events());
    await visible(store, 'other', events());
    await store.append('t', [storedEvent({ executionId: 'x' })]);
    assert.equal(await store.erase('t', { executionIds: [] }), 0);
    assert.equal(await store.erase('t', { executionIds: ['x', hostile, 'unknown'] }), 3);
    assert.deepEqual([await count(store, 't'), await count(store, 't', 'b')], [3, 0]);
    assert.deepEqual(
      (await store.knownEvents('t', null)).map(({ eventName, events }) => [eventName, events]),
      [['a', 3]],
    );
    assert.deepEqual([await count(store, 'other'), await count(store, 'other', 'b')], [4, 1]);
    assert.equal((await store.append('t', [named('gone'), named('of a thread')])).duplicates, 1);
  });

  define(`${name}: erasing executions wherever they are, or many threads, takes no others`, async (t) => {
    const { store } = await opened(t);
    const hostile = 'q"\\\'; DROP TABLE hot --\u2028😀%_*';
    const events = () => [
      named('gone', { executionId: hostile, eventName: 'b' }),
      named('of a thread', { executionId: hostile, threadId: 'thread' }),
      storedEvent({ executionId: 'y', threadId: hostile }),
      storedEvent({ threadId: 'two' }),
      storedEvent({ executionId: 'y' }),
      storedEvent({ threadId: 'y' }),
      storedEvent(),
    ];
    await visible(store, 't', events());
    await visible(store, 'other', events());
    for (const nothing of [{ threadIds: [] }, { executionIds: [], inAnyThread: true }]) {
      assert.equal(await store.erase('t', nothing), 0);
    }
    await store.append('t', [storedEvent({ executionId: hostile, threadId: 'late' })]);
    assert.equal(await store.erase('t', { executionIds: [hostile, 'unknown'], inAnyThread: true }), 3);
    assert.equal(await store.erase('t', { threadIds: [hostile, 'two', 'unknown'] }), 2);
    assert.deepEqual([await count(store, 't'), await count(store, 't', 'b')], [3, 0]);
    assert.deepEqual([await count(store, 'other'), await count(store, 'other', 'b')], [6, 1]);
    assert.equal((await store.append('t', [named('gone'), named('of a thread')])).duplicates, 0);
  });

  define(`${name}: erasing threads by the beginning of their ids leaves others`, async (t) => {
    const { store } = await opened(t);
    const events = () => [
      named('gone', { threadId: 'sample-1-a', eventName: 'b' }),
      storedEvent({ threadId: 'sample-1-b' }),
      storedEvent({ threadId: 'sample-10' }),
      storedEvent({ threadId: 'my sample-1-a' }),
      storedEvent({ executionId: 'sample-1-a' }),
    ];
    await visible(store, 't', events());
    await visible(store, 'other', events());
    await store.append('t', [storedEvent({ threadId: 'sample-1-c' })]);
    assert.equal(await store.erase('t', { threadPrefix: 'sample-1-' }), 3);
    assert.deepEqual([await count(store, 't'), await count(store, 't', 'b')], [3, 0]);
    assert.deepEqual([await count(store, 'other'), await count(store, 'other', 'b')], [4, 1]);
    assert.equal((await store.append('t', [named('gone')])).duplicates, 0);
    assert.equal(await store.erase('t', { threadPrefix: "sample-1-' OR 1 = 1 --" }), 0);
  });

  define(`${name}: erasing a tenant removes all of it, and nothing of others`, async (t) => {
    const { store, at } = await opened(t);
    await visible(store, 't', [storedEvent({ properties: '{"secret":{"key":1}}' })]);
    await visible(store, 'other', [storedEvent({ properties: '{"secret":{"key":1}}' })]);
    await store.append('t', [storedEvent({ eventName: 'b' })]);
    assert.equal(await store.erase('t', {}), 2);
    const look = async (one: EventStore) => {
      assert.equal((await count(one, 't')) + (await count(one, 't', 'b')), 0);
      assert.deepEqual(await one.knownEvents('t', null), []);
      assert.deepEqual(await one.knownProperties('t', null, ['a', 'b']), []);
      assert.equal(await count(one, 'other'), 1);
      assert.equal((await one.knownProperties('other', null, ['a'])).length, 2);
    };
    await look(store);
    await store.close();
    const again = await open(at);
    t.after(() => again.close());
    await look(again);
  });

  define(`${name}: an erased tenant can start again`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', [storedEvent({ properties: '{"a":"text"}' })]);
    await store.erase('t', {});
    await visible(store, 't', [storedEvent({ properties: '{"b":1}', timestamp: 5 })]);
    assert.deepEqual(await store.knownEvents('t', null), [
      { agentId: 'support', eventName: 'a', events: 1, firstSeen: 5, lastSeen: 5 },
    ]);
    assert.deepEqual(await store.knownProperties('t', null, ['a']), [{ key: 'b', nested: false, types: ['number'] }]);
  });

  define(`${name}: ids of erased events count as new, the others do not`, async (t) => {
    const { store } = await opened(t);
    const events = () => [named('gone', { threadId: 'x' }), named('stays', { threadId: 'y' })];
    await visible(store, 't', events());
    await visible(store, 'other', [named('gone', { threadId: 'x' })]);
    await store.erase('t', { threadId: 'x' });
    assert.equal((await visible(store, 't', events())).duplicates, 1);
    assert.equal(await count(store, 't'), 2);
    assert.equal((await store.append('other', [named('gone')])).duplicates, 1);
    await store.erase('t', {});
    assert.equal((await visible(store, 't', events())).duplicates, 0);
  });

  define(`${name}: an id appended during an erasure is stored once`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', [storedEvent()]);
    const ids: string[] = [];
    const append = async () => {
      for (let sent = 0; sent < 300; sent += 1) {
        const id = `id ${ids.length}`;
        ids.push(id);
        await store.append('t', [named(id)]);
      }
    };
    for (let turn = 0; turn < 5; turn += 1) await Promise.all([store.erase('t', {}), append()]);
    for (const id of ids) await store.append('t', [named(id)]);
    await visible(store, 't', [storedEvent({ eventName: 'b' })]);
    assert.equal(await count(store, 't'), ids.length, 'those that were erased have come again, the others are there');
  });

  define(`${name}: expiring removes older events exactly, with names and counts`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', [
      named('old', { timestamp: 999, eventName: 'b', properties: '{"only":{"here":1}}' }),
      named('edge', { timestamp: 1_000 }),
      storedEvent({ timestamp: 2_000 }),
      storedEvent({ timestamp: -5 }),
    ]);
    await visible(store, 'other', [storedEvent({ timestamp: 1 })]);
    assert.deepEqual(await store.expiring(1), { t: -5 });
    assert.deepEqual(await store.expiring(1_000), { t: -5, other: 1 });
    assert.equal(await store.expire('t', 1_000), 2);
    assert.deepEqual(await store.expiring(1_000), { other: 1 });
    assert.deepEqual(await store.knownEvents('t', null), [
      { agentId: 'support', eventName: 'a', events: 2, firstSeen: 1_000, lastSeen: 2_000 },
    ]);
    assert.deepEqual(await store.knownProperties('t', null, ['b']), []);
    assert.equal(await count(store, 'other'), 1);
    assert.equal(await store.expire('t', 1_000), 0);
    assert.equal(await store.expire('nobody', 1_000), 0);
    assert.equal((await store.append('t', [named('old'), named('edge')])).duplicates, 2, 'an id outlives its event');
  });

  define(`${name}: a removed event name is listed again with its next event`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', [storedEvent({ properties: '{"k":1}', timestamp: 1 })]);
    await store.expire('t', 2);
    await visible(store, 't', [storedEvent({ properties: '{"k":"text"}', timestamp: 3 })]);
    assert.deepEqual(await store.knownProperties('t', null, ['a']), [{ key: 'k', nested: false, types: ['string'] }]);
  });

  define(`${name}: stats reports backlog, contents and limits`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', [storedEvent({ properties: '{"a":1,"b":{"c":"x"}}' }), storedEvent()]);
    await visible(store, 'other', [storedEvent()]);
    const stats = await store.stats();
    assert.deepEqual({ ...stats.backlog, limitBytes: 0 }, { batches: 0, bytes: 0, limitBytes: 0 });
    assert.equal(stats.failingSince, null);
    assert.deepEqual([stats.tenants, stats.quarantined], [2, 0]);
    const waiting = storedEvent({ properties: JSON.stringify({ text: 'x'.repeat(10_000) }) });
    const { receipt } = await store.append('t', [waiting]);
    const { backlog } = await store.stats();
    assert.ok(backlog.bytes > 10_000 || (await store.waitFor(receipt, 0)), JSON.stringify(backlog));
    await store.erase('t', {});
    assert.equal((await store.stats()).tenants, 1);
  });
}
