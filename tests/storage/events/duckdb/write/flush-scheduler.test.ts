import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { FlushScheduler } from '../../../../../src/storage/events/duckdb/write/flush-scheduler.ts';
import type { Flusher } from '../../../../../src/storage/events/duckdb/write/flusher.ts';
import type { Spool } from '../../../../../src/storage/events/duckdb/write/spool.ts';

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
