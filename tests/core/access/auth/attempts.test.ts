import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  AddressSlowdown,
  accountOf,
  type LoginAttempt,
  LoginAttempts,
} from '../../../../src/core/access/auth/attempts.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
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
