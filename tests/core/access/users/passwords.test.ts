import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPassword } from '../../../../src/core/access/auth/secrets.ts';
import { refuseWeak } from '../../../../src/core/access/users/password-quality.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { CHEAP_HASHING } from '../../../support/cheap-hashing.ts';
import { loginWithPassword } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { addUser, callerOf } from '../../../support/users.ts';

const sharedApp = appOfThisFile();
const [OLD, NEW] = ['the old password', 'the new password'];

async function newPerson(password = OLD) {
  const app = await sharedApp();
  const user = await addUser(app, { password });
  const stored = async () => (await app.runtime.userStore.find(user.id))!;
  const hasPassword = async (text: string) => CHEAP_HASHING.verify(text, (await stored()).passwordHash ?? '');
  return { app, user, stored, hasPassword, caller: callerOf(user), users: app.runtime.users };
}

test('changePassword: it needs the current password and ends earlier sessions', async () => {
  const { users, user, caller, stored, hasPassword } = await newPerson();
  const before = await stored();
  await users.changePassword(caller, { currentPassword: OLD, password: NEW });
  assert.deepEqual([await hasPassword(OLD), await hasPassword(NEW)], [false, true]);
  const after = await stored();
  assert.ok((after.sessionVersion ?? 0) > (before.sessionVersion ?? Number.NaN));
  assert.ok(after.updatedAt >= before.updatedAt);
  assert.deepEqual(
    { ...after, passwordHash: '', sessionVersion: 0, updatedAt: 0 },
    { ...before, passwordHash: '', sessionVersion: 0, updatedAt: 0 },
  );
  await assert.rejects(users.changePassword(caller, { currentPassword: OLD, password: 'yet another password' }), {
    code: 'unprocessable',
    message: 'currentPassword: is not your password',
  });
  await assert.rejects(
    users.changePassword(caller, { currentPassword: NEW, password: user.email }),
    /^RuntimeError: password: is easy to guess, because it is made of the e-mail or the name/,
  );
  assert.equal(await hasPassword(NEW), true);
});

test('changePassword: a user without a password cannot change it', async () => {
  const app = await sharedApp();
  const user = await addUser(app);
  for (const currentPassword of ['', 'null', 'scrypt$$']) {
    const attempt = app.runtime.users.changePassword(callerOf(user), { currentPassword, password: NEW });
    await assert.rejects(attempt, { code: 'unprocessable' });
  }
  assert.equal((await app.runtime.userStore.find(user.id))?.passwordHash, null);
});

test('changePassword: an API key is refused, even one that a user made', async () => {
  const { app, user, users, hasPassword } = await newPerson();
  const key = { ...(await app.runtime.keyAuthenticator.authenticate(app.key)), userId: user.id };
  await assert.rejects(users.changePassword(key, { currentPassword: OLD, password: NEW }), { code: 'forbidden' });
  assert.equal(await hasPassword(OLD), true);
});

test('changePassword: wrong attempts count, a right one does not, logins go on', async () => {
  const { user, caller, users, hasPassword } = await newPerson();
  for (let attempt = 0; attempt < 10; attempt++) {
    const wrong = users.changePassword(caller, { currentPassword: 'wrong', password: NEW });
    await assert.rejects(wrong, /is not your password/);
    if (attempt === 5) await users.changePassword(caller, { currentPassword: OLD, password: OLD });
  }
  const throttled = users.changePassword(caller, { currentPassword: OLD, password: NEW });
  await assert.rejects(throttled, { code: 'rate_limited' });
  assert.equal(await hasPassword(OLD), true, 'not even the right one helps then');
  const { logins } = (await sharedApp()).runtime;
  assert.ok((await loginWithPassword(logins, { email: user.email, password: OLD }, { address: 'elsewhere' })).token);
});

test('changePassword: one of twenty concurrent changes succeeds', async () => {
  const { users, caller, hasPassword } = await newPerson();
  const changes = Array.from({ length: 20 }, (_, index) =>
    users.changePassword(caller, { currentPassword: OLD, password: `password number ${index}` }),
  );
  const results = await Promise.allSettled(changes);
  const made = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
  assert.equal(made.length, 1);
  assert.equal(await hasPassword(`password number ${made[0]}`), true);
});

test('setPassword: it wins over a concurrent change from the old password', async () => {
  const { app, users, user, caller, hasPassword } = await newPerson();
  const { userStore } = app.runtime;
  const { change } = userStore;
  userStore.change = async (...args) => {
    userStore.change = change;
    await users.setPassword(user.id, { password: 'set by the administrator' }, null);
    return userStore.change(...args);
  };
  const attempt = users.changePassword(caller, { currentPassword: OLD, password: NEW });
  await assert.rejects(attempt, /currentPassword: is not your password/);
  assert.equal(await hasPassword('set by the administrator'), true);
});

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
