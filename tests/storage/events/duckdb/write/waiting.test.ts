import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';

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
