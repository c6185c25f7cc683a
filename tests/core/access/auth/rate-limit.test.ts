import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiter } from '../../../../src/core/access/auth/rate-limit.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';
import type { QuotaState } from '../../../../src/core/limits/quotas/notices.ts';
import type { QuotaLimits } from '../../../../src/core/limits/quotas/schema.ts';
import { TokenBuckets } from '../../../../src/core/limits/rates/buckets.ts';

const RATE = { perMinute: 60, burst: 2 };

function callerOf(key: string, tenantId = 'one'): Caller {
  const credential = { kind: 'key', id: key } as const;
  return {
    ...{ tenantId, credential, agentId: null, label: 'test', scopes: ['*'] },
    ...{ timezone: 'UTC', userId: null, role: null },
  };
}

function limiterOf(limit = RATE, quotas: { tenant?: QuotaLimits; key?: QuotaLimits } = {}) {
  const clock = { now: 0 };
  const noted: QuotaState[] = [];
  const limiter = new RateLimiter({
    limit,
    settings: { ofCaller: async () => ({ tenant: {}, key: {}, ...quotas }) },
    notices: { note: (state) => noted.push(state) },
    buckets: new TokenBuckets(() => clock.now),
    invalidKeys: new TokenBuckets(() => clock.now),
  });
  return { limiter, clock, noted };
}

const REFUSED = { code: 'rate_limited', retryAfter: 1 };

test('TokenBuckets: a burst passes, then the rate; a clock set back adds nothing', () => {
  let now = 0;
  const buckets = new TokenBuckets(() => now);
  const take = () => {
    const isThere = buckets.wait('a', RATE) === 0;
    buckets.take('a', RATE);
    return isThere;
  };
  assert.deepEqual([take(), take(), take()], [true, true, false]);
  now = 999;
  assert.equal(take(), false);
  now = 1_000;
  assert.deepEqual([take(), take()], [true, false]);
  now = 3_600_000;
  assert.deepEqual([take(), take(), take()], [true, true, false], 'a long pause fills no more than the burst');
  now = 0;
  assert.equal(take(), false);
});

test('TokenBuckets: full buckets are evicted, and the maximum holds', () => {
  let now = 0;
  const buckets = new TokenBuckets(() => now, 100);
  for (let name = 0; name < 1_000; name++) buckets.take(String(name), RATE);
  assert.equal(buckets.size, 100);
  now = 60_000;
  for (let turn = 0; turn < 60; turn++) buckets.take('one', RATE);
  assert.equal(buckets.size, 1);
});

test('RateLimiter: keys of one tenant share its rate', async () => {
  const { limiter, clock } = limiterOf();
  await limiter.take(callerOf('a'));
  await limiter.take(callerOf('b'));
  await assert.rejects(limiter.take(callerOf('c')), { ...REFUSED, message: /of the tenant: 60 a minute/ });
  await limiter.take(callerOf('d', 'two'));
  clock.now = 1_000;
  await limiter.take(callerOf('c'));
});

test('RateLimiter: a refused request takes no token from other buckets', async () => {
  const { limiter } = limiterOf({ perMinute: 60, burst: 3 }, { key: { 'requests-per-minute': 1 } });
  await limiter.take(callerOf('a'));
  for (let turn = 0; turn < 10; turn++) {
    await assert.rejects(limiter.take(callerOf('a')), { code: 'rate_limited', retryAfter: 60 });
  }
  await limiter.take(callerOf('b'));
  await limiter.take(callerOf('c'));
});

test('RateLimiter: a quota replaces the setting, even when that is off', async () => {
  for (const limit of [RATE, { perMinute: 0, burst: 1_000 }]) {
    const { limiter, noted } = limiterOf(limit, { tenant: { 'requests-per-minute': 1 } });
    await limiter.take(callerOf('a'));
    await assert.rejects(limiter.take(callerOf('b')), { message: /The quota requests-per-minute of the tenant/ });
    assert.deepEqual(
      noted.map(({ quota, limit, used }) => [quota, limit, used]),
      [['requests-per-minute', 1, 1]],
    );
  }
});

test('RateLimiter: 0 turns off the limits of callers and of invalid keys', async () => {
  const { limiter } = limiterOf({ perMinute: 0, burst: 1 });
  for (let turn = 0; turn < 1_000; turn++) {
    await limiter.take(callerOf('a'));
    limiter.countWrongKey('127.0.0.1');
  }
});

test('RateLimiter: after a burst of invalid keys an address has one per second', async () => {
  const { limiter, clock } = limiterOf();
  for (let turn = 0; turn < 100; turn++) limiter.countWrongKey('10.0.0.1');
  assert.throws(() => limiter.countWrongKey('10.0.0.1'), REFUSED);
  limiter.countWrongKey('10.0.0.2');
  clock.now = 1_000;
  limiter.countWrongKey('10.0.0.1');
});
