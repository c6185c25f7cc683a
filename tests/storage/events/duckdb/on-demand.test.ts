import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findCleanClose } from '../../../../src/storage/events/duckdb/closed-store.ts';
import { DuckdbEventStore } from '../../../../src/storage/events/duckdb/store.ts';
import { FORGET_INTERVAL_MS } from '../../../../src/storage/events/duckdb/write/caller-ids.ts';
import { EVENTS_LOG_FILE, SPOOL_FILE } from '../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { storeOptions } from '../../../support/event-store.ts';
import { eventually } from '../../../support/process.ts';
import { count, openResting, visible } from './resting.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const NEVER_MS = 3_600_000;

test('Events on demand: after a clean close the first call opens them, and no other', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await openResting(t, directory);
  assert.equal(first.openings(), 1, 'a new directory gets its files at once');
  await visible(first.store, [{}, {}]);
  await first.store.close();
  assert.ok(findCleanClose(directory));

  const { store, openings } = await openResting(t, directory);
  assert.equal(openings(), 0);
  assert.deepEqual(await Promise.all([count(store), count(store), store.settle()]), [2, 2, undefined]);
  assert.equal(openings(), 1);
  assert.equal(findCleanClose(directory), null, 'a kill from now on is no clean close');
});

test('Events on demand: at rest they are closed, and opened again with everything', async (t) => {
  const directory = temporaryDirectory(t);
  const { store, openings, rest, faults } = await openResting(t, directory);
  for (let round = 1; round <= 3; round++) {
    const first = storedEvent({ id: 'one', idFromCaller: true });
    assert.equal((await store.append('t', [first])).duplicates, round === 1 ? 0 : 1, 'ids of callers stay known');
    const { receipt } = await store.append('t', [storedEvent()], NEVER_MS);
    await rest();
    assert.ok(!existsSync(join(directory, EVENTS_LOG_FILE)));
    assert.equal(openings(), round);
    assert.equal(await store.waitFor(receipt, 0), true, 'receipts stay valid');
    assert.equal(await count(store), round + 1);
  }
  const target = join(directory, 'copy');
  mkdirSync(target);
  await rest();
  await store.copyTo(target);
  await rest();
  assert.equal(await store.erase('t', {}), 4);
  assert.deepEqual(faults, []);
  const copy = await openResting(t, target);
  assert.equal(copy.openings(), 1, 'a copy was not closed cleanly');
  assert.equal(await count(copy.store), 4);
});

test('Events on demand: calls during the closing are answered after it', async (t) => {
  const { store, openings, rest, instead } = await openResting(t, temporaryDirectory(t));
  await visible(store, [{}]);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<void>();
  instead.close = async (thread) => {
    begin();
    await promise;
    await thread.close();
  };
  const resting = rest();
  await begun;
  const calls = Promise.all([visible(store, [{}]), visible(store, [{ eventName: 'b' }]), store.ping()]);
  await nextTurn();
  assert.equal(openings(), 1);
  resolve();
  await Promise.all([resting, calls]);
  assert.deepEqual([await count(store), await count(store, 'b'), openings()], [2, 1, 2]);
});

test('Events on demand: readiness and statistics neither open them nor keep them open', async (t) => {
  const directory = temporaryDirectory(t);
  const { store, openings, rest } = await openResting(t, directory, { resultCacheBytes: 1e6 });
  await visible(store, [{ properties: '{"n":1}' }]);
  await count(store);
  await count(store);
  const open = await store.stats();
  assert.deepEqual([open.tenants, open.files!.learnedColumns, open.resultCache.hits], [1, 1, 1]);
  const resting = rest();
  let isClosed = false;
  resting.then(() => {
    isClosed = true;
  });
  while (!isClosed) await Promise.all([store.ping(), store.stats(), nextTurn()]);
  await store.ping();
  const closed = await store.stats();
  const { disk } = closed.files!;
  assert.ok(disk.events > 0 && disk.spool > 0);
  const files = { ...open.files, disk };
  assert.deepEqual(closed, { ...open, files, resultCache: { ...open.resultCache, bytes: 0 } });
  assert.equal(openings(), 1);
  await count(store);
  await count(store);
  assert.equal((await store.stats()).resultCache.hits, 2, 'a counter goes on');
  await store.close();

  const { store: next, openings: ofNext } = await openResting(t, directory, { backlogLimit: 7 });
  const started = await next.stats();
  assert.deepEqual([started.tenants, started.files!.learnedColumns, started.resultCache.hits], [1, 1, 0]);
  assert.deepEqual(started.backlog, { batches: 0, bytes: 0, limitBytes: 7 });
  assert.equal(ofNext(), 0);
});

