import assert from 'node:assert/strict';
import { request as rawRequest } from 'node:http';
import { test } from 'node:test';
import { SCRYPT } from '../../../../src/core/access/auth/password-hash.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { type TestResponse, testApp } from '../../../support/app.ts';
import { changeUser, newUser, PORTAL, withToken } from '../../../support/people.ts';
import { eventually } from '../../../support/process.ts';
import { rareTest } from '../../../support/rare.ts';
import { appOfThisFile, tenantsOfThisFile } from '../../../support/shared.ts';
import { assertError, assertNames } from '../dashboards/support.ts';

const newApp = tenantsOfThisFile();

const LOGIN = `${PORTAL}/login`;
const PASSWORD = 'correct horse battery staple';
const WRONG = 'incorrect horse';
const MINUTE = 60_000;

const sharedApp = appOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1' });
let addresses = 0;

/** A login from an address of its own, as the proxy in front says it. */
async function login(body: unknown, address = `198.51.100.${++addresses}`): Promise<TestResponse> {
  const app = await sharedApp();
  return app.request('POST', LOGIN, body, { 'x-api-key': '', 'x-forwarded-for': address });
}

test('POST /portal/login: returns token, expiry and user, and stores the time', async () => {
  const app = await sharedApp();
  const { id, email, name, role, tenantId } = await newUser(app, { password: PASSWORD, email: 'Ada@Example.com' });
  for (const spelling of ['Ada@Example.com', 'ada@example.COM', ' ada@example.com ']) {
    const before = Date.now();
    const answer = await login({ email: spelling, password: PASSWORD });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.deepEqual(Object.keys(answer.body).sort(), ['expiresAt', 'token', 'user']);
    assert.deepEqual(answer.body.user, { id, email, name, role, tenantId, language: null });
    const lasts = Date.parse(answer.body.expiresAt) - before;
    const took = Date.now() - before;
    assert.ok(lasts > 12 * 60 * MINUTE - 2_000 && lasts <= 12 * 60 * MINUTE + took, `${lasts}`);
    assert.equal((await withToken(app, answer.body.token)('GET', `${PORTAL}/me`)).body.user.id, id);
    assert.ok((await app.runtime.userStore.find(id))!.lastLoginAt! >= before);
  }
});

test('POST /portal/login: every kind of refusal has the same response', async () => {
  const app = await sharedApp();
  const known = await newUser(app, { password: PASSWORD });
  const deactivated = await newUser(app, { password: PASSWORD, isActive: false });
  const without = await newUser(app);
  await app.runtime.tenants.create({ name: 'elsewhere' });
  const refused = [
    await login({ email: 'nobody@example.com', password: PASSWORD }),
    await login({ email: known.email, password: WRONG }),
    await login({ email: known.email, password: `${PASSWORD} ` }),
    await login({ email: deactivated.email, password: PASSWORD }),
    await login({ email: without.email, password: PASSWORD }),
    await login({ email: known.email, password: PASSWORD, tenant: 'elsewhere' }),
    await login({ email: known.email, password: PASSWORD, tenant: 'no such tenant' }),
  ];
  for (const answer of refused) {
    assertError(answer, 401, 'Unauthorized');
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
    assert.deepEqual(answer.body, refused[0]!.body);
  }
  assert.equal((await app.runtime.userStore.find(known.id))?.lastLoginAt, null);
});

test("POST /portal/login: several tenants with one e-mail need the tenant's name", async () => {
  const app = await sharedApp();
  const email = 'consultant@example.com';
  const names = ['first', 'second', 'third'];
  const users = [];
  for (const [index, tenant] of names.entries()) {
    await app.runtime.tenants.create({ name: tenant });
    users.push(await newUser(app, { tenant, email, password: index < 2 ? PASSWORD : 'only of the third' }));
  }
  const only = await login({ email, password: 'only of the third' });
  assert.deepEqual([only.status, only.body.user?.id], [200, users[2]!.id]);
  const several = await login({ email, password: PASSWORD });
  assertNames(several, 'tenant');
  assert.match(several.body.message[0], /is needed here/);
  for (const [index, tenant] of names.slice(0, 2).entries()) {
    for (const named of [tenant, users[index]!.tenantId]) {
      const answer = await login({ email, password: PASSWORD, tenant: named });
      assert.deepEqual([answer.status, answer.body.user?.id], [200, users[index]!.id]);
    }
  }
  assertError(await login({ email, password: PASSWORD, tenant: 'third' }), 401, 'Unauthorized');
  await changeUser(app, users[0]!.id, { isActive: false });
  assert.equal(
    (await login({ email, password: PASSWORD })).body.user.id,
    users[1]!.id,
    'who cannot log in does not count',
  );
});

