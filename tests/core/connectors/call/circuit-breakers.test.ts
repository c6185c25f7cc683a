import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CircuitBreakers } from '../../../../src/core/connectors/call/circuit-breakers.ts';

function breakersAt(start = 1_000_000) {
  const clock = { now: start };
  return { clock, breakers: new CircuitBreakers({ now: () => clock.now }) };
}

function fail(breakers: CircuitBreakers, times: number, key = 'a'): void {
  for (let index = 0; index < times; index += 1) breakers.failed(key);
}

test('five failures one after the other have an API left alone, and no other', () => {
  const { breakers } = breakersAt();
  fail(breakers, 4);
  assert.equal(breakers.retryIn('a'), 0);
  fail(breakers, 1);
  assert.equal(breakers.retryIn('a'), 5_000);
  assert.equal(breakers.retryIn('b'), 0);
});

test('a success in between begins the counting anew', () => {
  const { breakers } = breakersAt();
  fail(breakers, 4);
  breakers.succeeded('a');
  fail(breakers, 4);
  assert.equal(breakers.retryIn('a'), 0);
});

test('after the pause one call alone tries it, and its success lets all in', () => {
  const { breakers, clock } = breakersAt();
  fail(breakers, 5);
  clock.now += 5_000;
  assert.equal(breakers.retryIn('a'), 0);
  assert.ok(breakers.retryIn('a') > 0);
  breakers.succeeded('a');
  assert.equal(breakers.retryIn('a'), 0);
});

test('each failed try makes the pause twice as long, up to a minute', () => {
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

test('calls that began before the pause and fail in it do not make it longer', () => {
  const { breakers, clock } = breakersAt();
  fail(breakers, 5);
  clock.now += 3_000;
  fail(breakers, 20);
  assert.equal(breakers.retryIn('a'), 2_000);
});

test('whoever leaves while they try it leaves the try to the next', () => {
  const { breakers, clock } = breakersAt();
  fail(breakers, 5);
  clock.now += 5_000;
  assert.equal(breakers.retryIn('a'), 0);
  breakers.cancelProbe('a');
  assert.equal(breakers.retryIn('a'), 0);
});

test('a clock that is set back makes no pause longer', () => {
  const { breakers, clock } = breakersAt();
  fail(breakers, 5);
  clock.now -= 3_600_000;
  assert.equal(breakers.retryIn('a'), 0);
});

test('to ask whether it is left alone makes nobody the one who tries it', () => {
  const { breakers, clock } = breakersAt();
  assert.equal(breakers.isOpen('a'), false);
  fail(breakers, 5);
  assert.equal(breakers.isOpen('a'), true);
  clock.now += 5_000;
  assert.equal(breakers.isOpen('a'), false);
  assert.equal(breakers.retryIn('a'), 0);
});

test('of very many that fail those are forgotten that have failed the longest ago', () => {
  const { breakers } = breakersAt();
  fail(breakers, 5, 'first');
  fail(breakers, 5, 'again');
  for (let index = 0; index < 9_998; index += 1) breakers.failed(`other ${index}`);
  breakers.failed('again');
  breakers.failed('one more');
  assert.deepEqual([breakers.retryIn('first'), breakers.retryIn('again')], [0, 5_000]);
});
