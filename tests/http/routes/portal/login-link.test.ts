import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Waiting } from '../../../../src/core/access/auth/admission.ts';
import { DeviceCookies } from '../../../../src/core/access/auth/device-cookies.ts';
import { type FailedLogin, LoginService } from '../../../../src/core/access/auth/logins.ts';
import { PasswordHasher } from '../../../../src/core/access/auth/password-hash.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { createLog } from '../../../../src/logging/log.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { changeUser, loginWithPassword, newUser, OWN_PAGE, PORTAL, withCookie } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { assertError, assertNames } from '../dashboards/support.ts';

const LINK = `${PORTAL}/login/link`;
const HOUR = 3_600_000;

const sharedApp = appOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1' });
let addresses = 0;

/** From an address of its own, as the proxy in front says it. */
const follow = (app: TestApp, secret: unknown, headers: Record<string, string> = OWN_PAGE) =>
  app.request(
    'POST',
    LINK,
    { secret },
    {
      ...{ 'x-api-key': '', 'x-forwarded-for': `198.51.100.${++addresses}` },
      ...headers,
    },
  );

test('POST /portal/login/link: opens a cookie session as a login does', async () => {
  const app = await sharedApp();
  const user = await newUser(app, { role: 'ADMIN' });
  const { id, email, name, role, tenantId } = user;
  const secret = await app.runtime.logins.issueLink(user, HOUR);
  const answer = await follow(app, secret, { ...OWN_PAGE, 'user-agent': 'A browser' });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(Object.keys(answer.body).sort(), ['expiresAt', 'token', 'user']);
  assert.deepEqual(answer.body.user, { id, email, name, role, tenantId, language: null });
  const [device, session] = answer.headers.getSetCookie();
  assert.match(device!, new RegExp(`^ar_device=${id}\\.`));
  assert.match(session!, /^ar_session=eyJ[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  const token = /=([^;]+)/.exec(session!)![1]!;
  const { sessions } = (await withCookie(app, token)('GET', `${PORTAL}/sessions`)).body;
  assert.deepEqual([sessions.length, sessions[0].userAgent], [1, 'A browser']);
  assert.ok((await app.runtime.userStore.find(id))!.lastLoginAt !== null);
  const { entries } = (await withCookie(app, token)('GET', `${PORTAL}/audit-log?action=login.succeeded`)).body;
  const line = entries.find(({ target }: { target: string }) => target === id);
  assert.deepEqual(line.actor, { kind: 'user', id, label: email });
  assert.deepEqual(line.details, { address: `198.51.100.${addresses}`, link: true });
});

test('POST /portal/login/link: every refusal has the same response', async (t) => {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const app = await testApp(t, { rateLimit: 0, trustedProxies: '127.0.0.1' }, { ...realEffects, now: () => now });
  const linkOf = async (lifetime = HOUR) => {
    const user = await newUser(app);
    return { user, secret: await app.runtime.logins.issueLink(user, lifetime) };
  };
  const [expired, deactivated, changed, blocked] = [
    await linkOf(HOUR - 1),
    await linkOf(),
    await linkOf(),
    await linkOf(),
  ];
  now += HOUR - 1;
  await changeUser(app, deactivated.user.id, { isActive: false });
  await changeUser(app, changed.user.id, { sessionVersion: now });
  const answers = [await follow(app, expired.secret)];
  for (const { secret } of [deactivated, changed]) answers.push(await follow(app, secret));
  answers.push(await follow(app, 'x'.repeat(43)), await follow(app, app.key));
  app.runtime.tenants.erasing.block(app.tenantId);
  answers.push(await follow(app, blocked.secret));
  app.runtime.tenants.erasing.unblock(app.tenantId);
  for (const answer of answers) {
    assertError(answer, 401, 'Unauthorized');
    assert.deepEqual(answer.body, answers[0]!.body);
  }
  await changeUser(app, deactivated.user.id, { isActive: true });
  assert.equal((await follow(app, deactivated.secret)).status, 401, 'a refused link is used up');
  await app.runtime.logins.settled();
  await app.runtime.audit.settled();
  const query = { action: 'login.failed', limit: 100, offset: 0 };
  const { items } = await app.runtime.audit.entries({ ...app.caller, role: 'ADMIN' }, query);
  assert.deepEqual(items.map(({ target, details }) => [target, details.reason]).reverse(), [
    [deactivated.user.id, 'deactivated'],
    [changed.user.id, 'the link is older than the password'],
  ]);
});

test('POST /portal/login/link: a foreign page cannot use it, nor use it up', async () => {
  const app = await sharedApp();
  const user = await newUser(app);
  const secret = await app.runtime.logins.issueLink(user, HOUR);
  const foreign: Record<string, string>[] = [
    {},
    { ...OWN_PAGE, 'sec-fetch-site': 'cross-site' },
    { ...OWN_PAGE, 'sec-fetch-site': 'none' },
    { ...OWN_PAGE, 'x-requested-with': 'XMLHttpRequest' },
  ];
  for (const headers of foreign) assertError(await follow(app, secret, headers), 403, 'Forbidden');
  for (const method of ['GET', 'HEAD']) {
    assert.equal((await app.request(method, `${LINK}?secret=${secret}`, undefined, OWN_PAGE)).status, 405);
  }
  assert.equal((await follow(app, secret)).status, 200);
});

test('POST /portal/login/link: wrong shape 400', async () => {
  const app = await sharedApp();
  for (const secret of ['', 1, 'x'.repeat(201), undefined]) assertNames(await follow(app, secret), 'secret');
});

test('POST /portal/login/link: the secret reaches no log', async (t) => {
  const lines: string[] = [];
  const app = await testApp(t, {}, undefined, createLog('trace', { write: (line) => lines.push(line) }));
  const user = await newUser(app);
  const secret = await app.runtime.logins.issueLink(user, HOUR);
  assert.equal((await follow(app, [secret])).status, 400);
  assert.equal((await follow(app, secret, {})).status, 403);
  assert.equal((await follow(app, secret)).status, 200);
  assert.equal((await follow(app, secret)).status, 401);
  assert.ok(lines.some((line) => line.includes('login failed')));
  assert.ok(!lines.join('').includes(secret));
});

test('LoginService.loginWithLink: failures slow the address, right links do not', async () => {
  const { logins, slept, failed, clock, newLink } = await fakeLogins();
  for (let count = 0; count < 30; count++) await logins.loginWithLink(await newLink(), { address: 'here' });
  const wrong = () => logins.loginWithLink('wrong', { address: 'here' });
  for (let count = 0; count < 21; count++) await assert.rejects(wrong(), { code: 'unauthenticated' });
  assert.deepEqual(slept, []);
  await assert.rejects(wrong(), { code: 'unauthenticated' });
  assert.deepEqual(slept, [250]);
  await assert.rejects(loginWithPassword(logins, { email: 'nobody@example.com', password: 'x' }, { address: 'here' }));
  assert.deepEqual(slept, [250, 500], 'one count for links and passwords');
  clock.stands = true;
  const flood = await Promise.allSettled(Array.from({ length: 50 }, wrong));
  const codes = new Set(flood.map((one) => (one as PromiseRejectedResult).reason.code));
  assert.ok(codes.has('rate_limited'), String([...codes]));
  await logins.loginWithLink(await newLink(), { address: 'elsewhere' });
  assert.deepEqual(failed[0], { address: 'here', users: [] });
});

async function fakeLogins() {
  const app = await sharedApp();
  const { userStore: users, tenants, audit, secretKey, sessions } = app.runtime;
  const slept: number[] = [];
  const failed: FailedLogin[] = [];
  const clock = { now: 0, stands: false };
  const waiting: Waiting = {
    elapsed: () => clock.now,
    sleep: async (ms) => {
      slept.push(ms);
      if (!clock.stands) clock.now += ms;
    },
  };
  const logins = new LoginService({
    ...{ users, tenants, audit, sessions, waiting, effects: realEffects },
    passwords: new PasswordHasher({
      hash: async (password) => password,
      verify: async (password, hash) => password === hash,
      isOutdated: () => false,
      dummyHash: '',
    }),
    devices: new DeviceCookies({ secretKey, now: realEffects.now }),
    onFailure: (one) => failed.push(one),
  });
  const user = await newUser(app);
  return { logins, slept, failed, clock, newLink: () => logins.issueLink(user, HOUR) };
}
