import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  AddressSlowdown,
  accountOf,
  type LoginAttempt,
  LoginAttempts,
} from '../../../../src/core/access/auth/attempts.ts';
import { DEVICE_COOKIE_SECONDS, DeviceCookies } from '../../../../src/core/access/auth/device-cookies.ts';
import { RateLimiter } from '../../../../src/core/access/auth/rate-limit.ts';
import { deriveKey } from '../../../../src/core/base/sealing/secret-key.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import type { QuotaState } from '../../../../src/core/limits/quotas/notices.ts';
import type { QuotaLimits } from '../../../../src/core/limits/quotas/schema.ts';
import { TokenBuckets } from '../../../../src/core/limits/rates/buckets.ts';
import { RecentFailures } from '../../../../src/core/limits/rates/failures.ts';

const MINUTE = 60_000;
const WINDOW = 15 * MINUTE;
const ADA = accountOf('acme', 'ada@example.com');

/** The seconds to wait, or null when the attempt was let through. */
async function waitOf(attempt: () => Promise<LoginAttempt>): Promise<number | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    assert.ok(error instanceof RuntimeError && error.code === 'rate_limited');
    assert.match(error.message, new RegExp(`in ${error.retryAfter} s`));
    return error.retryAfter ?? 0;
  }
}

async function times(count: number, work: (index: number) => unknown): Promise<void> {
  for (let index = 0; index < count; index++) await work(index);
}

test('LoginAttempts: ten failures lock an account and address for fifteen minutes', async () => {
  let now = 1_000_000;
  const attempts = new LoginAttempts(new RecentFailures(() => now));
  const attempt = () => waitOf(() => attempts.fromAddress(ADA, 'one'));
  await times(10, async () => {
    assert.equal(await attempt(), null);
    now += 1_500;
  });
  const firstAt = now - 15_000;
  assert.equal(await attempt(), Math.ceil((firstAt + WINDOW - now) / 1_000));
  now = firstAt + WINDOW - 1;
  assert.equal(await attempt(), 1);
  now = firstAt + WINDOW;
  assert.equal(await attempt(), null);
  assert.equal(await attempt(), 2, 'the second of them is the next to grow old');
});

test('LoginAttempts: an e-mail counts in any case, and per tenant', async () => {
  const attempts = new LoginAttempts(new RecentFailures(() => 0));
  const attempt = (tenant: string | null, email: string) => () => attempts.fromAddress(accountOf(tenant, email), 'one');
  await times(300, () => attempt('acme', 'Ada@Example.com')().then((made) => made.undo()));
  await times(10, (index) => attempt('acme', index % 2 === 0 ? 'ADA@example.com' : 'ada@example.com')());
  assert.equal(await waitOf(attempt('acme', 'ada@EXAMPLE.com')), WINDOW / 1_000);
  for (const tenant of ['globex', null]) assert.equal(await waitOf(attempt(tenant, 'ada@example.com')), null);
});

test('LoginAttempts: failures of the accounts in alsoOf count, too', async () => {
  const attempts = new LoginAttempts(new RecentFailures(() => 0));
  const without = accountOf(null, 'ada@example.com');
  await times(4, () => attempts.fromAddress(ADA, 'one'));
  await times(6, () => attempts.note(without, 'one'));
  assert.equal(await waitOf(() => attempts.fromAddress(ADA, 'one', [without])), WINDOW / 1_000);
  assert.equal(await waitOf(() => attempts.fromAddress(ADA, 'one')), null);
  await times(300, () => attempts.note(without, 'one'));
});

test('LoginAttempts: failures from many addresses lock an account after a hundred', async () => {
  const attempts = new LoginAttempts(new RecentFailures(() => 0));
  const attempt = (address: string) => waitOf(() => attempts.fromAddress(ADA, address));
  await times(90, async (index) => assert.equal(await attempt(`elsewhere ${index % 9}`), null));
  assert.equal(await attempt('elsewhere 0'), WINDOW / 1_000);
  await times(10, async () => assert.equal(await attempt('at home'), null));
  assert.equal(await attempt('yet another'), WINDOW / 1_000, 'guessing from very many places ends too');
});

