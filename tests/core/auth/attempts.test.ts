import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Attempt, accountOf, LoginAttempts } from '../../../src/core/auth/attempts.ts';
import { RuntimeError } from '../../../src/core/shared/errors.ts';

const MINUTE = 60_000;
const WINDOW = 15 * MINUTE;
const ADA = accountOf('acme', 'ada@example.com');

/** The seconds to wait, or null when the attempt was let through. */
function waitOf(attempt: () => Attempt): number | null {
  try {
    attempt();
    return null;
  } catch (error) {
    assert.ok(error instanceof RuntimeError && error.code === 'rate_limited');
    assert.match(error.message, new RegExp(`in ${error.retryAfter} s`));
    return error.retryAfter ?? 0;
  }
}

function times(count: number, work: (index: number) => unknown): void {
  for (let index = 0; index < count; index++) work(index);
}

test('LoginAttempts: ten failures lock an account and address for fifteen minutes', () => {
  let now = 1_000_000;
  const attempts = new LoginAttempts(() => now);
  const attempt = () => waitOf(() => attempts.fromAddress(ADA, 'one'));
  times(10, () => {
    assert.equal(attempt(), null);
    now += 1_500;
  });
  const firstAt = now - 15_000;
  assert.equal(attempt(), Math.ceil((firstAt + WINDOW - now) / 1_000));
  now = firstAt + WINDOW - 1;
  assert.equal(attempt(), 1);
  now = firstAt + WINDOW;
  assert.equal(attempt(), null);
  assert.equal(attempt(), 2, 'the second of them is the next to grow old');
});

test('LoginAttempts: an e-mail counts in any case, and per tenant', () => {
  const attempts = new LoginAttempts(() => 0);
  const attempt = (tenant: string | null, email: string) => () => attempts.fromAddress(accountOf(tenant, email), 'one');
  times(300, () => attempt('acme', 'Ada@Example.com')().undo());
  times(10, (index) => attempt('acme', index % 2 === 0 ? 'ADA@example.com' : 'ada@example.com')());
  assert.equal(waitOf(attempt('acme', 'ada@EXAMPLE.com')), WINDOW / 1_000);
  for (const tenant of ['globex', null]) assert.equal(waitOf(attempt(tenant, 'ada@example.com')), null);
});

test('LoginAttempts: failures of the accounts in alsoOf count, too', () => {
  const attempts = new LoginAttempts(() => 0);
  const without = accountOf(null, 'ada@example.com');
  times(4, () => attempts.fromAddress(ADA, 'one'));
  times(6, () => attempts.note(without, 'one'));
  assert.equal(
    waitOf(() => attempts.fromAddress(ADA, 'one', [without])),
    WINDOW / 1_000,
  );
  assert.equal(
    waitOf(() => attempts.fromAddress(ADA, 'one')),
    null,
  );
  times(300, () => attempts.note(without, 'one'));
});

test('LoginAttempts: failures from many addresses lock an account after a hundred', () => {
  const attempts = new LoginAttempts(() => 0);
  const attempt = (address: string) => waitOf(() => attempts.fromAddress(ADA, address));
  times(90, (index) => assert.equal(attempt(`elsewhere ${index % 9}`), null));
  assert.equal(attempt('elsewhere 0'), WINDOW / 1_000);
  times(10, () => assert.equal(attempt('at home'), null));
  assert.equal(attempt('yet another'), WINDOW / 1_000, 'guessing from very many places ends too');
});

test('LoginAttempts: a known device has its own counter', () => {
  const attempts = new LoginAttempts(() => 0);
  times(200, (index) => waitOf(() => attempts.fromAddress(ADA, `address ${index}`)));
  const ofDevice = (device: string) => waitOf(() => attempts.fromDevice(ADA, device));
  times(10, () => assert.equal(ofDevice('laptop'), null));
  assert.equal(ofDevice('laptop'), WINDOW / 1_000);
  assert.equal(ofDevice('phone'), null);
});