test('Events on demand: at rest they are ready only if the spool could be written', async (t) => {
  const directory = temporaryDirectory(t);
  const { store, rest, openings } = await openResting(t, directory);
  await rest();
  await store.ping();
  const [spool, aside] = [join(directory, SPOOL_FILE), join(directory, 'aside')];
  renameSync(spool, aside);
  await assert.rejects(store.ping(), { code: 'unavailable' });
  assert.ok(!existsSync(spool));
  mkdirSync(spool);
  await assert.rejects(store.ping(), { code: 'unavailable' });
  rmSync(spool, { recursive: true });
  renameSync(aside, spool);
  await store.ping();
  assert.equal(openings(), 1);
});

test('Events on demand: a failed opening is unavailable, and repeated by the next call', async (t) => {
  const { store, rest, faults, instead, openings } = await openResting(t, temporaryDirectory(t));
  await visible(store, [{}]);
  await rest();
  const reason = new Error('no thread today');
  instead.open = () => Promise.reject(reason);
  for (const call of await Promise.allSettled([count(store), store.settle()])) {
    assert.ok(call.status === 'rejected' && call.reason.code === 'unavailable' && call.reason.cause === reason);
  }
  assert.deepEqual([faults, openings()], [[reason], 2]);
  await assert.rejects(store.ping(), { code: 'unavailable' }, 'readiness tries again too');
  const { failingSince, tenants } = await store.stats();
  assert.ok(failingSince !== null && tenants === 1);
  delete instead.open;
  await store.ping();
  assert.equal((await store.stats()).failingSince, null);
  assert.equal(await count(store), 1);
});

test('Events on demand: what was not closed cleanly is opened again at once', async (t) => {
  const { store, rest, faults, instead, openings } = await openResting(t, temporaryDirectory(t));
  await visible(store, [{}]);
  instead.close = async (thread) => {
    await thread.close();
    throw new Error('not closed');
  };
  await rest();
  delete instead.close;
  assert.deepEqual([openings(), faults.map(({ message }) => message)], [2, ['not closed']]);
  assert.equal(await count(store), 1);
  assert.equal(openings(), 2);
});

test('Events on demand: retention opens them only for tenants with expired events', async (t) => {
  const { store, rest, openings } = await openResting(t, temporaryDirectory(t));
  await visible(store, [{ timestamp: NOW }, { timestamp: NOW + 10, eventName: 'b' }]);
  await visible(store, [{ timestamp: NOW - 10 }], 'u');
  await rest();
  assert.deepEqual([await store.expire('t', NOW), await store.expire('nobody', NOW), openings()], [0, 0, 1]);
  assert.equal(await store.expire('u', NOW), 1);
  await rest();
  assert.equal(openings(), 2);
  assert.equal(await store.expire('u', NOW), 0);
  assert.equal(openings(), 2);
  assert.equal(await store.expire('t', NOW + 1), 1);
  await rest();
  assert.deepEqual([await store.expire('t', NOW + 10), openings()], [0, 3]);
});

test('Events on demand: expired ids of callers are forgotten at rest, too', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { store, rest, openings } = await openResting(t, temporaryDirectory(t), { dedupWindowMs: 1 });
  await visible(store, [{}]);
  await rest();
  t.mock.timers.tick(FORGET_INTERVAL_MS);
  await store.stats();
  assert.equal(openings(), 1, 'there is none');
  await visible(store, [{ id: 'one', idFromCaller: true }]);
  await rest();
  t.mock.timers.tick(FORGET_INTERVAL_MS);
  await eventually('they are opened', async () => openings() === 3, 10_000);
});

test('DuckdbEventStore: it is at rest once all is flushed and upkeep has nothing to do', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: NOW });
  const store = await DuckdbEventStore.open(storeOptions(temporaryDirectory(t)));
  t.after(() => store.close());
  const rests = async () => {
    // The interval of Maintenance, twice.
    t.mock.timers.tick(10_000);
    await eventually('it is at rest', () => store.isAtRest(), 10_000);
  };
  assert.equal(await store.isAtRest(), false, 'the file may have free space');
  await rests();
  const { receipt } = await store.append('t', [storedEvent()], NEVER_MS);
  assert.equal(await store.isAtRest(), false, 'events wait');
  await store.waitFor(receipt, 10_000);
  await rests();
  await store.append(
    't',
    Array.from({ length: 20_000 }, () => storedEvent()),
  );
  await store.settle();
  assert.equal(await store.isAtRest(), false, 'events are to be sorted');
  await rests();
  const { arrivals, runs } = (await store.stats()).files!;
  assert.deepEqual([arrivals, runs], [0, 1]);
});
