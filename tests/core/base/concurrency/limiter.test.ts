import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { KeyedLimiter, Limiter } from '../../../../src/core/base/concurrency/limiter.ts';

function controlled() {
  let inside = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise<void>((resolve) => ends.push(resolve));
    inside -= 1;
  };
  return { work, ends, count: () => ({ inside, most }) };
}

test('Limiter: some tasks run, some wait, and others are rejected as unavailable', async () => {
  const gate = new Limiter({ concurrency: 2, maxQueue: 3, rejection: 'Too many.' });
  const { work, ends, count } = controlled();
  const passing = Array.from({ length: 5 }, () => gate.run(work));
  await assert.rejects(gate.run(work), { code: 'unavailable', retryAfter: 1 });
  assert.equal(count().inside, 2);
  for (let ended = 0; ended < 5; ended++) {
    ends.shift()!();
    await nextTurn();
  }
  await Promise.all(passing);
  assert.deepEqual(count(), { inside: 0, most: 2 });
});

test('Limiter: a task that throws frees its slot', async () => {
  const gate = new Limiter({ concurrency: 1, maxQueue: 1, rejection: 'Too many.' });
  for (let count = 0; count < 5; count++) {
    await assert.rejects(
      gate.run(() => Promise.reject(new Error('failed'))),
      /failed/,
    );
  }
  assert.equal(await gate.run(async () => 'through'), 'through');
});

test('Limiter: a new task does not overtake one that is being started', async () => {
  const gate = new Limiter({ concurrency: 1, maxQueue: 5, rejection: 'Too many.' });
  const { work, ends, count } = controlled();
  const first = gate.run(work);
  const second = gate.run(work);
  ends.shift()!();
  await first;
  const third = gate.run(work);
  while (ends.length > 0) {
    ends.shift()!();
    await nextTurn();
  }
  await Promise.all([second, third]);
  assert.deepEqual(count(), { inside: 0, most: 1 });
});

test('KeyedLimiter: tasks of one key do not delay those of others', async () => {
  const gates = new KeyedLimiter({ concurrency: 1, maxQueue: 2, rejection: 'Too many.' });
  const { work, ends, count } = controlled();
  const passing = Array.from({ length: 3 }, () => gates.run('one', work));
  await assert.rejects(gates.run('one', work), { code: 'unavailable', message: 'Too many.', retryAfter: 1 });
  assert.equal(await gates.run('other', async () => 'through'), 'through');
  assert.equal(count().inside, 1);
  while (ends.length > 0) {
    ends.shift()!();
    await nextTurn();
  }
  await Promise.all(passing);
  assert.deepEqual(count(), { inside: 0, most: 1 });
});

test('KeyedLimiter: a key never exceeds its concurrency when tasks start and end', async () => {
  const ticks = fc.nat({ max: 7 });
  const visits = fc.array(fc.record({ comesAfter: ticks, staysFor: ticks }), { minLength: 4, maxLength: 7 });
  const pass = async (count: number) => {
    for (let tick = 0; tick < count; tick++) await undefined;
  };
  const holds = fc.asyncProperty(visits, async (all) => {
    const gates = new KeyedLimiter({ concurrency: 2, maxQueue: all.length, rejection: 'Too many.' });
    let inside = 0;
    const visit = async ({ comesAfter, staysFor }: { comesAfter: number; staysFor: number }) => {
      await pass(comesAfter);
      await gates.run('one', async () => {
        inside += 1;
        assert.ok(inside <= 2);
        await pass(staysFor);
        inside -= 1;
      });
    };
    await Promise.all(all.map(visit));
  });
  await fc.assert(holds, { numRuns: 4_000 });
});

test('Limiter: an aborted task leaves the queue at once and never runs', async () => {
  const gate = new Limiter({ concurrency: 1, maxQueue: 1, rejection: 'Too many.' });
  const { work, ends, count } = controlled();
  const first = gate.run(work);
  const leaving = new AbortController();
  const left = gate.run(work, leaving.signal);
  await assert.rejects(gate.run(work), { code: 'unavailable' });
  const why = new Error('left');
  leaving.abort(why);
  await assert.rejects(left, why);
  const second = gate.run(work);
  ends.shift()!();
  await first;
  await nextTurn();
  assert.deepEqual([count().inside, ends.length], [1, 1]);
  ends.shift()!();
  await second;
  await assert.rejects(gate.run(work, leaving.signal), why, 'nor does who left before coming');
  assert.equal(gate.isIdle, true);
});
