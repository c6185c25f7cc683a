import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import type { SendOutcome } from '../../../../src/core/watch/deliveries/message.ts';
import type { Target } from '../../../../src/core/watch/deliveries/targets.ts';
import { SqlDeliveryStore } from '../../../../src/storage/state/sql/alerts/deliveries.ts';
import { settled } from '../../../support/clock.ts';
import { clockedClose, dispatching, HANGS, MESSAGE, RETRY, SENT, WEBHOOK } from './support.ts';

const MAIL: Target = { type: 'email', to: ['ana@example.com'] };

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

test('DeliveryDispatcher: a new delivery is sent at once, and once', async (t) => {
  const { clock, add, sent, outcomes, state } = await dispatching(t);
  const [id] = await add();
  await clock.advance(HOUR);
  assert.deepEqual(sent, [{ id, tenantId: 'one', at: 0, target: WEBHOOK, message: MESSAGE }]);
  const delivery = await state();
  assert.deepEqual([delivery?.state, delivery?.attempts, delivery?.error], ['sent', 1, null]);
  assert.deepEqual(outcomes, [{ delivery, outcome: { kind: 'sent', ms: 0 } }]);
});

test('DeliveryDispatcher: nine attempts with one id, then a dead letter', async (t) => {
  const { clock, add, sent, outcomes, state, store } = await dispatching(t, () => RETRY);
  const [id] = await add();
  await clock.advance(0);
  const first = await state();
  assert.deepEqual([first?.state, first?.attempts, first?.nextAttemptAt], ['waiting', 1, clock.time + 5 * SECOND]);
  await clock.advance(48 * HOUR);
  const delays = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, 24 * HOUR];
  assert.deepEqual(
    sent.map(({ at }, index) => at - (sent[index - 1]?.at ?? 0)),
    [0, ...delays],
  );
  assert.deepEqual([...new Set(sent.map((one) => one.id))], [id]);
  const dead = await state();
  assert.deepEqual([dead?.state, dead?.attempts, dead?.error], ['dead', 9, RETRY.error]);
  assert.deepEqual((await store.page('one', { state: 'dead', limit: 5, offset: 0 })).items, [dead]);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome.kind),
    [...Array(8).fill('failed'), 'dead'],
  );
  assert.deepEqual(outcomes.at(-1)?.delivery, dead);
});

test('DeliveryDispatcher: a delivery that fails and then succeeds is settled once', async (t) => {
  const { clock, add, sent, outcomes, state } = await dispatching(t, (_, count) => (count < 3 ? RETRY : SENT));
  await add();
  await clock.advance(HOUR);
  assert.deepEqual([sent.length, (await state())?.state, (await state())?.attempts], [3, 'sent', 3]);
  const nextAttemptAt = clock.time - HOUR + 5 * SECOND;
  assert.deepEqual(outcomes[0]?.outcome, { kind: 'failed', ms: 0, error: RETRY.error, nextAttemptAt });
});

test('DeliveryDispatcher: a receiver says when to come again', async (t) => {
  const { clock, add, sent } = await dispatching(t, () => ({ ...RETRY, retryAfterMs: 90 * SECOND }));
  await add();
  await clock.advance(5 * MINUTE);
  assert.deepEqual(
    sent.map(({ at }) => at),
    [0, 90 * SECOND, 180 * SECOND, 300 * SECOND],
  );
});

test('DeliveryDispatcher: what no attempt can change is dead at once', async (t) => {
  const { clock, add, sent, state } = await dispatching(t, () => ({ kind: 'dead', error: 'it answered with 410' }));
  await add();
  await clock.advance(HOUR);
  assert.deepEqual([sent.length, (await state())?.state, (await state())?.error], [1, 'dead', 'it answered with 410']);
});

