import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressSlowdown } from '../../../../src/core/access/auth/slowdown.ts';
import { RecentFailures } from '../../../../src/core/limits/rates/failures.ts';

const WINDOW = 15 * 60_000;

test('AddressSlowdown: the delay per failure grows from zero to five seconds', async () => {
  let now = 0;
  const slowdown = new AddressSlowdown(new RecentFailures(() => now));
  const waits: number[] = [];
  for (let count = 0; count < 30; count++) {
    const { wait } = await slowdown.attempt('one');
    now += wait;
    waits.push(wait);
  }
  const free = Array.from({ length: 21 }, () => 0);
  assert.deepEqual(waits, [...free, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]);
  assert.equal((await slowdown.attempt('other')).wait, 0);
});

test('AddressSlowdown: an address is refused only while its attempts wait ten seconds', async () => {
  let now = 0;
  const slowdown = new AddressSlowdown(new RecentFailures(() => now));
  const attempt = () => slowdown.attempt('one');
  for (let count = 0; count < 26; count++) now += (await attempt()).wait;
  assert.deepEqual([(await attempt()).wait, (await attempt()).wait], [5_000, 10_000]);
  await assert.rejects(attempt, { code: 'rate_limited', retryAfter: 15 });
  now += 5_000;
  assert.equal((await attempt()).wait, 10_000);
  now += 15_000;
  assert.equal((await attempt()).wait, 0, 'whoever comes when nobody waits is let through at once');
});

test('AddressSlowdown: right logins are uncounted, failures expire in fifteen minutes', async () => {
  let now = 0;
  const slowdown = new AddressSlowdown(new RecentFailures(() => now));
  for (let count = 0; count < 100; count++) await (await slowdown.attempt('one')).undo();
  for (let count = 0; count < 20; count++) await slowdown.attempt('one');
  assert.deepEqual([(await slowdown.attempt('one')).wait, (await slowdown.attempt('one')).wait], [0, 250]);
  now += WINDOW;
  assert.deepEqual([(await slowdown.attempt('one')).wait, (await slowdown.attempt('one')).wait], [0, 0]);
});
