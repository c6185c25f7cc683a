import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Waiting } from '../../../../src/core/access/auth/admission.ts';
import { DeviceCookies } from '../../../../src/core/access/auth/device-cookies.ts';
import { LoginService } from '../../../../src/core/access/auth/logins.ts';
import { PasswordHasher, SCRYPT } from '../../../../src/core/access/auth/password-hash.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import type { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import type { TestApp } from '../../../support/app.ts';
import { skipOnServers } from '../../../support/app.ts';
import { changeUser, loginWithPassword, newUser } from '../../../support/people.ts';
import { rareTest } from '../../../support/rare.ts';
import { appOfThisFile } from '../../../support/shared.ts';

const PASSWORD = 'correct horse battery staple';
const WRONG = 'incorrect horse';

const sharedApp = appOfThisFile({ rateLimit: 0 });

test('LoginService: right logins neither count nor clear wrong ones', async () => {
  const { login: attempt, user } = await fakeLogins();
  for (let count = 0; count < 9; count++) await assert.rejects(attempt(user.email, WRONG), { code: 'unauthenticated' });
  for (let count = 0; count < 200; count++) await attempt(user.email, PASSWORD);
  await assert.rejects(attempt(user.email, WRONG), { code: 'unauthenticated' });
  await assert.rejects(attempt(user.email, PASSWORD), { code: 'rate_limited' });
});

test('LoginService: a flood compares two passwords at once and rejects the rest', { skip: skipOnServers }, async () => {
  let inside = 0;
  let most = 0;
  const { login: attempt, user } = await fakeLogins(async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inside -= 1;
    return false;
  });
  const flood = Array.from({ length: 60 }, (_, index) =>
    attempt(`${index % 50}@example.com`, WRONG, `address ${index}`),
  );
  const reasons = (await Promise.allSettled(flood)).map(
    (result) => (result as PromiseRejectedResult).reason as RuntimeError,
  );
  const unavailable = reasons.filter(({ code }) => code === 'unavailable');
  assert.equal(most, 2);
  assert.deepEqual([unavailable.length, unavailable[0]?.retryAfter], [60 - 18, 1]);
  for (let count = 0; count < 10; count++)
    await assert.rejects(attempt(user.email, WRONG), { code: 'unauthenticated' });
});
test('LoginService: many logins from one address delay only that address', { skip: skipOnServers }, async () => {
  let inside = 0;
  let most = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { login: attempt, user } = await fakeLogins(async (password, hash) => {
    if (password === hash) return true;
    inside += 1;
    most = Math.max(most, inside);
    await released;
    inside -= 1;
    return false;
  });
  const flood = Array.from({ length: 20 }, (_, index) => attempt(`${index}@example.com`, WRONG, 'one'));
  const refused = { code: 'unavailable', retryAfter: 1, message: /^Too many logins come from here/ };
  for (const one of flood.slice(17)) await assert.rejects(one, refused);
  for (let count = 0; count < 3; count++) assert.ok((await attempt(user.email, PASSWORD, 'other')).token);
  await assert.rejects(attempt(user.email, PASSWORD, 'one'), refused);
  release();
  for (const one of flood.slice(0, 17)) await assert.rejects(one, { code: 'unauthenticated' });
  assert.equal(most, 1);
  assert.ok((await attempt(user.email, PASSWORD, 'one')).token);
});

test('LoginService: a password change or deactivation while waiting refuses the login', async () => {
  const app = await sharedApp();
  let meanwhile = async (): Promise<void> => undefined;
  const { login: attempt, user } = await fakeLogins(async (password, hash) => {
    await meanwhile();
    return password === hash;
  });
  await attempt(user.email, PASSWORD);
  meanwhile = () => changeUser(app, user.id, { passwordHash: 'another', sessionVersion: Date.now() });
  await assert.rejects(attempt(user.email, PASSWORD), { code: 'unauthenticated' });
  meanwhile = () => changeUser(app, user.id, { isActive: false });
  await assert.rejects(attempt(user.email, 'another'), { code: 'unauthenticated' });
});

test('LoginService: known, unknown and inactive users cost one comparison each', async () => {
  const app = await sharedApp();
  const { login: attempt, user, compared, hashes } = await fakeLogins();
  const others = [await newUser(app), await newUser(app, { passwordHash: PASSWORD, isActive: false })];
  for (const email of [user.email, 'nobody@example.com', ...others.map((one) => one.email)]) {
    const before = compared();
    await assert.rejects(attempt(email, WRONG));
    assert.equal(compared() - before, 1, email);
  }
  assert.deepEqual(
    hashes().slice(1),
    Array.from({ length: 3 }, () => SCRYPT.dummyHash),
    'against nobody where there is nothing',
  );
  const before = compared();
  await assert.rejects(attempt(user.email, WRONG, 'x', 'no such tenant'));
  assert.equal(compared() - before, 1);
});

rareTest('LoginService: unknown e-mails and wrong passwords take equally long', async () => {
  const app = await sharedApp();
  const { email } = await newUser(app, { password: PASSWORD });
  const times = { known: [] as number[], unknown: [] as number[] };
  const parts = loginParts(app);
  for (let round = 0; round < 12; round++) {
    for (const who of ['known', 'unknown'] as const) {
      // Anew each time: no e-mail may be tried so often.
      const logins = new LoginService(parts);
      const started = performance.now();
      await assert.rejects(
        loginWithPassword(
          logins,
          { email: who === 'known' ? email : `${round}@example.com`, password: WRONG },
          { address: 'x' },
        ),
      );
      times[who].push(performance.now() - started);
      await logins.settled();
    }
  }
  const [known, unknown] = [median(times.known), median(times.unknown)];
  // An answer without a comparison would take less than a tenth of the other.
  assert.ok(known < unknown * 3 && unknown < known * 3, `${known} and ${unknown} ms`);
});

function loginParts(app: TestApp) {
  const { userStore: users, tenants, audit, secretKey, sessions } = app.runtime;
  return {
    ...{ users, tenants, audit, sessions },
    devices: new DeviceCookies({ secretKey, now: realEffects.now }),
    passwords: new PasswordHasher(),
    effects: realEffects,
    onFailure: () => undefined,
  };
}

/** Logins whose passwords are compared as they are, so that many take no time; and a user of theirs. */
async function fakeLogins(compare = async (password: string, hash: string) => password === hash) {
  const app = await sharedApp();
  const user = await newUser(app, { passwordHash: PASSWORD });
  const hashes: string[] = [];
  let now = 0;
  const waiting: Waiting = {
    elapsed: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
  const verify = (password: string, hash: string) => {
    hashes.push(hash);
    return compare(password, hash);
  };
  const passwords = new PasswordHasher({
    verify,
    hash: async (password) => password,
    isOutdated: () => false,
    dummyHash: SCRYPT.dummyHash,
  });
  const logins = new LoginService({ ...loginParts(app), passwords, waiting });
  return {
    user,
    login: (email: string, password: string, address = 'somewhere', tenant?: string) =>
      loginWithPassword(logins, { email, password, tenant }, { address }),
    hashes: () => hashes,
    compared: () => hashes.length,
  };
}

function median(times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;
}