test('DeliveryDispatcher: a mail server has five minutes to take a message', async (t) => {
  const { dispatcher, clock, add, state } = await dispatching(t, () => HANGS);
  await add('one', [{ type: 'email', to: ['ana@example.com'] }]);
  dispatcher.wake();
  await clock.advance(5 * MINUTE - 1);
  assert.equal((await state())?.attempts, 0);
  await clock.advance(1);
  assert.deepEqual([(await state())?.attempts, (await state())?.error], [1, 'No answer within 300 s.']);
});

test('DeliveryDispatcher: an attempt ends after 15 seconds', async (t) => {
  const { clock, add, sent, state } = await dispatching(t, () => HANGS);
  await add();
  await clock.advance(14_999);
  assert.deepEqual([sent.length, (await state())?.attempts, (await state())?.nextAttemptAt], [1, 0, null]);
  await clock.advance(1);
  assert.deepEqual([(await state())?.attempts, (await state())?.error], [1, 'No answer within 15 s.']);
});

test('DeliveryDispatcher: a sender that ignores its signal does not hold the slot', async (t) => {
  const { clock, add, state } = await dispatching(t, () => () => new Promise(() => undefined));
  await add();
  await clock.advance(15 * SECOND);
  assert.equal((await state())?.attempts, 1);
});

test('DeliveryDispatcher: a hanging sink of one tenant delays no other tenant', async (t) => {
  const { clock, add, sent } = await dispatching(t, ({ tenantId }) => (tenantId === 'one' ? HANGS : SENT));
  for (let index = 0; index < 20; index += 1) await add('one');
  await clock.advance(0);
  for (let index = 0; index < 20; index += 1) await add('two');
  await clock.advance(0);
  const of = (tenantId: string) => sent.filter((one) => one.tenantId === tenantId);
  assert.deepEqual([of('one').length, of('two').length], [2, 20]);
  assert.ok(of('two').every(({ at }) => at === 0));
});

test('DeliveryDispatcher: with nothing due it sleeps until the next, a minute at most', async (t) => {
  const { clock, add, store } = await dispatching(t, () => RETRY);
  let asked = 0;
  const { dueTenants } = store;
  store.dueTenants = (now) => {
    asked += 1;
    return dueTenants.call(store, now);
  };
  await add();
  await settled();
  assert.deepEqual(clock.set, [5 * SECOND]);
  await clock.advance(5 * SECOND);
  await clock.advance(30 * SECOND);
  assert.deepEqual(clock.set, [MINUTE], 'two minutes to the fourth attempt');
  asked = 0;
  await clock.advance(MINUTE);
  assert.deepEqual([asked, clock.set], [2, [MINUTE]], 'once for e-mails, once for the others');
});

test('DeliveryDispatcher: a mail server that hangs holds back e-mails alone', async (t) => {
  const { clock, add, sent } = await dispatching(t, ({ target }) => (target.type === 'email' ? HANGS : SENT));
  for (const tenantId of ['one', 'two', 'one', 'two', 'one', 'two']) await add(tenantId, [MAIL]);
  await clock.advance(0);
  await add('one', [MAIL, WEBHOOK]);
  await add('two', [WEBHOOK, MAIL]);
  await clock.advance(0);
  const to = (type: Target['type']) => sent.filter(({ target }) => target.type === type).length;
  assert.deepEqual([to('email'), to('webhook')], [4, 2]);
});

test('DeliveryDispatcher: all e-mail pauses for a minute after three timeouts in a row', async (t) => {
  const late: SendOutcome = { ...RETRY, timedOut: true };
  const answers = [late, SENT, late, late, late];
  const { clock, add, sent } = await dispatching(t, (_, count) => answers[count - 1] ?? SENT);
  for (let index = 0; index < 5; index += 1) {
    await add('one', [MAIL]);
    await clock.advance(0);
  }
  assert.equal(sent.length, 5);
  await add('two', [MAIL, WEBHOOK]);
  await clock.advance(MINUTE - 1);
  assert.deepEqual(
    sent.slice(5).map(({ target }) => target.type),
    ['webhook'],
  );
  await clock.advance(1);
  assert.equal(sent.length, 11, 'the new one and four that wait for another attempt');
});

