import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertUnharmed, fuzz, totalOf } from '../support/api-fuzz/run.ts';
import { newWorld } from '../support/api-fuzz/world.ts';

/** Of the first seed always the same; of the second such as nobody has made before. */
const RUNS = [
  { seed: 20_261_122, requests: 400 },
  { seed: Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31), requests: 250 },
];

test('whatever an operation is asked, the answer is a documented one, and nobody is harmed', {
  timeout: 120_000,
}, async (t) => {
  const world = await newWorld(t);
  for (const { seed, requests } of RUNS) {
    const total = totalOf(await fuzz(world, seed, { goesOn: (made) => made < requests }));
    t.diagnostic(`seed ${seed}: ${JSON.stringify(total)}`);
    // What is never taken proves nothing, nor what is never refused.
    assert.ok(total.taken > requests / 5 && total.refused > requests / 5, JSON.stringify(total));
    assert.ok(total.busy <= total.requests / 50, `${total.busy} were told that there is no room`);
  }
  await assertUnharmed(world);
});