test('LoginAttempts: unlock forgets the failures of one account and returns them', () => {
  const attempts = new LoginAttempts(() => 0);
  const stranger = () => attempts.fromAddress(ADA, 'one');
  const device = () => attempts.fromDevice(ADA, 'laptop');
  const bob = () => attempts.fromAddress(accountOf('acme', 'bob@example.com'), 'one');
  for (const attempt of [stranger, device, bob]) times(10, attempt);
  assert.equal(attempts.unlock(ADA), 20);
  assert.deepEqual([stranger, device].map(waitOf), [null, null]);
  assert.equal(waitOf(bob), WINDOW / 1_000);
  assert.equal(attempts.unlock(accountOf('globex', 'ada@example.com')), 0);
});

test('LoginAttempts: undoing an attempt twice uncounts it once', () => {
  const attempts = new LoginAttempts(() => 0);
  const attempt = () => attempts.fromAddress(ADA, 'one');
  const first = attempt();
  times(9, attempt);
  first.undo();
  first.undo();
  assert.deepEqual([waitOf(attempt), waitOf(attempt)], [null, WINDOW / 1_000]);
});

test('LoginAttempts: a refused attempt does not count', () => {
  let now = 0;
  const attempts = new LoginAttempts(() => now);
  const attempt = () => attempts.fromAddress(ADA, 'one');
  times(10, attempt);
  for (now = 1_000; now < WINDOW; now += 1_000) assert.equal(waitOf(attempt), (WINDOW - now) / 1_000);
  assert.equal(waitOf(attempt), null);
});

test('LoginAttempts: fifteen minutes never have more than ten failures', () => {
  const steps = fc.array(fc.record({ pause: fc.nat(4 * MINUTE), right: fc.boolean() }), { maxLength: 120 });
  fc.assert(
    fc.property(steps, (tries) => {
      let now = 0;
      const attempts = new LoginAttempts(() => now);
      const attempt = () => attempts.fromAddress(ADA, 'one');
      const failures: number[] = [];
      for (const { pause, right } of tries) {
        now += pause;
        const counted = failures.filter((at) => at > now - WINDOW).length;
        const wait = waitOf(() => {
          const made = attempt();
          if (right) made.undo();
          else failures.push(now);
          return made;
        });
        assert.equal(wait === null, counted < 10);
        if (wait === null) continue;
        now += (wait - 1) * 1_000;
        assert.notEqual(failures.filter((at) => at > now - WINDOW).length, 9, 'a second less would not do');
        now += 1_000;
        assert.equal(waitOf(attempt), null);
        failures.push(now);
      }
    }),
  );
});

test('LoginAttempts: the LRU cache has ten thousand accounts', () => {
  const attempts = new LoginAttempts(() => 0);
  const attempt = (name: string) => () => attempts.fromAddress(accountOf('acme', `${name}@example.com`), name);
  times(10, attempt('first'));
  times(9_999, (index) => attempt(`${index}`)());
  assert.equal(waitOf(attempt('first')), WINDOW / 1_000, 'still known');
  attempt('one more')();
  assert.equal(waitOf(attempt('first')), null, 'the one that failed longest ago is forgotten');
});

test('LoginAttempts: five wrong codes lock codes for fifteen minutes, thirty for a day', () => {
  let now = 0;
  const attempts = new LoginAttempts(() => now);
  const attempt = () => waitOf(() => attempts.ofCode(ADA));
  times(5, () => assert.equal(attempt(), null));
  assert.equal(attempt(), WINDOW / 1_000);
  assert.equal(
    waitOf(() => attempts.fromAddress(ADA, 'one')),
    null,
    'passwords are counted apart',
  );
  times(5, () => {
    now += WINDOW;
    times(5, () => assert.equal(attempt(), null));
  });
  now += WINDOW;
  assert.equal(attempt(), (24 * 60 * MINUTE - now) / 1_000, 'until the first of the thirty is a day old');
  assert.ok(attempts.unlock(ADA) >= 30);
  assert.equal(attempt(), null);
});

test('LoginAttempts: right codes do not count', () => {
  const attempts = new LoginAttempts(() => 0);
  times(100, () => attempts.ofCode(ADA).undo());
  times(5, () =>
    assert.equal(
      waitOf(() => attempts.ofCode(ADA)),
      null,
    ),
  );
});
