import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ITEM_LEASE_MS } from '../../../src/core/agents/queues/hands.ts';
import { CONFLICT, caller, newDesk, type QueueBackend } from './support.ts';

export function testQueueHands(backend: QueueBackend): void {
  const { name } = backend;
  const desk = async (t: Parameters<typeof newDesk>[0], executions = 2, members = {}) => {
    const made = await newDesk(t, backend);
    for (let index = 0; index < executions; index += 1) {
      await made.record('abcdefghij'[index]!, { startedAt: index, output: '1' });
    }
    await made.make(members);
    return made;
  };

  test(`QueueHands (${name}): one person at a time, the oldest first, the same again`, async (t) => {
    const { next, clock, hands } = await desk(t);
    assert.deepEqual([await next('ana'), await next('bob'), await next('cid')], ['a', 'b', null]);
    clock.now += ITEM_LEASE_MS - 1;
    assert.equal(await next('ana'), 'a');
    const { item } = await hands.next(caller('ana'), 'queue');
    assert.equal(item?.leaseUntil, new Date(clock.now + ITEM_LEASE_MS).toISOString());
    clock.now += 1;
    assert.deepEqual([await next('cid'), await next('bob')], ['b', null], 'the lease of bob ended');
  });

  test(`QueueHands (${name}): done is final, once, also after the lease; skip is for one`, async (t) => {
    const { next, done, skip, clock, hands, queues, boss } = await desk(t);
    assert.equal(await next('ana'), 'a');
    await done('a');
    assert.deepEqual(await done('a'), { item: null, waiting: 1, done: 1 });
    assert.equal(await next('ana'), 'b');
    await skip('b');
    assert.equal(await next('ana'), null);
    assert.equal(await next('bob'), 'b');
    clock.now += ITEM_LEASE_MS;
    assert.equal(await next('cid'), 'b');
    assert.deepEqual(await done('b', 'bob'), { item: null, waiting: 0, done: 2 });
    assert.equal(await next('cid'), null);
    await done('b', 'cid');
    const { people, waiting, done: all } = await queues.get(boss, 'queue');
    assert.deepEqual([waiting, all], [0, 2]);
    const progress = people.map(({ type, id, label, done: finished, skipped }) => [type, id, label, finished, skipped]);
    assert.deepEqual(progress, [
      ['user', 'ana', 'ana@example.com', 1, 1],
      ['user', 'bob', 'bob@example.com', 1, 0],
      ['user', 'cid', 'cid@example.com', 1, 0],
    ]);
    await assert.rejects(hands.done(caller('dan'), 'queue', 'a'), CONFLICT);
    await assert.rejects(hands.done(caller('dan'), 'queue', 'other'), { code: 'not_found' });
    await assert.rejects(hands.done(caller('dan'), 'other', 'a'), { code: 'not_found' });
  });

  test(`QueueHands (${name}): release gives back, and undoes done and skip`, async (t) => {
    const { next, done, skip, release, clock } = await desk(t);
    assert.equal(await next('ana'), 'a');
    assert.deepEqual(await release('a'), { item: null, waiting: 2, done: 0 });
    await assert.rejects(done('a'), CONFLICT);
    await assert.rejects(release('a'), CONFLICT);
    assert.deepEqual([await next('bob'), await next('ana')], ['a', 'b']);
    await done('a', 'bob');
    const until = new Date(clock.now + ITEM_LEASE_MS).toISOString();
    const undone = await release('a', 'bob');
    assert.deepEqual(undone, { item: { executionId: 'a', leaseUntil: until }, waiting: 2, done: 0 });
    assert.equal(await next('bob'), 'a');
    await skip('a', 'bob');
    await release('b', 'ana');
    assert.equal(await next('ana'), 'a');
    await assert.rejects(release('a', 'bob'), CONFLICT, 'ana holds it');
    clock.now += ITEM_LEASE_MS;
    assert.equal((await release('a', 'bob')).item?.executionId, 'a');
    assert.equal(await next('ana'), 'b');
  });

  test(`QueueHands (${name}): what was undone comes before what came after`, async (t) => {
    const { next, done, release, clock } = await desk(t);
    assert.equal(await next('ana'), 'a');
    await done('a');
    clock.now += 1;
    assert.equal(await next('ana'), 'b');
    clock.now += 1;
    await release('a');
    assert.equal(await next('ana'), 'a');
    await done('a');
    assert.equal(await next('ana'), 'b');
  });

  test(`QueueHands (${name}): n different people are needed, one after another`, async (t) => {
    const { next, done, release, queues, boss } = await desk(t, 1, { assessors: 2 });
    assert.deepEqual([await next('ana'), await next('bob')], ['a', null]);
    assert.deepEqual(await done('a', 'ana'), { item: null, waiting: 1, done: 0 });
    assert.deepEqual([await next('ana'), await next('bob')], [null, 'a']);
    assert.deepEqual(await done('a', 'bob'), { item: null, waiting: 0, done: 1 });
    assert.equal((await release('a', 'ana')).waiting, 1);
    await done('a', 'ana');
    await queues.update(boss, 'queue', { assessors: 3 });
    assert.equal(await next('cid'), 'a');
    const { waiting, done: all } = await queues.update(boss, 'queue', { assessors: 1 });
    assert.deepEqual([waiting, all], [0, 1]);
  });

  test(`QueueHands (${name}): only userIds get items, and no key does`, async (t) => {
    const { next, hands, queues, boss } = await desk(t, 2, { userIds: ['ana'] });
    assert.equal(await next('ana'), 'a');
    const key = caller('ana', { credential: { kind: 'key', id: 'k' }, role: null });
    for (const by of [caller('bob'), key]) {
      await assert.rejects(hands.next(by, 'queue'), { code: 'forbidden', message: /userIds/ });
      await assert.rejects(hands.skip(by, 'queue', 'a'), { code: 'forbidden' });
    }
    await queues.update(boss, 'queue', { userIds: null });
    assert.equal((await hands.next(key, 'queue')).item?.executionId, 'b');
    const grant = caller('ana', { credential: { kind: 'grant', id: 'g' }, grant: {} as never });
    assert.equal((await hands.next(grant, 'queue')).item?.executionId, 'a', 'an application acts for its user');
    await assert.rejects(queues.update(boss, 'queue', { userIds: ['ana', 'nobody', 'stranger'] }), {
      code: 'unprocessable',
      message: /"nobody", "stranger"/,
    });
  });

  test(`QueueHands (${name}): rights are checked, and another tenant's queue is unknown`, async (t) => {
    const { hands, queues } = await desk(t);
    const reads = caller('ana', { scopes: ['reviews:read'] });
    await queues.get(reads, 'queue');
    await assert.rejects(hands.next(reads, 'queue'), { code: 'forbidden' });
    await assert.rejects(hands.release(reads, 'queue', 'a'), { code: 'forbidden' });
    await assert.rejects(queues.remove(reads, 'queue'), { code: 'forbidden' });
    await assert.rejects(queues.list(caller('ana', { scopes: [] }), { limit: 1 }), { code: 'forbidden' });
    const other = caller('ana', { tenantId: 'two' });
    await assert.rejects(hands.next(other, 'queue'), { code: 'not_found' });
    await assert.rejects(queues.remove(other, 'queue'), { code: 'not_found' });
    assert.deepEqual(await queues.list(other, { limit: 50 }), { queues: [], nextCursor: null, total: 0 });
  });
}