test('DeliveryDispatcher: a defect of a sender is reported, and tried again', async (t) => {
  const { clock, add, errors, state, sent } = await dispatching(t, (_, count) => async () => {
    if (count === 1) throw new TypeError('a defect with a whsec_secret');
    return SENT;
  });
  await add();
  await clock.advance(0);
  assert.equal((await state())?.error, 'The message could not be sent: internal error.');
  assert.match(String(errors[0]), /a defect/);
  await clock.advance(MINUTE);
  assert.deepEqual([sent.length, (await state())?.state], [2, 'sent']);
});

test('DeliveryDispatcher: an error is kept to 500 characters', async (t) => {
  const { clock, add, state } = await dispatching(t, () => ({ kind: 'dead', error: `${'a'.repeat(499)}😀` }));
  await add();
  await clock.advance(0);
  assert.equal((await state())?.error, `${'a'.repeat(499)}\ufffd`);
});

test('DeliveryDispatcher: only those recipients get the next attempt that refused it', async (t) => {
  const rest = { type: 'email', to: ['bob@example.com'] } as const;
  const { clock, add, sent } = await dispatching(t, (_, count) =>
    count === 1 ? { kind: 'retry', error: 'not now', rest: { ...rest, to: [...rest.to] } } : SENT,
  );
  await add('one', [{ type: 'email', to: ['ana@example.com', 'bob@example.com'] }]);
  await clock.advance(MINUTE);
  assert.deepEqual(
    sent.map(({ target }) => target),
    [{ type: 'email', to: ['ana@example.com', 'bob@example.com'] }, rest],
  );
});

test('DeliveryDispatcher: a target that does not open is tried again', async (t) => {
  const { clock, add, sent, state, database } = await dispatching(t);
  const [id] = await add('one', [WEBHOOK, WEBHOOK]);
  await clock.advance(0);
  assert.equal(sent.length, 2);
  const { sealed } = await database
    .selectFrom('deliveries')
    .select('target as sealed')
    .where('id', '=', id!)
    .executeTakeFirstOrThrow();
  assert.equal(sealed, null);
  const [other] = await add();
  await database.updateTable('deliveries').set({ target: 'v1.AAAAAAAA.AAAA' }).where('id', '=', other!).execute();
  await clock.advance(0);
  assert.equal((await state())?.state, 'waiting');
  assert.match((await state())?.error ?? '', /^The stored target was sealed with another key/);
});

test('DeliveryDispatcher: the row is settled before the next attempt, however late', async (t) => {
  const { clock, add, sent, errors, outcomes, store, state } = await dispatching(t);
  const { settle } = store;
  let full = true;
  store.settle = async (...args) => {
    if (full) throw new RuntimeError('unavailable', 'the disk is full');
    return settle.apply(store, args);
  };
  await add();
  await clock.advance(5 * MINUTE);
  assert.deepEqual([sent.length, outcomes.length, (await state())?.state], [1, 0, 'waiting']);
  assert.ok(errors.length > 100);
  full = false;
  await clock.advance(MINUTE);
  assert.deepEqual([sent.length, outcomes.length, (await state())?.state], [1, 1, 'sent']);
});

test('DeliveryDispatcher: a store that fails is asked again after a while', async (t) => {
  const { clock, add, sent, errors, store } = await dispatching(t);
  const { claim } = store;
  let failures = 3;
  store.claim = async (...args) => {
    failures -= 1;
    if (failures >= 0) throw new RuntimeError('unavailable', 'the disk is full');
    return claim.apply(store, args);
  };
  await add();
  await clock.advance(MINUTE);
  assert.deepEqual([sent.length, errors.length], [1, 3]);
});

