import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PeriodicTask } from '../../../../src/core/base/concurrency/timers.ts';
import { FakeClock } from '../../../support/clock.ts';

test('PeriodicTask: runs one at a time, after failures too, until it is closed', async () => {
  const clock = new FakeClock();
  const errors: unknown[] = [];
  const begun: (() => void)[] = [];
  const run = async () => {
    await new Promise<void>((resolve) => begun.push(resolve));
    throw new Error(`run ${begun.length}`);
  };
  const task = new PeriodicTask({
    firstMs: 10,
    everyMs: 100,
    run,
    timers: clock,
    onError: (error) => errors.push(error),
  });
  await clock.advance(10);
  assert.equal(begun.length, 1);
  await clock.advance(300);
  assert.equal(begun.length, 1, 'the first run lasts');
  begun[0]!();
  await nextTurn();
  await clock.advance(100);
  assert.equal(begun.length, 2);
  let isClosed = false;
  const closing = task.close().then(() => {
    isClosed = true;
  });
  await clock.advance(300);
  assert.deepEqual([isClosed, begun.length], [false, 2], 'closing waits for the run');
  begun[1]!();
  await closing;
  assert.deepEqual(errors.map(String), ['Error: run 1', 'Error: run 2']);
});
