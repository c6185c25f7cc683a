import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SealingRotation } from '../../../../src/core/base/sealing/rotation.ts';
import { deliveryPlace, sealTarget, type Target, unsealTarget } from '../../../../src/core/watch/deliveries/targets.ts';
import { StoredKeyRing } from '../../../../src/storage/installation/key-ring.ts';
import { STATE_FILE } from '../../../../src/storage/installation/names.ts';
import { insertDeliveries, SqlDeliveryStore } from '../../../../src/storage/state/sql/alerts/deliveries.ts';
import { SqlDigestStore } from '../../../../src/storage/state/sql/alerts/digests.ts';
import { SqlSealedRows } from '../../../../src/storage/state/sql/sealed-rows.ts';
import { SqlTenantStore } from '../../../../src/storage/state/sql/tenants.ts';
import { examineState, examineStateRows } from '../../../../src/storage/state/sqlite/examine/state.ts';
import { ALERT, newDelivery, testDeliveryStore } from '../../../contracts/delivery-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { assertThrifty, statementsOf } from '../../../support/plans.ts';
import { openStateWithTenants, stateBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({ store: new SqlDeliveryStore(database) })))
  testDeliveryStore(backend);

const TARGET: Target = { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/a-secret' };

async function opened(t: TestContext) {
  const directory = temporaryDirectory(t);
  const database = await openStateWithTenants(directory);
  t.after(() => database.destroy());
  return { directory, database, store: new SqlDeliveryStore(database) };
}

test('SqlDeliveryStore: a change and its deliveries are one commit', async (t) => {
  const { database, store } = await opened(t);
  const change = (fails: boolean) =>
    database.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('installation')
        .values({ fact: `changed ${fails}`, at: 1 })
        .execute();
      await insertDeliveries(transaction, 'one', [newDelivery(), newDelivery()]);
      if (fails) throw new Error('the change failed');
    });
  await assert.rejects(change(true), /the change failed/);
  assert.deepEqual(await store.counts(), { waiting: 0, sent: 0, dead: 0 });
  await change(false);
  assert.deepEqual(await store.counts(), { waiting: 2, sent: 0, dead: 0 });
});

test('SqlDeliveryStore: finished deliveries hold no target, and their message goes', async (t) => {
  const { directory, database, store } = await opened(t);
  await store.add('one', [newDelivery({ body: '{"a":"private words"}' }), newDelivery()]);
  const [sent, dead] = await store.claim('one', { now: 100, leaseUntil: 200, limit: 2 });
  await store.settle(sent!.lease, { state: 'sent', at: 100 });
  await store.settle(dead!.lease, { state: 'dead', at: 100, error: 'gone' });
  const rows = await database.selectFrom('deliveries').select('target').execute();
  assert.deepEqual(rows, Array(2).fill({ target: null }));
  assert.deepEqual(await database.selectFrom('delivery_messages').selectAll().execute(), []);
  assert.deepEqual((await examineStateRows(directory)).sealedTexts, []);
  assert.deepEqual(await examineState(directory, { thorough: true, mustHoldSomething: () => true }), {
    tenants: 2,
    keys: 0,
  });
});

test('SqlDeliveryStore: a large message goes where its deliveries are refused', async (t) => {
  const { database, store } = await opened(t);
  const body = JSON.stringify('😀é\u0000'.repeat(200_001));
  const messages = () => database.selectFrom('delivery_messages').select('part').execute();
  assert.equal(await store.add('nobody', [newDelivery({ body })]), 'unknown tenant');
  const digests = new SqlDigestStore(database);
  const digest = { id: 'd', tenantId: 'one', revision: 7 };
  const settlement = { at: 1, lastSent: null, nextDue: null, deliveries: [newDelivery({ body })] };
  assert.equal(await digests.settle(digest, settlement), false);
  assert.deepEqual(await messages(), []);
  await store.add('one', [newDelivery({ body }), newDelivery()]);
  assert.ok((await messages()).length > 2);
  const [claimed] = await store.claim('one', { now: 100, leaseUntil: 200, limit: 1 });
  assert.ok(claimed?.body === body);
});

test('SqlDeliveryStore: an owner that starts releases what a killed one had leased', async (t) => {
  const { database, store } = await opened(t);
  const killed = new SqlDeliveryStore(database);
  await store.add('one', [newDelivery()]);
  const [claimed] = await killed.claim('one', { now: 100, leaseUntil: 60_100, limit: 1 });
  await store.releaseAbandoned(150);
  assert.deepEqual(await store.dueTenants(150), ['one']);
  assert.equal(await store.settle(claimed!.lease, { state: 'sent', at: 160 }), false);
});

