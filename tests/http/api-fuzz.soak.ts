import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFixture } from '../support/api-fuzz/fixture.ts';
import { assertUnchanged, fuzz, totalOf } from '../support/api-fuzz/run.ts';

const SOAK_MS = 5 * 60_000;
/** Concurrent, so that requests interfere with each other. */
const LANES = 4;
/** More faults add no information. */
const MAX_FAULTS = 20;
/** Small files are ingested before anybody can cancel that. */
const OFTEN_TOO_LATE = 'postVectorsIngestionJobsJobIdCancel';

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

test(`API fuzz: every response is a documented one for five minutes, seed ${seed}`, {
  timeout: 3 * SOAK_MS,
}, async (t) => {
  const fixture = await newFixture(t);
  const faults: string[] = [];
  const until = Date.now() + SOAK_MS;
  const goesOn = () => Date.now() < until && faults.length < MAX_FAULTS;
  const run = await fuzz(fixture, seed, { goesOn, lanes: LANES, onFault: ({ message }) => faults.push(message) });
  for (const [id, tally] of run.tallies) t.diagnostic(`${id} ${JSON.stringify(tally)}`);
  const total = totalOf(run);
  t.diagnostic(`seed ${seed}, all operations: ${JSON.stringify(total)}`);
  assert.equal(faults.length, 0, faults.join('\n\n'));
  for (const [id, { taken, refused }] of run.tallies) {
    assert.ok(
      (taken > 0 || id === OFTEN_TOO_LATE) && refused > 0,
      `${id} has taken ${taken} requests and refused ${refused}`,
    );
  }
  assert.ok(total.busy <= total.requests / 50, `${total.busy} were refused for lack of capacity`);
  await assertUnchanged(fixture);
});
