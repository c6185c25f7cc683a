import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Attempt, LoginAttempts } from '../../src/core/auth/attempts.ts';
import { RuntimeError } from '../../src/core/errors.ts';

const MINUTE = 60_000;
const WINDOW = 15 * MINUTE;

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

test('ten attempts for an e-mail from an address, then none until the first of them is a quarter of an hour old, to the second', () => {
  let now = 1_000_000;
  const attempts = new LoginAttempts(() => now);
  const attempt = () => waitOf(() => attempts.count('ada@example.com', 'one'));
  for (let count = 0; count < 10; count++) {
    assert.equal(attempt(), null);
    now += 1_500;
  }
  const firstAt = now - 15_000;
  assert.equal(attempt(), Math.ceil((firstAt + WINDOW - now) / 1_000));
  now = firstAt + WINDOW - 1;
  assert.equal(attempt(), 1);
  now = firstAt + WINDOW;
  assert.equal(attempt(), null);
  assert.equal(attempt(), 2, 'the second of them is the next to grow old');
});

test('a hundred attempts from an address, whoever it is that is tried', () => {
  const attempts = new LoginAttempts(() => 0);
  const attempt = (count: number, address: string) => waitOf(() => attempts.count(`${count}@example.com`, address));
  for (let count = 0; count < 100; count++) assert.equal(attempt(count, 'one'), null);
  assert.equal(attempt(100, 'one'), WINDOW / 1_000);
  assert.equal(attempt(100, 'other'), null);
});

test('an e-mail is one in every case, and an attempt that is taken back never was', () => {
  const attempts = new LoginAttempts(() => 0);
  for (let count = 0; count < 300; count++) attempts.count('Ada@Example.com', 'one').takeBack();
  for (let count = 0; count < 10; count++)
    attempts.count(count % 2 === 0 ? 'ADA@example.com' : 'ada@example.com', 'one');
  assert.equal(
    waitOf(() => attempts.count('ada@EXAMPLE.com', 'one')),
    WINDOW / 1_000,
  );
});

test('what others try elsewhere locks nobody out, until it is a hundred times', () => {
  const attempts = new LoginAttempts(() => 0);
  const attempt = (address: string) => waitOf(() => attempts.count('ada@example.com', address));
  for (let count = 0; count < 90; count++) assert.equal(attempt(`elsewhere ${count % 9}`), null);
  assert.equal(attempt('elsewhere 0'), WINDOW / 1_000);
  for (let count = 0; count < 10; count++) assert.equal(attempt('at home'), null);
  assert.equal(attempt('yet another'), WINDOW / 1_000, 'guessing from very many places ends too');
});

test('taking an attempt back twice gives nothing more than once', () => {
  const attempts = new LoginAttempts(() => 0);
  const first = attempts.count('ada@example.com', 'one');
  for (let count = 0; count < 9; count++) attempts.count('ada@example.com', 'one');
  first.takeBack();
  first.takeBack();
  assert.equal(
    waitOf(() => attempts.count('ada@example.com', 'one')),
    null,
  );
  assert.equal(
    waitOf(() => attempts.count('ada@example.com', 'one')),
    WINDOW / 1_000,
  );
});

test('a refused attempt does not count: who goes on trying is let in as soon as who waits', () => {
  let now = 0;
  const attempts = new LoginAttempts(() => now);
  for (let count = 0; count < 10; count++) attempts.count('ada@example.com', 'one');
  for (now = 1_000; now < WINDOW; now += 1_000) {
    assert.equal(
      waitOf(() => attempts.count('ada@example.com', 'one')),
      (WINDOW - now) / 1_000,
    );
  }
  assert.equal(
    waitOf(() => attempts.count('ada@example.com', 'one')),
    null,
  );
});

test('whatever is tried when, no e-mail gets more than ten attempts within any quarter of an hour, and waiting helps', () => {
  const steps = fc.array(fc.record({ pause: fc.nat(4 * MINUTE), right: fc.boolean() }), { maxLength: 120 });
  fc.assert(
    fc.property(steps, (tries) => {
      let now = 0;
      const attempts = new LoginAttempts(() => now);
      const failures: number[] = [];
      for (const { pause, right } of tries) {
        now += pause;
        const counted = failures.filter((at) => at > now - WINDOW).length;
        const wait = waitOf(() => {
          const attempt = attempts.count('ada@example.com', 'one');
          if (right) attempt.takeBack();
          else failures.push(now);
          return attempt;
        });
        assert.equal(wait === null, counted < 10);
        if (wait === null) continue;
        now += (wait - 1) * 1_000;
        assert.notEqual(failures.filter((at) => at > now - WINDOW).length, 9, 'a second less would not do');
        now += 1_000;
        assert.equal(
          waitOf(() => attempts.count('ada@example.com', 'one')),
          null,
        );
        failures.push(now);
      }
    }),
  );
});

test('as many e-mails and addresses as there are take no more memory than ten thousand', () => {
  const attempts = new LoginAttempts(() => 0);
  for (let count = 0; count < 10; count++) attempts.count('first@example.com', 'first');
  for (let count = 0; count < 9_999; count++) attempts.count(`${count}@example.com`, `${count}`);
  assert.equal(
    waitOf(() => attempts.count('first@example.com', 'first')),
    WINDOW / 1_000,
    'still known',
  );
  attempts.count('one more@example.com', 'one more');
  assert.equal(
    waitOf(() => attempts.count('first@example.com', 'first')),
    null,
    'the one that was tried longest ago is forgotten',
  );
});
