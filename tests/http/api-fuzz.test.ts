import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertUnharmed, fuzz, totalOf } from '../support/api-fuzz/run.ts';
import { newWorld } from '../support/api-fuzz/world.ts';

const FIXED_SEED = 20_261_122;
const given = process.env.FUZZ_SEED;

for (const [name, seed, requests] of [
  ['the same requests as ever', FIXED_SEED, 700],
  ['requests that nobody has made before', Number(given ?? Date.now() % 2 ** 31), 400],
] as const) {
  test(`every answer is a documented one: ${name}, of seed ${seed}`, { timeout: 120_000 }, async (t) => {
    const world = await newWorld(t);
    const run = await fuzz(world, seed, { goesOn: (made) => made < requests });
    const total = totalOf(run);
    t.diagnostic(`seed ${seed}: ${JSON.stringify(total)}`);
    // What is never taken proves nothing, nor what is never refused.
    assert.ok(total.taken > requests / 5 && total.refused > requests / 5, JSON.stringify(total));
    assert.ok(total.busy <= total.requests / 50, `${total.busy} were told that there is no room`);
    await assertUnharmed(world);
  });
}
