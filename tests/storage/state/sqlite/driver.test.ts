import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { StateDatabase, StateTransaction } from '../../../../src/storage/state/sql/database.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { syncsOf } from '../../../support/held-syncs.ts';
import { openStateWithTenants } from '../../../support/state.ts';

async function opened(t: TestContext) {
  const syncs = syncsOf(t);
  const database = await openStateWithTenants(temporaryDirectory(t));
  t.after(() => database.destroy());
  return { syncs, database };
}

const add = (database: StateDatabase | StateTransaction, id: string) =>
  database.insertInto('agents').values({ tenant_id: 'one', name: id, created_at: 0, created_by: null }).execute();

async function names(database: StateDatabase): Promise<string[]> {
  const rows = await database.selectFrom('agents').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 10; turn += 1) await nextTick();
  return (await Promise.race([promise, 'pending'])) === 'pending';
}

test('StateDriver: changes resolve once they are on disk, and reads go on', async (t) => {
  const { syncs, database } = await opened(t);
  syncs.hold();
  const changes = [add(database, 'a'), database.transaction().execute((transaction) => add(transaction, 'b'))];
  assert.ok(await isPending(Promise.race(changes)));
  assert.deepEqual(await names(database), ['a', 'b']);
  // The second transaction began during the sync of the first statement.
  assert.equal(syncs.held.length, 1);
  syncs.release();
  await Promise.all(changes);
});

test('StateDriver: others wait for an open transaction, also if it is rolled back', async (t) => {
  const { database } = await opened(t);
  const under = Promise.withResolvers<void>();
  const rolledBack = database.transaction().execute(async (transaction) => {
    await add(transaction, 'a');
    await under.promise;
    throw new Error('rolled back');
  });
  rolledBack.catch(() => undefined);
  for (let turn = 0; turn < 5; turn += 1) await nextTick();
  const [read, change] = [names(database), add(database, 'b')];
  assert.ok(await isPending(Promise.race([read, change])));
  under.resolve();
  await assert.rejects(rolledBack, /rolled back/);
  assert.deepEqual(await read, []);
  await change;
  assert.deepEqual(await names(database), ['b']);
});

test('StateDriver: a failed sync is an error of its transaction, and ends no other', async (t) => {
  const { syncs, database } = await opened(t);
  syncs.hold();
  const under = Promise.withResolvers<void>();
  const doubtful = database.transaction().execute((transaction) => add(transaction, 'a'));
  const next = database.transaction().execute(async (transaction) => {
    await add(transaction, 'b');
    await under.promise;
  });
  next.catch(() => undefined);
  assert.ok(await isPending(doubtful));
  syncs.fail();
  await assert.rejects(doubtful, { code: 'unavailable', message: /unknown whether this change was kept/ });
  syncs.release();
  under.resolve();
  await assert.rejects(next, { code: 'unavailable' }, 'its commit followed the failed sync');
  await add(database, 'c');
  assert.deepEqual(await names(database), ['a', 'b', 'c']);
});
