import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type {
  ClaimedDelivery,
  DeliverySource,
  DeliveryStore,
  NewDelivery,
} from '../../src/core/watch/deliveries/store.ts';
import { openStores, type StateBackend } from './backend.ts';

type Backend = StateBackend<{ store: DeliveryStore }>;

let counter = 0;

export const ALERT: DeliverySource = { kind: 'alert', id: 'an-alert' };

export function newDelivery(members: Partial<NewDelivery> = {}): NewDelivery {
  counter += 1;
  return {
    id: `delivery-${String(counter).padStart(6, '0')}`,
    source: ALERT,
    type: 'alert.alerting',
    title: 'Too few orders',
    targetType: 'webhook',
    place: 'https://hooks.example.com',
    sealedTarget: `v1.AAAAAAAA.${counter}`,
    body: '{"title":"Too few orders"}',
    createdAt: 100,
    ...members,
  };
}

const LEASE = 1_000;

export function testDeliveryStore(backend: Backend): void {
  const { name } = backend;
  const opened = async (t: TestContext, place?: string) => {
    const { store, close, at } = await openStores(backend, t, place);
    const claim = (tenantId: string, now: number, limit = 10) =>
      store.claim(tenantId, { now, leaseUntil: now + LEASE, limit });
    const claimOne = async (tenantId: string, now: number): Promise<ClaimedDelivery> => {
      const [one] = await claim(tenantId, now, 1);
      return one ?? assert.fail('nothing is due');
    };
    return { store, close, at, claim, claimOne };
  };
  const idsOf = (claimed: ClaimedDelivery[]) => claimed.map(({ delivery }) => delivery.id);

  test(`DeliveryStore (${name}): a delivery is listed and claimed as added`, async (t) => {
    const { store, claim } = await opened(t);
    const one = newDelivery({ title: `"q" \\ ';DROP TABLE deliveries;-- 😀`, body: '{"text":"😀\\u0000"}' });
    assert.equal(await store.add('one', [one]), 'added');
    const { sealedTarget, body, ...summary } = one;
    const shown = { ...summary, tenantId: 'one', state: 'waiting', attempts: 0, error: null } as const;
    const waiting = { ...shown, attemptedAt: null, nextAttemptAt: 100, finishedAt: null };
    assert.deepEqual(await store.list('one', ALERT, 10), [waiting]);
    const [claimed] = await claim('one', 100);
    assert.deepEqual(claimed, {
      delivery: { ...waiting, nextAttemptAt: null },
      lease: { id: one.id, fence: claimed!.lease.fence },
      sealedTarget,
      body,
    });
    assert.deepEqual(await store.list('one', ALERT, 10), [{ ...waiting, nextAttemptAt: null }]);
  });

  test(`DeliveryStore (${name}): an unknown tenant is refused, a repeated id ignored`, async (t) => {
    const { store } = await opened(t);
    const one = newDelivery();
    assert.equal(await store.add('nobody', [one]), 'unknown tenant');
    await store.add('one', [one]);
    assert.equal(await store.add('one', [{ ...one, title: 'Another' }]), 'added');
    assert.deepEqual(
      (await store.list('one', ALERT, 10)).map(({ title }) => title),
      ['Too few orders'],
    );
    assert.deepEqual(await store.counts(), { waiting: 1, sent: 0, dead: 0 });
  });

  test(`DeliveryStore (${name}): a source's list is newest first and limited`, async (t) => {
    const { store } = await opened(t);
    const own = [newDelivery(), newDelivery(), newDelivery()];
    await store.add('one', own);
    await store.add('one', [newDelivery({ source: { kind: 'digest', id: ALERT.id } })]);
    await store.add('one', [newDelivery({ source: { kind: 'alert', id: 'other' } })]);
    await store.add('two', [newDelivery()]);
    const ids = (await store.list('one', ALERT, 2)).map(({ id }) => id);
    assert.deepEqual(ids, [own[2]!.id, own[1]!.id]);
    assert.equal((await store.list('one', ALERT, 10)).length, 3);
  });

  test(`DeliveryStore (${name}): tenants and deliveries are due from their time on`, async (t) => {
    const { store, claim, claimOne } = await opened(t);
    const [late, early] = [newDelivery({ createdAt: 100 }), newDelivery({ createdAt: 90 })];
    await store.add('one', [late, early]);
    await store.add('two', [newDelivery({ createdAt: 100 })]);
    const { lease } = await claimOne('two', 100);
    await store.settle(lease, { state: 'waiting', at: 110, error: 'refused', dueAt: 500 });
    assert.deepEqual(await store.dueTenants(499), ['one']);
    assert.deepEqual((await store.dueTenants(500)).sort(), ['one', 'two']);
    assert.deepEqual([await store.nextDue(110), await store.nextDue(500)], [500, null]);
    assert.deepEqual(idsOf(await claim('one', 250, 1)), [early.id], 'the longest due first');
    assert.deepEqual(idsOf(await claim('one', 250)), [late.id]);
    assert.deepEqual(idsOf(await claim('one', 250)), []);
  });

  test(`DeliveryStore (${name}): deliveries are claimed by the types of their targets`, async (t) => {
    const { store } = await opened(t);
    const [mail, web] = [newDelivery({ targetType: 'email' }), newDelivery()];
    await store.add('one', [mail, web]);
    await store.add('two', [newDelivery()]);
    assert.deepEqual(await store.dueTenants(100, ['email']), ['one']);
    assert.deepEqual((await store.dueTenants(100, ['webhook', 'slack'])).sort(), ['one', 'two']);
    const query = { now: 100, leaseUntil: 100 + LEASE, limit: 10 };
    assert.deepEqual(idsOf(await store.claim('one', { ...query, types: ['email'] })), [mail.id]);
    assert.deepEqual(idsOf(await store.claim('one', { ...query, types: ['webhook', 'slack'] })), [web.id]);
  });

  test(`DeliveryStore (${name}): a clock that is set back delays no delivery`, async (t) => {
    const { store, claimOne } = await opened(t);
    await store.add('one', [newDelivery({ createdAt: 200_000 })]);
    assert.deepEqual(await store.dueTenants(199_000), [], 'the clocks of two processes may differ so much');
    assert.deepEqual(await store.dueTenants(100_500), ['one']);
    const { lease } = await claimOne('one', 100_500);
    assert.deepEqual(await store.dueTenants(100_500), [], 'it is claimed');
    await store.settle(lease, { state: 'waiting', at: 100_510, error: 'refused', dueAt: 100_600 });
    assert.deepEqual(await store.dueTenants(100_550), [], 'once it was tried, its own time counts');
    assert.deepEqual(await store.dueTenants(40_000), ['one']);
  });

  test(`DeliveryStore (${name}): a lease ends, and its holder can settle no more`, async (t) => {
    const { store, claim, claimOne } = await opened(t);
    await store.add('one', [newDelivery()]);
    const first = await claimOne('one', 100);
    assert.deepEqual(await store.dueTenants(100 + LEASE - 1), []);
    assert.equal(await store.nextDue(100), 100 + LEASE);
    assert.deepEqual(idsOf(await claim('one', 100 + LEASE - 1)), []);
    const second = await claimOne('one', 100 + LEASE);
    assert.ok(second.lease.fence > first.lease.fence);
    assert.equal(second.delivery.attempts, 0, 'an attempt without an end does not count');
    assert.equal(await store.settle(first.lease, { state: 'sent', at: 1_200 }), false);
    assert.equal(await store.release(first.lease, 1_200), false);
    assert.equal(await store.settle(second.lease, { state: 'sent', at: 1_300 }), true);
    assert.equal(await store.settle(second.lease, { state: 'sent', at: 1_400 }), false);
    assert.equal((await store.list('one', ALERT, 1))[0]?.finishedAt, 1_300);
  });

  test(`DeliveryStore (${name}): claims at the same time get different deliveries`, async (t) => {
    const { store, claim, at } = await opened(t);
    const beside = await opened(t, at);
    const all = Array.from({ length: 20 }, () => newDelivery());
    await store.add('one', all);
    const claims = await Promise.all([claim('one', 100, 7), claim('one', 100, 7), beside.claim('one', 100, 7)]);
    const ids = claims.flatMap(idsOf);
    assert.equal(ids.length, 20);
    assert.deepEqual(ids.sort(), all.map(({ id }) => id).sort());
  });

  test(`DeliveryStore (${name}): a failed attempt waits for its time, with its error`, async (t) => {
    const { store, claimOne } = await opened(t);
    const one = newDelivery();
    await store.add('one', [one]);
    const { lease } = await claimOne('one', 100);
    const settled = await store.settle(lease, { state: 'waiting', at: 110, error: 'answered 500', dueAt: 5_110 });
    assert.equal(settled, true);
    const [shown] = await store.list('one', ALERT, 1);
    assert.deepEqual(
      [shown?.state, shown?.attempts, shown?.error, shown?.attemptedAt, shown?.nextAttemptAt, shown?.finishedAt],
      ['waiting', 1, 'answered 500', 110, 5_110, null],
    );
    assert.deepEqual(await store.dueTenants(5_109), []);
    const again = await claimOne('one', 5_110);
    assert.deepEqual([again.delivery.attempts, again.sealedTarget, again.body], [1, one.sealedTarget, one.body]);
    await store.settle(again.lease, {
      state: 'waiting',
      at: 5_120,
      error: 'no',
      dueAt: 6_000,
      sealedTarget: 'v1.rest',
    });
    assert.equal((await claimOne('one', 6_000)).sealedTarget, 'v1.rest');
  });

  test(`DeliveryStore (${name}): finished deliveries leave a summary, and are pruned`, async (t) => {
    const { store, claimOne, claim } = await opened(t);
    const [sent, dead, waiting] = [newDelivery(), newDelivery(), newDelivery({ createdAt: 900 })];
    await store.add('one', [sent, dead, waiting]);
    await store.settle((await claimOne('one', 100)).lease, { state: 'sent', at: 110 });
    await store.settle((await claimOne('one', 100)).lease, { state: 'dead', at: 120, error: 'gone' });
    assert.deepEqual(await store.counts(), { waiting: 1, sent: 1, dead: 1 });
    const ofDead = { state: 'dead', limit: 10, offset: 0 } as const;
    const [letter, ...others] = (await store.page('one', ofDead)).items;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [letter?.id, letter?.state, letter?.error, letter?.attempts, letter?.title, letter?.place, letter?.finishedAt],
      [dead.id, 'dead', 'gone', 1, dead.title, dead.place, 120],
    );
    assert.deepEqual(await store.page('two', ofDead), { items: [], total: 0 });
    assert.equal((await store.page('one', { limit: 1, offset: 1 })).total, 3);
    assert.deepEqual(idsOf(await claim('one', 900)), [waiting.id], 'nothing finished is due');
    assert.equal(await store.prune(120), 1);
    assert.deepEqual(await store.counts(), { waiting: 1, sent: 0, dead: 1 });
    assert.equal(await store.prune(1_000_000), 1);
    assert.deepEqual(await store.counts(), { waiting: 1, sent: 0, dead: 0 });
  });

  test(`DeliveryStore (${name}): a message is kept once, until no delivery waits with it`, async (t) => {
    const { store, claim } = await opened(t);
    const body = '{"text":"é"}';
    const all = [newDelivery({ body, recipients: 20 }), newDelivery({ body }), newDelivery({ body, createdAt: 50 })];
    await store.add('one', all);
    await store.add('two', [newDelivery({ body })]);
    assert.deepEqual(await store.load('one', 50), { waiting: 3, bytes: 13, recipients: 21, oldest: 100 });
    const claimed = await claim('one', 100);
    assert.deepEqual(
      claimed.map((one) => one.body),
      [body, body, body],
    );
    await store.settle(claimed[0]!.lease, { state: 'sent', at: 110 });
    await store.settle(claimed[1]!.lease, { state: 'dead', at: 110, error: 'gone' });
    await store.settle(claimed[2]!.lease, { state: 'waiting', at: 110, error: 'no', dueAt: 200 });
    await store.prune(1, 1_000);
    assert.deepEqual(await store.load('one', 0), { waiting: 1, bytes: 13, recipients: 22, oldest: 50 });
    const [last] = await claim('one', 200);
    assert.equal(last?.body, body);
    await store.settle(last!.lease, { state: 'sent', at: 210 });
    assert.deepEqual(await store.load('one', 1_000), { waiting: 0, bytes: 0, recipients: 0, oldest: null });
    assert.equal((await store.load('two', 0)).bytes, 13);
    await store.erase('two');
    assert.equal((await store.load('two', 0)).bytes, 0);
  });

  test(`DeliveryStore (${name}): a source's are given up, but one under way`, async (t) => {
    const { store, claimOne } = await opened(t);
    const of = (id: string) => newDelivery({ source: { kind: 'alert', id } });
    await store.add('one', [of(ALERT.id)]);
    const { lease } = await claimOne('one', 100);
    await store.add('one', [of(ALERT.id), of('other')]);
    await store.giveUp('two', ALERT, { at: 105, error: 'of another tenant' });
    await store.giveUp('one', ALERT, { at: 110, error: 'its maker left' });
    const states = (await store.page('one', { limit: 10, offset: 0 })).items.map(({ state, error }) => [state, error]);
    assert.deepEqual(states, [
      ['waiting', null],
      ['dead', 'its maker left'],
      ['waiting', null],
    ]);
    assert.equal((await store.load('one', 0)).bytes, 2 * '{"title":"Too few orders"}'.length);
    assert.equal(await store.settle(lease, { state: 'sent', at: 120 }), true);
  });

  test(`DeliveryStore (${name}): a released delivery is due at once and counts no attempt`, async (t) => {
    const { store, claimOne } = await opened(t);
    await store.add('one', [newDelivery()]);
    const { lease, delivery } = await claimOne('one', 100);
    assert.equal(await store.release(lease, 150), true);
    assert.equal(await store.release(lease, 150), false);
    const again = await claimOne('one', 150);
    assert.deepEqual(again.delivery, { ...delivery, nextAttemptAt: null });
  });

  test(`DeliveryStore (${name}): everything is kept across a closing, leases too`, async (t) => {
    const { store, close, claimOne, at } = await opened(t);
    const [claimed, other] = [newDelivery(), newDelivery()];
    await store.add('one', [claimed, other]);
    const { lease } = await claimOne('one', 100);
    await close();
    const next = await opened(t, at);
    assert.deepEqual(idsOf(await next.claim('one', 200)), [other.id]);
    assert.equal(await next.store.settle(lease, { state: 'sent', at: 210 }), true);
  });

  test(`DeliveryStore (${name}): erasing a tenant removes its deliveries alone`, async (t) => {
    const { store, claimOne } = await opened(t);
    await store.add('one', [newDelivery(), newDelivery()]);
    await store.add('two', [newDelivery()]);
    const { lease } = await claimOne('one', 100);
    assert.equal(await store.erase('one'), 2);
    assert.equal(await store.settle(lease, { state: 'sent', at: 100 }), false);
    assert.deepEqual([await store.list('one', ALERT, 10), await store.erase('one')], [[], 0]);
    assert.deepEqual(await store.counts(), { waiting: 1, sent: 0, dead: 0 });
    assert.deepEqual(await store.dueTenants(100), ['two']);
  });
}