test('SqlDeliveryStore: deliveries go with their tenant', async (t) => {
  const { database, store } = await opened(t);
  await store.add('one', [newDelivery()]);
  await store.add('two', [newDelivery()]);
  await new SqlTenantStore(database).remove('one');
  assert.deepEqual((await store.list('two', ALERT, 5)).length, 1);
  assert.deepEqual(await store.counts(), { waiting: 1, sent: 0, dead: 0 });
});

test('SealingRotation: targets of waiting deliveries are sealed anew', async (t) => {
  const { directory, database, store } = await opened(t);
  const rows = new SqlSealedRows(database);
  const ring = new StoredKeyRing({ dataDir: directory });
  const seal = async (id: string) => sealTarget(await ring.active(), TARGET, deliveryPlace('one', id));
  const all = await Promise.all(
    ['a', 'b'].map(async (id) => newDelivery({ id, targetType: 'slack', sealedTarget: await seal(id) })),
  );
  await store.add('one', all);
  const [claimed] = await store.claim('one', { now: 100, leaseUntil: 200, limit: 1 });
  const audit = { record: async () => undefined };
  const rotation = new SealingRotation({ ring, rows, audit, now: Date.now });
  assert.deepEqual((await rotation.rotate()).resealed, 2);
  const { resealed, unopened } = await rotation.rotate({ forgetRetired: true });
  assert.deepEqual([resealed, unopened], [2, []]);
  const { sealedTexts: sealed } = await examineStateRows(directory);
  assert.equal(new Set([...sealed, ...all.map(({ sealedTarget }) => sealedTarget)]).size, 4);
  // The attempt that was under way has the former text, and settles its row.
  assert.equal(await store.settle(claimed!.lease, { state: 'waiting', at: 100, error: 'no', dueAt: 100 }), true);
  for (const { delivery, sealedTarget } of await store.claim('one', { now: 100, leaseUntil: 200, limit: 2 })) {
    assert.deepEqual(unsealTarget(ring, sealedTarget, deliveryPlace('one', delivery.id)), TARGET);
    assert.throws(
      () => unsealTarget(ring, sealedTarget, deliveryPlace('two', delivery.id)),
      /belongs to something else/,
    );
  }
});

test('examineStateRows: finds those of deliveries, alerts and digests', async (t) => {
  const { directory, database, store } = await opened(t);
  await store.add('one', [newDelivery({ sealedTarget: 'of a delivery' })]);
  const row = { tenant_id: 'one', agent_id: null, definition: '{}', revision: 0, checked_at: null, next_due: null };
  const made = { created_at: 1, updated_at: 1, created_by: 'test' };
  for (const [id, targets] of [
    ['a', 'of one'],
    ['b', null],
  ] as const) {
    const alert = { ...row, ...made, id, targets, state: 'ok' as const, memory: '{}', last_check: null };
    await database.insertInto('alerts').values(alert).execute();
    await database
      .insertInto('digests')
      .values({ ...row, ...made, id, targets, last_sent: null })
      .execute();
  }
  assert.deepEqual((await examineStateRows(directory)).sealedTexts, ['of one', 'of one', 'of a delivery']);
});

test('deliveries: every statement uses an index, in its order', async (t) => {
  const { directory, store } = await opened(t);
  const texts = await statementsOf(async () => {
    await store.add('one', [newDelivery()]);
    await store.dueTenants(100);
    await store.nextDue(100);
    const [claimed] = await store.claim('one', { now: 100, leaseUntil: 200, limit: 1 });
    await store.release(claimed!.lease, 100);
    await store.list('one', ALERT, 10);
    await store.page('one', { state: 'dead', limit: 10, offset: 0 });
    await store.counts();
    await store.load('one', 0);
    await store.settle((await store.claim('one', { now: 100, leaseUntil: 200, limit: 1 }))[0]!.lease, {
      state: 'sent',
      at: 100,
    });
    await store.prune(100);
    await store.erase('one');
  });
  assert.equal(texts.length, 18, texts.join('\n'));
  const wasteful = /^SCAN (?!CONSTANT|tenant$|deliveries USING COVERING INDEX)|TEMP B-TREE|AUTOMATIC/;
  assertThrifty(join(directory, STATE_FILE), texts, wasteful);
});