test('LoginAttempts: a known device has its own counter', async () => {
  const attempts = new LoginAttempts(new RecentFailures(() => 0));
  await times(200, (index) => waitOf(() => attempts.fromAddress(ADA, `address ${index}`)));
  const ofDevice = (device: string) => waitOf(() => attempts.fromDevice(ADA, device));
  await times(10, async () => assert.equal(await ofDevice('laptop'), null));
  assert.equal(await ofDevice('laptop'), WINDOW / 1_000);
  assert.equal(await ofDevice('phone'), null);
});

test('LoginAttempts: unlock forgets the failures of one account and returns them', async () => {
  const attempts = new LoginAttempts(new RecentFailures(() => 0));
  const stranger = () => attempts.fromAddress(ADA, 'one');
  const device = () => attempts.fromDevice(ADA, 'laptop');
  const bob = () => attempts.fromAddress(accountOf('acme', 'bob@example.com'), 'one');
  for (const attempt of [stranger, device, bob]) await times(10, attempt);
  assert.equal(await attempts.unlock(ADA), 20);
  assert.deepEqual(await Promise.all([stranger, device].map(waitOf)), [null, null]);
  assert.equal(await waitOf(bob), WINDOW / 1_000);
  assert.equal(await attempts.unlock(accountOf('globex', 'ada@example.com')), 0);
});

test('LoginAttempts: undoing an attempt twice uncounts it once', async () => {
  const attempts = new LoginAttempts(new RecentFailures(() => 0));
  const attempt = () => attempts.fromAddress(ADA, 'one');
  const first = await attempt();
  await times(9, attempt);
  await first.undo();
  await first.undo();
  assert.deepEqual([await waitOf(attempt), await waitOf(attempt)], [null, WINDOW / 1_000]);
});

test('LoginAttempts: a refused attempt does not count', async () => {
  let now = 0;
  const attempts = new LoginAttempts(new RecentFailures(() => now));
  const attempt = () => attempts.fromAddress(ADA, 'one');
  await times(10, attempt);
  for (now = 1_000; now < WINDOW; now += 1_000) assert.equal(await waitOf(attempt), (WINDOW - now) / 1_000);
  assert.equal(await waitOf(attempt), null);
});

