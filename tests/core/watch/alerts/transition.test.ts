import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type CheckedState,
  INITIAL_MEMORY,
  type Memory,
  transition,
} from '../../../../src/core/watch/alerts/transition.ts';

const HOUR = 3_600_000;

/** The states and messages of checks an hour apart. */
function run(
  found: CheckedState[],
  { cooldown = 0, step = HOUR }: { cooldown?: number; step?: number } = {},
): string[] {
  let memory: Memory = INITIAL_MEMORY;
  return found.map((one, index) => {
    const result = transition(memory, one, index * step, cooldown);
    memory = result.memory;
    return `${memory.state}${result.notifies ? '!' : ''}`;
  });
}

test('transition: tells once of a state, and of its end after two checks', () => {
  assert.deepEqual(run(['ok', 'alerting', 'alerting', 'ok', 'alerting', 'ok', 'ok', 'ok']), [
    ...['ok', 'alerting!', 'alerting', 'alerting', 'alerting', 'alerting', 'ok!', 'ok'],
  ]);
});

test('transition: no data is a state of its own', () => {
  assert.deepEqual(run(['no_data', 'no_data', 'alerting', 'no_data', 'ok', 'ok']), [
    ...['no_data!', 'no_data', 'alerting!', 'no_data!', 'no_data', 'ok!'],
  ]);
});

test('transition: a message for three failures in a row, and for the end', () => {
  assert.deepEqual(run(['failed', 'failed', 'ok', 'failed', 'failed', 'failed', 'failed', 'ok']), [
    ...['ok', 'ok', 'ok', 'ok', 'ok', 'failing!', 'failing', 'ok!'],
  ]);
  assert.deepEqual(run(['alerting', 'failed', 'alerting']), ['alerting!', 'alerting', 'alerting']);
  assert.deepEqual(run(['failed', 'failed', 'failed', 'alerting']), ['ok', 'ok', 'failing!', 'alerting!']);
});

test('transition: within the cool-down no message; at its end one, if the state lasts', () => {
  const cooldown = 4 * HOUR;
  assert.deepEqual(run(['alerting', 'ok', 'ok', 'alerting', 'alerting', 'alerting'], { cooldown }), [
    ...['alerting!', 'alerting', 'ok!', 'alerting', 'alerting!', 'alerting'],
  ]);
  // It ended before: no message about it, nor about its end.
  assert.deepEqual(run(['alerting', 'ok', 'ok', 'alerting', 'ok', 'ok'], { cooldown: 24 * HOUR }), [
    ...['alerting!', 'alerting', 'ok!', 'alerting', 'alerting', 'ok'],
  ]);
});

test('transition: a clock that is set back silences nothing', () => {
  const sent = transition(INITIAL_MEMORY, 'alerting', 10 * HOUR, HOUR).memory;
  const ended = transition(transition(sent, 'ok', HOUR, HOUR).memory, 'ok', HOUR, HOUR).memory;
  assert.equal(transition(ended, 'alerting', 2 * HOUR, HOUR).notifies, true);
});

test('transition: messages alternate, and none repeats a state', () => {
  const checks = fc.array(fc.constantFrom<CheckedState>('ok', 'alerting', 'no_data', 'failed'), { maxLength: 60 });
  const hours = fc.constantFrom(0, 2, 5);
  fc.assert(
    fc.property(checks, hours, (found, cooldown) => {
      const sent = run(found, { cooldown: cooldown * HOUR }).filter((state) => state.endsWith('!'));
      for (const [index, state] of sent.entries()) assert.notEqual(state, sent[index - 1]);
      assert.notEqual(sent[0], 'ok!', 'the end of nothing');
    }),
    { seed: 25, numRuns: 500 },
  );
});