test('DeliveryDispatcher: closing lets attempts end for two seconds, then stops them', async (t) => {
  const { clock, add, sent, dispatcher, store, make } = await dispatching(t, (_, count) =>
    count === 1 ? HANGS : SENT,
  );
  const [id] = await add();
  await clock.advance(SECOND);
  let closed = false;
  const closing = dispatcher.close().then(() => {
    closed = true;
  });
  await clock.advance(1_999);
  assert.equal(closed, false);
  await clock.advance(1);
  await closing;
  assert.deepEqual(clock.set, []);
  assert.deepEqual(await store.dueTenants(clock.time), ['one'], 'it is due at the next start');
  dispatcher.wake();
  await clock.advance(MINUTE);
  assert.equal(sent.length, 1, 'a closed dispatcher begins nothing');
  const next = make();
  next.wake();
  await clock.advance(0);
  assert.deepEqual(
    sent.map((one) => one.id),
    [id, id],
  );
  await clockedClose(next, clock);
});

test('DeliveryDispatcher: a start resumes what a killed process had begun', async (t) => {
  const { clock, store, database, deliveries, sent, make } = await dispatching(t);
  const prepared = await deliveries.prepare(
    'one',
    { kind: 'digest', id: 'd' },
    { targets: [WEBHOOK], message: MESSAGE },
  );
  await store.add('one', prepared);
  const killed = new SqlDeliveryStore(database);
  await killed.claim('one', { now: clock.time, leaseUntil: clock.time + HOUR, limit: 5 });
  const next = make();
  next.wake();
  await clock.advance(0);
  assert.deepEqual(
    sent.map(({ id }) => id),
    [prepared[0]?.id],
  );
  await clockedClose(next, clock);
});

test('DeliveryDispatcher: an erasure stops the attempts of its tenant alone', async (t) => {
  const blocked = new Set<string>();
  const tenants = { isBlocked: (tenantId: string) => blocked.has(tenantId) };
  const { clock, add, sent, dispatcher, store, outcomes } = await dispatching(t, () => HANGS, { tenants });
  await add('one');
  await add('two');
  await clock.advance(SECOND);
  blocked.add('one');
  await dispatcher.abort('one');
  assert.equal(await store.erase('one'), 1);
  await add('one');
  await clock.advance(SECOND);
  assert.equal(sent.length, 2, 'nothing of a blocked tenant begins');
  assert.deepEqual(outcomes, []);
  assert.equal((await store.list('two', { kind: 'alert', id: 'an-alert' }, 1))[0]?.attempts, 0);
});

test('DeliveryDispatcher: finished deliveries are removed after thirty days', async (t) => {
  const { clock, add, store } = await dispatching(t);
  await add();
  await clock.advance(0);
  const day = 24 * HOUR;
  clock.time += 30 * day - HOUR;
  await clock.advance(0);
  assert.deepEqual(await store.counts(), { waiting: 0, sent: 1, dead: 0 });
  await clock.advance(2 * HOUR);
  assert.deepEqual(await store.counts(), { waiting: 0, sent: 0, dead: 0 });
});

test('DeliveryDispatcher: exceptions of its timers, callbacks and store end nothing', async (t) => {
  const { clock, add, sent, state, errors, store } = await dispatching(t, () => SENT, {
    onOutcome: () => {
      throw new TypeError('a defect of the metrics');
    },
  });
  await add();
  await clock.advance(0);
  assert.deepEqual([(await state())?.state, String(errors[0])], ['sent', 'TypeError: a defect of the metrics']);
  t.mock.method(store, 'nextDue', () => {
    throw new TypeError('a defect of the store');
  });
  await add();
  await clock.advance(0);
  assert.match(String(errors.at(-1)), /a defect of the (store|metrics)/);
  t.mock.restoreAll();
  await clock.advance(MINUTE);
  await add();
  await clock.advance(0);
  assert.equal(sent.length, 3);
});
