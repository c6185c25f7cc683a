import assert from 'node:assert/strict';
import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick, setTimeout as sleep, setTimeout as wait } from 'node:timers/promises';
import type { DuckdbObserver } from '../../../../../src/storage/events/duckdb/observer.ts';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { FlushScheduler } from '../../../../../src/storage/events/duckdb/write/flush-scheduler.ts';
import type { Flusher } from '../../../../../src/storage/events/duckdb/write/flusher.ts';
import type { Spool } from '../../../../../src/storage/events/duckdb/write/spool.ts';
import { EVENTS_FILE } from '../../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';
import { fillArrivals } from '../filled.ts';

/** A scheduler with a mock clock, whose flushes the test completes. */
function scheduling(t: TestContext) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const begun: PromiseWithResolvers<null>[] = [];
  const scheduler = new FlushScheduler(
    {
      flusher: {
        flushAfter: async (_, onFlushed) => {
          begun.push(Promise.withResolvers<null>());
          onFlushed(await begun.at(-1)!.promise);
        },
      } as Pick<Flusher, 'flushAfter'> as Flusher,
      spool: { lastPosition: () => 0, arrivalAfter: (position: number) => 1_000 + position } as Spool,
      visible: 0,
      onFlushed: () => undefined,
      reopen: async () => undefined,
    },
    { onFault: () => undefined, onNotice: () => undefined } as never,
  );
  // Timers of node:timers/promises are real; the scheduler's are over after this pause.
  const pass = async (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 5; turn++) await nextTick();
    await sleep(5);
  };
  return { scheduler, begun, pass };
}

test('FlushScheduler: a delayed batch joins the next flush, later ones their own', async (t) => {
  const { scheduler, begun, pass } = scheduling(t);
  scheduler.appended(1, 1_000);
  await pass(300);
  assert.equal(begun.length, 0);
  scheduler.appended(2, 200);
  await pass(200);
  assert.equal(begun.length, 1);
  scheduler.appended(3, 1_000);
  begun[0]!.resolve(null);
  await pass(999);
  assert.equal(begun.length, 1);
  await pass(1);
  assert.equal(begun.length, 2);
});

test('FlushScheduler: waiting for an arrival during a flush takes one more flush', async (t) => {
  const { scheduler, begun, pass } = scheduling(t);
  scheduler.appended(1, 200);
  await pass(200);
  scheduler.appended(2, 1_000);
  const isVisible = scheduler.waitFor(2, 60_000);
  await pass(1);
  begun[0]!.resolve(null);
  await pass(1);
  await pass(1);
  assert.equal(begun.length, 2);
  begun[1]!.resolve(null);
  assert.equal(await isVisible, true);
});

test('FlushScheduler: appends do not speed up the retries of failed flushes', async (t) => {
  const { scheduler, begun, pass } = scheduling(t);
  scheduler.appended(1, 200);
  await pass(200);
  begun[0]!.reject(new Error('full'));
  await pass(1);
  scheduler.appended(2, 200);
  await pass(900);
  assert.equal(begun.length, 1);
  await pass(100);
  assert.equal(begun.length, 2);
});

test('FlushScheduler: is late two seconds after the promise, also while flushes fail', async (t) => {
  const { scheduler, begun, pass } = scheduling(t);
  assert.equal(scheduler.lateSince, null);
  // The caller allows a minute.
  scheduler.appended(1, 60_000);
  await pass(50_000);
  assert.equal(scheduler.lateSince, null);
  await pass(10_000);
  await pass(2_000);
  assert.deepEqual([begun.length, scheduler.lateSince], [1, null]);
  await pass(1);
  assert.equal(scheduler.lateSince, 1_000, 'the flush takes too long');
  scheduler.appended(2, 200);
  begun[0]!.resolve(null);
  await pass(1);
  assert.equal(scheduler.lateSince, null);
  await pass(200);
  begun[1]!.reject(new Error('full'));
  await pass(1);
  assert.equal(scheduler.lateSince, null, 'the next attempt may succeed in time');
  await pass(1_000);
  begun[2]!.reject(new Error('full'));
  await pass(1);
  await pass(1_000);
  assert.equal(scheduler.lateSince, 1_001);
  begun[3]!.resolve(null);
  await pass(1);
  assert.equal(scheduler.lateSince, null);
});

