import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPassword } from '../../../../src/core/access/auth/secrets.ts';
import { refuseWeak } from '../../../../src/core/access/users/password-quality.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';

const ANA = { email: 'ana.da.silva@example.com', name: 'Ana Maria da Silva' };

test('refuseWeak: an easily guessed password is refused with reason and remedy (S14)', async () => {
  const weak: [password: string, reason: RegExp][] = [
    ['aaaaaaaaaaaa', /repeats itself/],
    ['Summer2026!!', /common word or pattern/],
    ['password12345!', /like a common password/],
    ['P@ssw0rd2026!', /like a common password/],
    ['passwordpassword', /./],
    ['1qaz2wsx3edc', /common password/],
    ['qwertyuiop[]', /keys lie in a row/],
    ['abcdefghijkl', /counts on/],
    [`${ANA.email}1`, /made of the e-mail or the name/],
    ['ANA.da.silva1', /./],
    ['Ana Maria da Silva!', /./],
    [`${'a'.repeat(100)}${'b'.repeat(100)}`, /repeats itself/],
  ];
  for (const [password, reason] of weak) {
    await assert.rejects(refuseWeak(password, ANA), (error: unknown) => {
      assert.ok(error instanceof RuntimeError && error.code === 'unprocessable', password);
      assert.match(error.message, /^password: is easy to guess, because .*\. Use several words .*password manager\.$/);
      assert.match(error.message, reason, password);
      assert.ok(!error.message.includes(password));
      return true;
    });
  }
});

test('refuseWeak: passphrases and random passwords pass (S14)', async () => {
  const strong = ['correct horse battery staple', 'seven green bicycles', 'kx8fQz1vLm0p', 'vier lila Fahrräder'];
  for (const password of [...strong, ...Array.from({ length: 20 }, newPassword)]) await refuseWeak(password, ANA);
  await refuseWeak('correct horse battery', { email: 'a@localhost', name: 'Bo' });
});

test('refuseWeak: the longest password is judged quickly (S14)', async () => {
  const hostile = Array.from({ length: 200 }, (_, index) => '4@3$10!a'[index % 8]).join('');
  const started = process.cpuUsage();
  await refuseWeak(hostile, ANA).catch(() => undefined);
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 2_000_000, `${user + system} µs`);
});