test('POST /portal/login: naming the tenant works beyond ten users with one e-mail', async () => {
  const app = await sharedApp();
  const email = 'everywhere@example.com';
  for (let count = 0; count < 12; count++) {
    const { name } = await app.runtime.tenants.create({ name: `customer ${count}` });
    await newUser(app, { tenant: name, email, ...(count === 11 ? { password: PASSWORD } : {}) });
  }
  assert.equal((await login({ email, password: PASSWORD, tenant: 'customer 11' })).status, 200);
});

test('POST /portal/login: users of a blocked tenant are refused', async (t) => {
  const app = await newApp(t);
  const { email } = await newUser(app, { password: PASSWORD });
  app.runtime.tenants.erasing.block(app.tenantId);
  assert.equal((await app.request('POST', LOGIN, { email, password: PASSWORD })).status, 401);
  app.runtime.tenants.erasing.unblock(app.tenantId);
  assert.equal((await app.request('POST', LOGIN, { email, password: PASSWORD })).status, 200);
});

test('POST /portal/login: ten failures are 429 with Retry-After, known or not (S20)', async (t) => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => now });
  const known = await newUser(app, { password: PASSWORD });
  const attempt = (email: string, password: string) =>
    app.request('POST', LOGIN, { email, password }, { 'x-api-key': '' });
  for (const email of [known.email, 'nobody@example.com']) {
    for (let count = 0; count < 10; count++) assertError(await attempt(email, WRONG), 401, 'Unauthorized');
    now -= 3 * 60 * MINUTE;
    const refused = await attempt(email.toUpperCase(), PASSWORD);
    assertError(refused, 429, 'Too Many Requests');
    const retryAfter = Number(refused.headers.get('retry-after'));
    assert.ok(retryAfter > 600 && retryAfter <= 900, `${retryAfter}`);
  }
  const other = await newUser(app, { password: PASSWORD });
  assert.equal((await attempt(other.email, PASSWORD)).status, 200);
  await app.runtime.logins.settled();
  await app.runtime.audit.settled();
  const query = { action: 'login.failed', limit: 100, offset: 0 };
  const { items } = await app.runtime.audit.entries({ ...app.caller, role: 'ADMIN' }, query);
  const failures = items.reduce((sum, { details }) => sum + Number(details.repeated ?? 1), 0);
  assert.equal(failures, 10, 'where there is one tenant, failures need not name it to be in its audit log');
});

rareTest('POST /portal/login: a hash of another cost is replaced, sessions stay (S14)', async (t) => {
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, hashing: SCRYPT });
  const login = (body: object) => app.request('POST', LOGIN, body, { 'x-api-key': '' });
  const user = await newUser(app, { password: PASSWORD });
  const both = await Promise.all([1, 2].map(() => login({ email: user.email, password: PASSWORD })));
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  const answer = both[0]!;
  await app.runtime.logins.settled();
  const after = (await app.runtime.userStore.find(user.id))!;
  assert.match(after.passwordHash ?? '', /^\$scrypt\$ln=14,r=8,p=5\$/);
  assert.deepEqual(
    { ...after, passwordHash: '', lastLoginAt: 0 },
    { ...user, passwordHash: '', lastLoginAt: 0 },
    'nothing else of the user changes',
  );
  assert.equal((await withToken(app, answer.body.token)('GET', `${PORTAL}/me`)).status, 200);
  assert.equal((await login({ email: user.email, password: WRONG })).status, 401);
  assert.equal((await login({ email: user.email, password: PASSWORD })).status, 200);
});

