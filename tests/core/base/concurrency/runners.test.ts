import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Runner, type RunnerStore } from '../../../../src/core/base/concurrency/runners.ts';
import { FakeClock } from '../../../support/clock.ts';

function running(isAlone: boolean) {
  const clock = new FakeClock();
  const [calls, errors]: [string[], unknown[]] = [[], []];
  const state = { isAway: false };
  const note = (call: string) => async () => {
    if (state.isAway) throw new Error('the database is away');
    calls.push(call);
  };
  const store: RunnerStore = {
    renew: note('renew'),
    takeOver: note('take over'),
    removeEnded: note('remove ended'),
    remove: note('remove'),
  };
  const runner = new Runner({ id: 'one', store, isAlone, timers: clock, onError: (error) => errors.push(error) });
  return { runner, clock, calls, errors, state };
}

test('Runner: one of several renews its lease, and takes back what ended ones left', async () => {
  const { runner, clock, calls } = running(false);
  await runner.start();
  assert.deepEqual(calls.splice(0), ['renew', 'remove ended']);
  runner.onTakeover(async () => void calls.push('taken back'));
  await clock.advance(15_000);
  assert.deepEqual(calls.splice(0), ['renew', 'remove ended', 'taken back']);
  await runner.close();
  await clock.advance(60_000);
  assert.deepEqual(calls, ['remove']);
});

test('Runner: the only one writes once, at its start, and a full disk does not stop it', async () => {
  const { runner, clock, calls, errors, state } = running(true);
  await runner.start();
  await clock.advance(3_600_000);
  await runner.close();
  assert.deepEqual(calls, ['take over']);
  state.isAway = true;
  await runner.start();
  assert.equal(errors.length, 1);
});

test('Runner: goes on once the database is back', async () => {
  const { runner, clock, calls, errors, state } = running(false);
  await runner.start();
  calls.length = 0;
  state.isAway = true;
  await clock.advance(30_000);
  assert.equal(errors.length, 2);
  state.isAway = false;
  await clock.advance(15_000);
  assert.deepEqual(calls, ['renew', 'remove ended']);
  await runner.close();
});
