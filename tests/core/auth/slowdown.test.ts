import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressSlowdown } from '../../../src/core/auth/slowdown.ts';

const WINDOW = 15 * 60_000;

test('AddressSlowdown: the delay per failure grows from zero to five seconds', () => {
  let now = 0;
  const slowdown = new AddressSlowdown(() => now);
  const waits = Array.from({ length: 30 }, () => {
    const { wait } = slowdown.attempt('one');
    now += wait;
    return wait;
  });
  const free = Array.from({ length: 21 }, () => 0);
  assert.deepEqual(waits, [...free, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]);
  assert.equal(slowdown.attempt('other').wait, 0);
});

test('AddressSlowdown: an address is refused only while its attempts wait ten seconds', () => {
  let now = 0;
  const slowdown = new AddressSlowdown(() => now);
  const attempt = () => slowdown.attempt('one');
  for (let count = 0; count < 26; count++) now += attempt().wait;
  assert.deepEqual([attempt().wait, attempt().wait], [5_000, 10_000]);
  assert.throws(attempt, { code: 'rate_limited', retryAfter: 15 });
  now += 5_000;
  assert.equal(attempt().wait, 10_000);
  now += 15_000;
  assert.equal(attempt().wait, 0, 'whoever comes when nobody waits is let through at once');
});

test('AddressSlowdown: right logins are uncounted, failures expire in fifteen minutes', () => {
  let now = 0;
  const slowdown = new AddressSlowdown(() => now);
  for (let count = 0; count < 100; count++) slowdown.attempt('one').undo();
  for (let count = 0; count < 20; count++) slowdown.attempt('one');
  assert.deepEqual([slowdown.attempt('one').wait, slowdown.attempt('one').wait], [0, 250]);
  now += WINDOW;
  assert.deepEqual([slowdown.attempt('one').wait, slowdown.attempt('one').wait], [0, 0]);
});
