import assert from 'node:assert/strict';
import { cpSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { SPOOL_FILE } from '../../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';
import { syncsOf } from '../../../../support/held-syncs.ts';

async function opened(t: TestContext, directory: string) {
  const store = await DuckdbEventStore.open(storeOptions(directory));
  t.after(() => store.close());
  const count = async () => (await store.knownEvents('t', null)).reduce((sum, { events }) => sum + events, 0);
  return { store, count };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTick();
}

test('Spool: a batch is neither acknowledged nor visible before it is durable', async (t) => {
  const syncs = syncsOf(t);
  const { store, count } = await opened(t, temporaryDirectory(t));
  await store.append('t', [storedEvent()]);
  syncs.hold();
  let acknowledged = 0;
  const appended = [store.append('t', [storedEvent()]), store.append('t', [storedEvent()])];
  for (const one of appended) void one.then(() => acknowledged++);
  await turns();
  await store.settle();
  assert.deepEqual([acknowledged, await count()], [0, 1]);
  syncs.end();
  await Promise.all(appended);
  await store.settle();
  assert.equal(await count(), 3);
});

test('Spool: a batch in doubt is erased with its tenant', async (t) => {
  const syncs = syncsOf(t);
  const { store, count } = await opened(t, temporaryDirectory(t));
  syncs.hold();
  const doubtful = store.append('t', [storedEvent()]);
  void doubtful.catch(() => undefined);
  await turns();
  syncs.fail();
  await assert.rejects(doubtful, { code: 'unavailable', message: /unknown whether/ });
  syncs.release();
  assert.equal(await store.erase('t', {}), 1);
  await store.append('other', [storedEvent()]);
  await store.settle();
  assert.equal(await count(), 0);
});

test('Spool: positions given again after a power failure are not skipped', async (t) => {
  const syncs = syncsOf(t);
  const [directory, copy] = [temporaryDirectory(t), temporaryDirectory(t)];
  const { store, count } = await opened(t, directory);
  const id = 'an id of the caller';
  await store.append('t', [storedEvent()]);
  await store.settle();
  // A later sync may keep what was discarded, so that the log grows.
  await store.append('t', [storedEvent()]);
  const synced = statSync(`${join(directory, SPOOL_FILE)}-wal`).size;
  syncs.hold();
  const lost = store.append('t', [storedEvent({ id, idFromCaller: true })]);
  await turns();
  await store.settle();
  assert.equal(await count(), 2);
  cpSync(directory, copy, { recursive: true });
  truncateSync(`${join(copy, SPOOL_FILE)}-wal`, synced);
  const after = await opened(t, copy);
  assert.equal(await after.count(), 2);
  syncs.release();
  const { duplicates } = await after.store.append('t', [storedEvent({ id, idFromCaller: true })]);
  await after.store.settle();
  assert.deepEqual([duplicates, await after.count()], [0, 3]);
  await lost;
});

test('Spool: a batch whose sync failed is stored once when repeated', async (t) => {
  const syncs = syncsOf(t);
  const { store, count } = await opened(t, temporaryDirectory(t));
  const event = storedEvent({ id: 'an id of the caller', idFromCaller: true });
  syncs.hold();
  const doubtful = store.append('t', [event]).catch((error: unknown) => error);
  await turns();
  syncs.fail();
  assert.match(String(await doubtful), /unknown whether this change was kept/);
  syncs.release();
  const { duplicates } = await store.append('t', [event]);
  await store.settle();
  assert.deepEqual([duplicates, await count()], [1, 1]);
});
