import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CircuitBreakers } from '../../../../../src/core/agents/connectors/call/circuit-breakers.ts';

function breakersAt(start = 1_000_000) {
  const clock = { now: start };
  return { clock, breakers: new CircuitBreakers({ now: () => clock.now }) };
}

function fail(breakers: CircuitBreakers, times: number, key = 'a'): void {
  for (let index = 0; index < times; index += 1) breakers.failed(key);
}

test('CircuitBreakers: five consecutive failures open the circuit of one API', () => {
  const { breakers } = breakersAt();
  fail(breakers, 4);
  assert.equal(breakers.retryIn('a'), 0);
  fail(breakers, 1);
  assert.equal(breakers.retryIn('a'), 5_000);
  assert.equal(breakers.retryIn('b'), 0);
});

test('CircuitBreakers: a success resets the count', () => {
  const { breakers } = breakersAt();
  fail(breakers, 4);
  breakers.succeeded('a');
  fail(breakers, 4);
  assert.equal(breakers.retryIn('a'), 0);
});

test('CircuitBreakers: after the pause one probe closes the circuit', () => {
  const { breakers, clock } = breakersAt();
  fail(breakers, 5);
  clock.now += 5_000;
  assert.equal(breakers.retryIn('a'), 0);
  assert.ok(breakers.retryIn('a') > 0);
  breakers.succeeded('a');
  assert.equal(breakers.retryIn('a'), 0);
});

test('CircuitBreakers: each failed probe doubles the pause up to a minute', () => {
  const { breakers, clock } = breakersAt();
  fail(breakers, 5);
  const pauses = [];
  for (let index = 0; index < 6; index += 1) {
    pauses.push(breakers.retryIn('a'));
    clock.now += breakers.retryIn('a');
    assert.equal(breakers.retryIn('a'), 0);
    breakers.failed('a');
  }
  assert.deepEqual(pauses, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('CircuitBreakers: failures of earlier calls do not extend the pause', () => {
  const { breakers, clock } = breakersAt();
  fail(breakers, 5);
  clock.now += 3_000;
  fail(breakers, 20);
  assert.equal(breakers.retryIn('a'), 2_000);
});

test('CircuitBreakers: a cancelled probe passes to the next caller', () => {
  const { breakers, clock } = breakersAt();
  fail(breakers, 5);
  clock.now += 5_000;
  assert.equal(breakers.retryIn('a'), 0);
  breakers.cancelProbe('a');
  assert.equal(breakers.retryIn('a'), 0);
});

test('CircuitBreakers: a clock that is set back extends no pause', () => {
  const { breakers, clock } = breakersAt();
  fail(breakers, 5);
  clock.now -= 3_600_000;
  assert.equal(breakers.retryIn('a'), 0);
});

test('CircuitBreakers: isOpen never makes its caller the probe', () => {
  const { breakers, clock } = breakersAt();
  assert.equal(breakers.isOpen('a'), false);
  fail(breakers, 5);
  assert.equal(breakers.isOpen('a'), true);
  clock.now += 5_000;
  assert.equal(breakers.isOpen('a'), false);
  assert.equal(breakers.retryIn('a'), 0);
});

test('CircuitBreakers: evicts the circuit that failed the longest ago', () => {
  const { breakers } = breakersAt();
  fail(breakers, 5, 'first');
  fail(breakers, 5, 'again');
  for (let index = 0; index < 9_998; index += 1) breakers.failed(`other ${index}`);
  breakers.failed('again');
  breakers.failed('one more');
  assert.deepEqual([breakers.retryIn('first'), breakers.retryIn('again')], [0, 5_000]);
});