const opens = (directory: string, onStage: DuckdbObserver['onStage'] = () => undefined) =>
  DuckdbEventStore.open(storeOptions(directory), { onStage });

const BEYOND_ASCII = storedEvent({ properties: '{"text":"ça va 😀"}' });

/* A crash is simulated by a copy of the directory at a stage of the first flush. */
for (const at of ['flush:committing', 'flush:committed'] as const) {
  test(`Spool: the backlog is empty after a crash at ${at} and a restart`, async (t) => {
    const [directory, crashed] = [temporaryDirectory(t), temporaryDirectory(t)];
    let copied = false;
    const store = await opens(directory, (stage) => {
      if (stage !== at || copied) return;
      copied = true;
      cpSync(directory, crashed, { recursive: true });
    });
    t.after(() => store.close());
    const { receipt } = await store.append('t', [BEYOND_ASCII]);
    assert.equal(await store.waitFor(receipt, 5_000), true);

    const next = await opens(crashed);
    t.after(() => next.close());
    const { batches, bytes } = (await next.stats()).backlog;
    assert.deepEqual([copied, batches, bytes], [true, 0, 0]);
  });
}

test('Spool: the backlog is counted in bytes, not characters', async (t) => {
  const store = await opens(temporaryDirectory(t));
  t.after(() => store.close());
  await store.append('t', [BEYOND_ASCII]);
  assert.equal((await store.stats()).backlog.bytes, Buffer.byteLength(JSON.stringify([BEYOND_ASCII])));
});

/* Events with a long delay: an hour never passes within a test. */

const HOUR = 3_600_000;

async function opened(t: Parameters<typeof temporaryDirectory>[0]) {
  const flushes: number[] = [];
  const store = await DuckdbEventStore.open(storeOptions(temporaryDirectory(t)), {
    onNotice: (notice) => {
      if (notice.kind === 'flushed') flushes.push(notice.events);
    },
  });
  t.after(() => store.close());
  const flushed = async (events: number) => {
    while (flushes.reduce((sum, some) => sum + some, 0) < events) await wait(5);
    return flushes;
  };
  return { store, flushes, flushed };
}

test('DuckdbEventStore: events that may wait are flushed with the next urgent ones', async (t) => {
  const { store, flushes, flushed } = await opened(t);
  await store.append('t', [storedEvent()], HOUR);
  await store.append('t', [storedEvent()], HOUR);
  await wait(500);
  assert.deepEqual(flushes, []);
  await store.append('u', [storedEvent()]);
  assert.deepEqual(await flushed(3), [3]);
  await store.append('t', [storedEvent()], HOUR);
  await wait(500);
  assert.deepEqual(flushes, [3], 'what was moved hurries nobody who comes after it');
});

test('DuckdbEventStore: events that may wait are flushed when they are due', async (t) => {
  const { store, flushed } = await opened(t);
  await store.append('t', [storedEvent()], HOUR);
  await store.append('t', [storedEvent()], 300);
  assert.deepEqual(await flushed(2), [2]);
});

test('DuckdbEventStore: waitFor flushes events that may wait at once', async (t) => {
  const { store } = await opened(t);
  const { receipt } = await store.append('t', [storedEvent()], HOUR);
  assert.equal(await store.waitFor(receipt, 5_000), true);
  await store.append('t', [storedEvent()], HOUR);
  await store.settle();
  assert.equal((await store.stats()).backlog.batches, 0);
});

test('DuckdbEventStore: erasure frees disk space as docs/operation.md says', async (t) => {
  const directory = temporaryDirectory(t);
  const open = () => DuckdbEventStore.open(storeOptions(directory));
  const size = () => statSync(join(directory, EVENTS_FILE)).size;
  await fillArrivals({ directory, open, first: { tenantId: 't', event: storedEvent() } });
  const filled = size();
  const store = await open();
  t.after(() => store.close());
  assert.ok((await store.erase('t', {})) > 100_000);
  await store.close();
  assert.ok(size() < filled / 2, `${size()} of ${filled} bytes`);
});