test('LoginAttempts: fifteen minutes never have more than ten failures', async () => {
  const steps = fc.array(fc.record({ pause: fc.nat(4 * MINUTE), right: fc.boolean() }), { maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(steps, async (tries) => {
      let now = 0;
      const attempts = new LoginAttempts(new RecentFailures(() => now));
      const attempt = () => attempts.fromAddress(ADA, 'one');
      const failures: number[] = [];
      for (const { pause, right } of tries) {
        now += pause;
        const counted = failures.filter((at) => at > now - WINDOW).length;
        const wait = await waitOf(async () => {
          const made = await attempt();
          if (right) await made.undo();
          else failures.push(now);
          return made;
        });
        assert.equal(wait === null, counted < 10);
        if (wait === null) continue;
        now += (wait - 1) * 1_000;
        assert.notEqual(failures.filter((at) => at > now - WINDOW).length, 9, 'a second less would not do');
        now += 1_000;
        assert.equal(await waitOf(attempt), null);
        failures.push(now);
      }
    }),
  );
});

test('LoginAttempts: the LRU cache has ten thousand accounts', async () => {
  const attempts = new LoginAttempts(new RecentFailures(() => 0));
  const attempt = (name: string) => () => attempts.fromAddress(accountOf('acme', `${name}@example.com`), name);
  await times(10, attempt('first'));
  await times(9_999, (index) => attempt(`${index}`)());
  assert.equal(await waitOf(attempt('first')), WINDOW / 1_000, 'still known');
  await attempt('one more')();
  assert.equal(await waitOf(attempt('first')), null, 'the one that failed longest ago is forgotten');
});

test('LoginAttempts: five wrong codes lock codes for fifteen minutes, thirty for a day', async () => {
  let now = 0;
  const attempts = new LoginAttempts(new RecentFailures(() => now));
  const attempt = () => waitOf(() => attempts.ofCode(ADA));
  await times(5, async () => assert.equal(await attempt(), null));
  assert.equal(await attempt(), WINDOW / 1_000);
  assert.equal(await waitOf(() => attempts.fromAddress(ADA, 'one')), null, 'passwords are counted apart');
  await times(5, async () => {
    now += WINDOW;
    await times(5, async () => assert.equal(await attempt(), null));
  });
  now += WINDOW;
  assert.equal(await attempt(), (24 * 60 * MINUTE - now) / 1_000, 'until the first of the thirty is a day old');
  assert.ok((await attempts.unlock(ADA)) >= 30);
  assert.equal(await attempt(), null);
});

test('LoginAttempts: right codes do not count', async () => {
  const attempts = new LoginAttempts(new RecentFailures(() => 0));
  await times(100, () => attempts.ofCode(ADA).then((made) => made.undo()));
  await times(5, async () => assert.equal(await waitOf(() => attempts.ofCode(ADA)), null));
});

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

let now = Date.parse('2026-03-01T00:00:00Z');
const of = (secret: string) =>
  new DeviceCookies({ secretKey: { keyFor: (use) => deriveKey(secret, use) }, now: () => now });
const devices = of('a secret of this test');
const newUser = (tenantId = 'acme') => ({ id: realEffects.newId(), tenantId, sessionVersion: 1 });

test('DeviceCookies: a cookie names a device for its user only', () => {
  const [ada, bob] = [newUser(), newUser()];
  const cookie = devices.issue(undefined, ada);
  assert.match(cookie, /^[\w.~-]{100,130}$/);
  assert.match(devices.deviceOf(cookie, ada) ?? '', /^[\w-]{22}$/);
  assert.equal(devices.deviceOf(cookie, bob), null);
  assert.equal(devices.deviceOf(cookie.replace(ada.id, bob.id), bob), null, 'a mark of another');
  assert.equal(devices.deviceOf(cookie, { ...ada, tenantId: 'globex' }), null);
  assert.equal(of('another installation').deviceOf(cookie, ada), null);
  for (const at of [40, 60, cookie.length - 2]) {
    const changed = cookie.slice(0, at) + (cookie[at] === 'A' ? 'B' : 'A') + cookie.slice(at + 1);
    assert.equal(devices.deviceOf(changed, ada), null, `forged at ${at}`);
  }
  for (const none of [undefined, '', '~', 'x'.repeat(5_000)]) assert.equal(devices.deviceOf(none, ada), null);
});

test('DeviceCookies: a new password or 400 days make a cookie void', () => {
  const ada = newUser();
  const cookie = devices.issue(undefined, ada);
  assert.equal(devices.deviceOf(cookie, { ...ada, sessionVersion: 2 }), null);
  now += DEVICE_COOKIE_SECONDS * 1_000;
  assert.notEqual(devices.deviceOf(cookie, ada), null);
  const renewed = devices.issue(cookie, ada);
  now += 1_000;
  assert.equal(devices.deviceOf(cookie, ada), null);
  assert.equal(devices.deviceOf(renewed, ada)?.length, 22, 'each login renews it');
});

test('DeviceCookies: a browser remembers five users', () => {
  const users = Array.from({ length: 6 }, () => newUser());
  let cookie: string | undefined;
  for (const user of users) cookie = devices.issue(cookie, user);
  assert.deepEqual(
    users.map((user) => devices.deviceOf(cookie, user) !== null),
    [false, true, true, true, true, true],
  );
  const before = devices.deviceOf(cookie, users[3]!);
  cookie = devices.issue(cookie, users[3]!);
  assert.equal(devices.deviceOf(cookie, users[3]!), before);
  assert.ok(cookie.length < 1_000, `${cookie.length}`);
});

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
