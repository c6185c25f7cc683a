import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestApp, testApp } from '../../support/app.ts';
import { startFaultyProvider } from '../../support/identity/faulty-provider.ts';
import { CookieJar, signIn } from '../../support/identity/sign-in.ts';
import { defineProvider, LOOPBACK } from '../../support/identity/workspace.ts';
import { newPerson, newUser, OWN_PAGE, PORTAL, withCookie } from '../../support/people.ts';

const PASSWORD = 'correct horse battery staple';
const SETTINGS = `${PORTAL}/settings`;

const login = (app: TestApp, email: string, password = PASSWORD) =>
  app.request('POST', `${PORTAL}/login`, { email, password }, { 'x-api-key': '' });

test('password logins: off only from a session of a provider, or by the operator', async (t) => {
  const app = await testApp(t, { rateLimit: 0, identityNetworks: LOOPBACK });
  const provider = await startFaultyProvider(t);
  const off = { passwordLogin: false };
  const admin = await newPerson(app, { role: 'ADMIN', password: PASSWORD });
  assert.equal((await admin.request('PATCH', SETTINGS, off)).status, 409);
  const { tenants, identityProviders } = app.runtime;
  await assert.rejects(tenants.changeSettings(app.tenantId, off, null), { code: 'conflict' });

  const roles = { roleClaim: 'groups', roleMapping: [{ value: 'admins', role: 'ADMIN' as const }] };
  await defineProvider(app, { issuer: provider.issuer, ...roles });
  assert.equal((await admin.request('PATCH', SETTINGS, off)).status, 409, 'their session is one of a password');
  provider.faults = { idToken: { groups: ['admins'] } };
  const { jar } = await signIn(app, 'corp');
  const bySso = withCookie(app, jar.get('ar_session')!);
  await defineProvider(app, { id: 'other', issuer: provider.issuer });
  await identityProviders.change(app.tenantId, 'corp', { enabled: false }, null);
  assert.equal((await bySso('PATCH', SETTINGS, off)).status, 409, 'the provider of the session is switched off');
  await identityProviders.change(app.tenantId, 'corp', { enabled: true }, null);
  await identityProviders.remove(app.tenantId, 'other', null);
  const { status, body } = await bySso('PATCH', SETTINGS, off);
  assert.deepEqual([status, body.passwordLogin], [200, false]);

  for (const change of [
    () => identityProviders.remove(app.tenantId, 'corp', null),
    () => identityProviders.change(app.tenantId, 'corp', { enabled: false }, null),
  ]) {
    await assert.rejects(change(), { code: 'conflict' }, 'the last way in stays');
  }
  const offered = (await app.request('GET', `${PORTAL}/login/sso`)).body;
  assert.deepEqual([offered.passwordLogin, offered.providers.length], [false, 1]);
  assert.equal((await bySso('PATCH', SETTINGS, { passwordLogin: true })).body.passwordLogin, true);
  await identityProviders.remove(app.tenantId, 'corp', null);
});

test('password logins: where they are off, a right password is refused as a wrong one', async (t) => {
  const app = await testApp(t, { rateLimit: 0, identityNetworks: LOOPBACK });
  const provider = await startFaultyProvider(t);
  await defineProvider(app, { issuer: provider.issuer });
  const user = await newUser(app, { password: PASSWORD, role: 'ADMIN' });
  assert.equal((await login(app, user.email)).status, 200);
  await app.runtime.tenants.changeSettings(app.tenantId, { passwordLogin: false }, null);
  const [right, wrong, unknown] = [
    await login(app, user.email),
    await login(app, user.email, 'a wrong one'),
    await login(app, 'nobody@example.com'),
  ];
  for (const answer of [right, wrong, unknown]) {
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.body, unknown.body);
  }
  await app.runtime.logins.settled();
  const admin = await newPerson(app, { role: 'ADMIN' });
  const { entries } = (await admin.request('GET', `${PORTAL}/audit-log?action=login.failed`)).body;
  assert.equal(entries[0].details.reason, 'password logins are switched off');
});

test('password logins: other tenants keep theirs', async (t) => {
  const app = await testApp(t, { rateLimit: 0, identityNetworks: LOOPBACK });
  const provider = await startFaultyProvider(t);
  await defineProvider(app, { issuer: provider.issuer });
  await app.runtime.tenants.create({ name: 'acme' });
  const [here, there] = [
    await newUser(app, { password: PASSWORD, email: 'both@example.com' }),
    await newUser(app, { password: PASSWORD, email: 'both@example.com', tenant: 'acme' }),
  ];
  assert.equal((await login(app, here.email)).status, 400, 'the tenant must be named');
  await app.runtime.tenants.changeSettings(app.tenantId, { passwordLogin: false }, null);
  assert.equal((await login(app, here.email)).body.user.id, there.id);
});

test('login links: the operator lets somebody in once, also without passwords', async (t) => {
  const app = await testApp(t, { rateLimit: 0, identityNetworks: LOOPBACK });
  const provider = await startFaultyProvider(t);
  await defineProvider(app, { issuer: provider.issuer });
  await app.runtime.tenants.changeSettings(app.tenantId, { passwordLogin: false }, null);
  const user = await newUser(app, { role: 'ADMIN' });
  const { secret, email } = await app.runtime.logins.issueOperatorLink(user, 10);
  assert.equal(email, user.email);
  const follow = () => app.request('POST', `${PORTAL}/login/link`, { secret }, { 'x-api-key': '', ...OWN_PAGE });
  assert.equal((await follow()).body.user.id, user.id);
  assert.equal((await follow()).status, 401);
  const admin = await newPerson(app, { role: 'ADMIN' });
  const { entries } = (await admin.request('GET', `${PORTAL}/audit-log?action=login_link.issued`)).body;
  assert.deepEqual(
    [entries[0].actor.kind, entries[0].target, entries[0].details],
    ['operator', user.id, { minutes: 10 }],
  );
  assert.ok(!JSON.stringify(entries).includes(secret));
  const gone = await newUser(app, { isActive: false });
  await assert.rejects(app.runtime.logins.issueOperatorLink(gone, 10), { code: 'conflict' });
});

test('password logins: an administrator of a provider is known by the session alone', async (t) => {
  const app = await testApp(t, { rateLimit: 0, identityNetworks: LOOPBACK });
  const provider = await startFaultyProvider(t);
  await defineProvider(app, { issuer: provider.issuer });
  await signIn(app, 'corp', new CookieJar());
  const user = (await app.runtime.userStore.findByEmail('faulty@corp.example', app.tenantId))[0]!;
  const byPassword = await app.runtime.sessions.open({ ...user, role: 'ADMIN' }, { address: 'a test' });
  const caller = { ...(await app.runtime.sessions.authenticate(byPassword.token)), role: 'ADMIN' as const };
  await assert.rejects(app.runtime.tenants.changeSettings(app.tenantId, { passwordLogin: false }, caller), {
    code: 'conflict',
  });
});
