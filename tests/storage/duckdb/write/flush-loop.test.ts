import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { FlushLoop } from '../../../../src/storage/duckdb/write/flush-scheduler.ts';
import type { Flusher } from '../../../../src/storage/duckdb/write/flusher.ts';
import type { Spool } from '../../../../src/storage/duckdb/write/spool.ts';

/** A loop whose flushes a test lets end, over a clock that it sets on. */
function looping(t: TestContext) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const begun: PromiseWithResolvers<null>[] = [];
  const loop = new FlushLoop(
    {
      flusher: {
        flushAfter: () => {
          begun.push(Promise.withResolvers<null>());
          return begun.at(-1)!.promise;
        },
      } as unknown as Flusher,
      spool: { lastPosition: () => 0 } as Spool,
      visible: 0,
      onFlushed: () => undefined,
      recover: async () => undefined,
    },
    { onFault: () => undefined, onNotice: () => undefined } as never,
  );
  // The timers of promises are real; what the loop waits for there is over before this.
  const pass = async (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    await sleep(5);
  };
  return { loop, begun, pass };
}

test('what may wait is moved with what follows, and what comes during a flush in its own time', async (t) => {
  const { loop, begun, pass } = looping(t);
  loop.appended(1, 1_000);
  await pass(300);
  assert.equal(begun.length, 0);
  loop.appended(2, 200);
  await pass(200);
  assert.equal(begun.length, 1);
  loop.appended(3, 1_000);
  begun[0]!.resolve(null);
  await pass(999);
  assert.equal(begun.length, 1);
  await pass(1);
  assert.equal(begun.length, 2);
});

test('whoever waits for what came during a flush waits for no more than the next', async (t) => {
  const { loop, begun, pass } = looping(t);
  loop.appended(1, 200);
  await pass(200);
  loop.appended(2, 1_000);
  const isVisible = loop.waitFor(2, 60_000);
  await pass(1);
  begun[0]!.resolve(null);
  await pass(1);
  await pass(1);
  assert.equal(begun.length, 2);
  begun[1]!.resolve(null);
  assert.equal(await isVisible, true);
});

test('what is appended while flushes fail has none of them tried sooner', async (t) => {
  const { loop, begun, pass } = looping(t);
  loop.appended(1, 200);
  await pass(200);
  begun[0]!.reject(new Error('full'));
  await pass(1);
  loop.appended(2, 200);
  await pass(900);
  assert.equal(begun.length, 1);
  await pass(100);
  assert.equal(begun.length, 2);
});