test('POST /portal/login: sets a device cookie, Secure behind https', async () => {
  const app = await sharedApp();
  const { id, email } = await newUser(app, { password: PASSWORD });
  const post = (headers: Record<string, string>) =>
    app.request('POST', LOGIN, { email, password: PASSWORD }, { 'x-api-key': '', ...headers });
  const [plain, secure] = [await post({}), await post({ 'x-forwarded-proto': 'https' })];
  const set = plain.headers.get('set-cookie') ?? '';
  const attributes = 'Path=/api/v1/portal/login; Max-Age=34560000; HttpOnly; SameSite=Strict';
  assert.match(set, new RegExp(`^ar_device=${id}\\.[\\w.-]+; ${attributes}$`));
  assert.match(secure.headers.get('set-cookie') ?? '', /; SameSite=Strict; Secure$/);
  const again = await post({ cookie: `other=1; ${set.split(';')[0]}; more=2` });
  const deviceOf = (cookie: string | null) => cookie?.split('.')[1];
  assert.equal(deviceOf(again.headers.get('set-cookie')), deviceOf(set), 'the same device');
  const failed = await app.request('POST', LOGIN, { email, password: WRONG }, { 'x-api-key': '' });
  assert.equal(failed.headers.get('set-cookie'), null);
});

test('POST /portal/login: successes and failures are audited with the address', async () => {
  const app = await sharedApp();
  const user = await newUser(app, { password: PASSWORD });
  const deactivated = await newUser(app, { password: PASSWORD, isActive: false });
  const tenant = 'default';
  await login({ email: user.email, password: WRONG, tenant }, '203.0.113.7');
  await login({ email: user.email.toUpperCase(), password: PASSWORD }, '203.0.113.8');
  await login({ email: deactivated.email, password: PASSWORD, tenant }, '203.0.113.9');
  await login({ email: 'nobody-at-all@example.com', password: WRONG, tenant }, '203.0.113.10');
  await app.runtime.logins.settled();
  const admin = { ...app.caller, role: 'ADMIN' as const };
  const { items } = await app.runtime.audit.entries(admin, { action: undefined, limit: 500, offset: 0 });
  const linesOf = ({ id, email }: { id: string; email: string }) =>
    items
      .filter(({ target }) => target === id)
      .map(({ action, actor, details }) => {
        assert.deepEqual(actor, { kind: 'user', id, label: email });
        return [action, details];
      })
      .reverse();
  assert.deepEqual(linesOf(user), [
    ['login.failed', { address: '203.0.113.7', reason: 'wrong password' }],
    ['login.succeeded', { address: '203.0.113.8' }],
  ]);
  assert.deepEqual(linesOf(deactivated), [['login.failed', { address: '203.0.113.9', reason: 'deactivated' }]]);
  assert.ok(!JSON.stringify(items).includes('nobody-at-all'));
  assert.ok(!JSON.stringify(items).includes(PASSWORD) && !JSON.stringify(items).includes(WRONG));
});

test('POST /portal/login: works when neither time nor audit line can be written', async (t) => {
  const app = await newApp(t);
  const { email } = await newUser(app, { password: PASSWORD });
  app.runtime.userStore.recordLogin = () => Promise.reject(new Error('no room'));
  app.runtime.audit.record = async () => undefined;
  assert.equal((await app.request('POST', LOGIN, { email, password: PASSWORD })).status, 200);
});

test('POST /portal/login: unfinished bodies of other clients do not block it', async (t) => {
  const app = await newApp(t);
  const { email } = await newUser(app, { password: PASSWORD });
  const open = Array.from({ length: 20 }, () => {
    const request = rawRequest(`${app.url}${LOGIN}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 10_000 },
    });
    request.on('error', () => undefined).write('{"email":"');
    return request;
  });
  t.after(() => {
    for (const request of open) request.destroy();
  });
  await eventually(
    'a login',
    async () => (await app.request('POST', LOGIN, { email, password: PASSWORD })).status === 200,
    5_000,
  );
});
