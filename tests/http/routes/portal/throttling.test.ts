import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Waiting } from '../../../../src/core/access/auth/admission.ts';
import { DeviceCookies } from '../../../../src/core/access/auth/device-cookies.ts';
import { type FailedLogin, LoginService } from '../../../../src/core/access/auth/logins.ts';
import { PasswordHasher } from '../../../../src/core/access/auth/password-hash.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { loginWithPassword, newUser } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';

const PASSWORD = 'correct horse battery staple';
const WRONG = 'incorrect horse';
const UNAUTHENTICATED = { code: 'unauthenticated' };
const LOCKED = { code: 'rate_limited' };

const sharedApp = appOfThisFile({ rateLimit: 0 });
let tenants = 0;

/** Two tenants of their own, and logins whose passwords are compared as they are and whose waiting takes no time. */
async function newLogins() {
  const { runtime } = await sharedApp();
  const number = ++tenants;
  const [a, b] = [
    await runtime.tenants.create({ name: `a${number}` }),
    await runtime.tenants.create({ name: `b${number}` }),
  ];
  const failed: FailedLogin[] = [];
  const slept: number[] = [];
  let now = 0;
  const waiting: Waiting = {
    elapsed: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
  };
  const logins = new LoginService({
    users: runtime.userStore,
    tenants: runtime.tenants,
    sessions: runtime.sessions,
    audit: runtime.audit,
    passwords: new PasswordHasher({
      hash: async (password) => password,
      verify: async (password, hash) => password === hash,
      isOutdated: () => false,
      dummyHash: '',
    }),
    devices: new DeviceCookies({ secretKey: runtime.secretKey, now: realEffects.now }),
    effects: realEffects,
    onFailure: (one) => failed.push(one),
    waiting,
  });
  interface Asked {
    password?: string;
    tenant?: string;
    address?: string;
    device?: string;
  }
  const app = await sharedApp();
  return {
    a,
    b,
    failed,
    slept,
    logins,
    add: (tenant: { name: string }, email: string, passwordHash = PASSWORD) =>
      newUser(app, { tenant: tenant.name, email, passwordHash, role: 'ADMIN' }),
    login: (email: string, { password = PASSWORD, tenant, address = 'home', device }: Asked = {}) =>
      loginWithPassword(logins, { email, password, tenant }, { address, device }),
    /** What an administrator of the tenant reads of logins in the audit log. */
    audited: async ({ id }: { id: string }) => {
      await logins.settled();
      await runtime.audit.settled();
      const caller = { ...app.caller, tenantId: id, role: 'ADMIN' as const };
      const { items } = await runtime.audit.entries(caller, { action: undefined, limit: 500, offset: 0 });
      return items.filter(({ action }) => action.startsWith('login.'));
    },
  };
}

async function fail(times: number, attempt: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < times; index++) await assert.rejects(attempt(index), UNAUTHENTICATED);
}

test('LoginService: users with one e-mail in two tenants have separate locks (S6)', async () => {
  const { a, b, add, login, audited } = await newLogins();
  const { email } = await add(a, 'chief@example.com');
  await add(b, email, 'a password of the namesake');
  for (let count = 0; count < 30; count++) await login(email, { address: 'the address of the person' });
  await login(email, { tenant: a.name, address: 'the address of the person' });
  await assert.rejects(login(email, { password: WRONG, address: 'the address of the person' }), UNAUTHENTICATED);
  assert.deepEqual(await audited(b), []);
  const successes = (await audited(a)).reduce((sum, { details }) => sum + Number(details.repeated ?? 1), 0);
  assert.equal(successes, 31, 'a failure that names no tenant is written in none');
});

test('LoginService: a failure is audited in the named tenant and always logged (S6)', async () => {
  const { a, b, add, login, audited, failed } = await newLogins();
  const { email, id } = await add(a, 'ada@example.com');
  const { id: other } = await add(b, email);
  await fail(1, () => login(email, { password: WRONG, tenant: a.name, address: '203.0.113.7' }));
  const [line, ...more] = await audited(a);
  assert.deepEqual(
    [line?.action, line?.target, line?.details, more],
    ['login.failed', id, { address: '203.0.113.7', reason: 'wrong password' }, []],
  );
  assert.deepEqual(await audited(b), []);
  await fail(1, () => login(email, { password: WRONG }));
  await fail(1, () => login('unknown@example.com', { password: WRONG }));
  await fail(1, () => login(email, { password: WRONG, tenant: 'no such tenant' }));
  assert.deepEqual(
    failed.map(({ address, users }) => [address, ...users.map(({ userId }) => userId)]),
    [['203.0.113.7', id], ['home', id, other], ['home'], ['home']],
  );
  assert.ok(!JSON.stringify(failed).includes('@'), 'without e-mails, which may be passwords');
});

