import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Gate } from '../../src/core/gate.ts';

/** Work that ends when it is told to. */
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

test('few are inside at once, some wait their turn, and of more it is said that they may try again', async () => {
  const gate = new Gate({ width: 2, room: 3, refusal: 'Too many.' });
  const { work, ends, count } = controlled();
  const passing = Array.from({ length: 5 }, () => gate.pass(work));
  await assert.rejects(gate.pass(work), { code: 'unavailable', retryAfter: 1 });
  assert.equal(count().inside, 2);
  for (let ended = 0; ended < 5; ended++) {
    ends.shift()!();
    await nextTurn();
  }
  await Promise.all(passing);
  assert.deepEqual(count(), { inside: 0, most: 2 });
});

test('whoever fails inside makes room like everybody else', async () => {
  const gate = new Gate({ width: 1, room: 1, refusal: 'Too many.' });
  for (let count = 0; count < 5; count++) {
    await assert.rejects(
      gate.pass(() => Promise.reject(new Error('failed'))),
      /failed/,
    );
  }
  assert.equal(await gate.pass(async () => 'through'), 'through');
});

test('nobody who comes while a place changes hands gets in beside the one who waited for it', async () => {
  const gate = new Gate({ width: 1, room: 5, refusal: 'Too many.' });
  const { work, ends, count } = controlled();
  const first = gate.pass(work);
  const second = gate.pass(work);
  ends.shift()!();
  await first;
  const third = gate.pass(work);
  while (ends.length > 0) {
    ends.shift()!();
    await nextTurn();
  }
  await Promise.all([second, third]);
  assert.deepEqual(count(), { inside: 0, most: 1 });
});