test('LoginService: guesses count for the named user only (S6)', async () => {
  const { a, b, add, login } = await newLogins();
  const { email } = await add(a, 'person@example.com');
  await add(b, email, 'guess');
  for (let count = 0; count < 30; count++) await login(email, { password: 'guess', address: 'attacker' });
  await assert.rejects(login(email, { tenant: a.name, address: 'attacker' }), LOCKED);
  const { user } = await login(email, { tenant: a.name });
  assert.equal(user.tenantId, a.id, 'the person is let in from elsewhere');
});

test('LoginService: locks do not reveal which tenants know an e-mail (S6)', async () => {
  const { a, b, add, login } = await newLogins();
  const { email } = await add(a, 'somewhere@example.com');
  await fail(10, () => login(email, { password: WRONG }));
  for (const tenant of [a.name, b.name, 'no such tenant', undefined]) {
    await assert.rejects(login(email, { password: WRONG, ...(tenant === undefined ? {} : { tenant }) }), LOCKED);
  }
});

test('LoginService: failures of an address delay, but no known device waits (S7)', async () => {
  const { a, add, login, slept } = await newLogins();
  const { email } = await add(a, 'known@example.com');
  const { device } = await login(email);
  await fail(100, (index) => login(`${index}@example.com`, { password: WRONG }));
  assert.equal(slept.at(-1), 5_000);
  slept.length = 0;
  assert.ok((await login(email, { device })).token);
  assert.deepEqual(slept, []);
  const { token } = await login(email);
  assert.ok(token, 'a stranger with the right password waits, and is let in');
  assert.deepEqual(slept, [5_000]);
});

test('LoginService: distributed failures lock unknown clients; unlock works (S7)', async () => {
  const { a, add, login, logins, audited } = await newLogins();
  const user = await add(a, 'admin@localhost');
  const { device } = await login(user.email);
  await fail(100, (index) => login(user.email, { password: WRONG, address: `address ${index}`, tenant: a.name }));
  await assert.rejects(login(user.email, { address: 'new', tenant: a.name }), LOCKED);
  assert.ok((await login(user.email, { device, tenant: a.name })).token);
  assert.deepEqual(await logins.unlock(user), { id: user.id, email: user.email, tenantId: a.id, failures: 100 });
  assert.ok((await login(user.email, { address: 'new', tenant: a.name })).token);
  const unlocked = (await audited(a)).find(({ action }) => action === 'login.unlocked');
  assert.deepEqual([unlocked?.actor.kind, unlocked?.target], ['operator', user.id]);
});

test('LoginService: ten failures with a device cookie lock that device only (S7)', async () => {
  const { a, add, login } = await newLogins();
  const { email } = await add(a, 'devices@example.com');
  const [one, other] = [(await login(email)).device, (await login(email)).device];
  await fail(10, () => login(email, { password: WRONG, device: one }));
  await assert.rejects(login(email, { device: one }), LOCKED);
  assert.ok((await login(email, { device: other })).token);
  assert.ok((await login(email)).token);
});

test('LoginService: many unknown clients do not block a known device (S7)', async () => {
  const { runtime } = await sharedApp();
  const app = await sharedApp();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const passwords = new PasswordHasher({
    hash: async (password) => password,
    verify: async (password, hash) => {
      if (password !== hash) await released;
      return password === hash;
    },
    isOutdated: () => false,
    dummyHash: '',
  });
  const { userStore: users, tenants: tenantService, sessions, audit, secretKey } = runtime;
  const logins = new LoginService({
    ...{ users, tenants: tenantService, sessions, audit, passwords, effects: realEffects },
    devices: new DeviceCookies({ secretKey, now: realEffects.now }),
    onFailure: () => undefined,
  });
  const { email } = await newUser(app, { passwordHash: PASSWORD });
  const { device } = await loginWithPassword(logins, { email, password: PASSWORD }, { address: 'home' });
  const strangers = Array.from({ length: 40 }, (_, index) =>
    loginWithPassword(logins, { email: `${index}@example.com`, password: WRONG }, { address: `address ${index}` }),
  );
  const refused = Promise.allSettled(strangers);
  assert.ok((await loginWithPassword(logins, { email, password: PASSWORD }, { address: 'address 1', device })).token);
  release();
  const codes = (await refused).map((result) => (result as PromiseRejectedResult).reason.code);
  assert.deepEqual([codes.filter((code) => code === 'unavailable').length, codes.length], [22, 40]);
});

test('LoginService: failed second factors slow the address, but not known browsers', async () => {
  const { a, add, login, logins, slept } = await newLogins();
  const user = await add(a, 'grace@example.com');
  const { device } = await login(user.email);
  for (let count = 0; count < 21; count++) await logins.addressAttempt({ address: 'home' }, user);
  assert.deepEqual(slept, []);
  await (await logins.addressAttempt({ address: 'home' }, user)).undo();
  assert.deepEqual(slept, [250]);
  await logins.addressAttempt({ address: 'home', device }, user);
  await logins.addressAttempt({ address: 'elsewhere' }, user);
  assert.deepEqual(slept, [250]);
  await logins.addressAttempt({ address: 'home', device }, null);
  assert.equal(slept.length, 2, 'without its user a mark is worth nothing');
});
