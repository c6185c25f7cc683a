import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { createLog } from '../../../../src/logging/log.ts';
import { startMailServer } from '../../../senders/mail-support.ts';
import { type TestApp, temporaryDirectory, testApp } from '../../../support/app.ts';
import { startFaultyProvider } from '../../../support/identity/faulty-provider.ts';
import { defineProvider, LOOPBACK } from '../../../support/identity/workspace.ts';
import { changeUser, newPerson, OWN_PAGE, type Person, PORTAL, withCookie } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { assertError, assertNames } from '../users/support.ts';

const INVITATIONS = `${PORTAL}/invitations`;
const PASSWORD = 'eleven orange tricycles';
const WEEK_MS = 7 * 86_400_000;
const UNKNOWN = 'x'.repeat(43);

const sharedApp = appOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1' });
let guests = 0;

const newEmail = () => `guest-${++guests}@example.com`;

/** Without a credential, from an address of its own. */
const open = (app: TestApp, path: string, body: object, headers: Record<string, string> = {}) =>
  app.request('POST', `${INVITATIONS}/${path}`, body, {
    ...{ 'x-api-key': '', 'x-forwarded-for': `198.51.100.${++guests % 250}` },
    ...headers,
  });

async function invited({ request }: Pick<Person, 'request'>, body: object = {}) {
  const given = { email: newEmail(), role: 'USER', ...body };
  const answer = await request('POST', INVITATIONS, given);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  const secret = /#(.*)$/.exec(answer.body.link)![1]!;
  return { ...answer.body, secret } as { id: string; email: string; link: string; expiresAt: string; secret: string };
}

const accept = (app: TestApp, secret: string, more: object = {}, headers = {}) =>
  open(app, 'accept', { secret, name: 'Bea Rocha', password: PASSWORD, ...more }, headers);

/** A tenant of its own with an administrator. */
async function newTenant(app: TestApp, role: 'ADMIN' | 'SUPER_ADMIN' = 'ADMIN') {
  const { id, name } = await app.runtime.tenants.create({ name: `guests ${++guests}` });
  return { id, name, admin: await newPerson(app, { tenant: id, role }) };
}

async function lines({ request }: Person, action: string) {
  return (await request('GET', `${PORTAL}/audit-log?action=${action}`)).body.entries;
}

test('POST /portal/invitations: a link makes the user once, and logs in', async () => {
  const app = await sharedApp();
  const { admin, name: tenant } = await newTenant(app);
  const { id, email, link, secret, expiresAt } = await invited(admin, { email: 'Bea.Rocha@example.com' });
  assert.equal(link, `${app.url}/invitation#${secret}`);
  assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - WEEK_MS) < 60_000);
  const described = await open(app, 'describe', { secret });
  assert.deepEqual(described.body, {
    ...{ email, role: 'USER', tenant: { id: admin.user.tenantId, name: tenant }, expiresAt, passwordLogin: true },
    invitedBy: { name: admin.user.name, email: admin.user.email },
  });
  const { status, body, headers } = await accept(app, secret, { session: 'cookie' }, OWN_PAGE);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.user.email, body.user.role, body.user.name], [email, 'USER', 'Bea Rocha']);
  const session = headers.getSetCookie().find((cookie) => cookie.startsWith('ar_session='))!;
  const me = await withCookie(app, /=([^;]+)/.exec(session)![1]!)('GET', `${PORTAL}/me`);
  assert.equal(me.body.user.id, body.user.id);
  const login = { email, password: PASSWORD, tenant };
  assert.equal((await app.request('POST', `${PORTAL}/login`, login, { 'x-api-key': '' })).status, 200);
  for (const path of ['describe', 'accept']) {
    const again = path === 'accept' ? await accept(app, secret) : await open(app, path, { secret });
    assertError(again, 410, /^This invitation was used or revoked, has expired or never was valid/);
  }
  assert.equal((await admin.request('GET', `${PORTAL}/users/${body.user.id}`)).body.metadata.invite_sent, true);
  const [created] = await lines(admin, 'invitation.created');
  assert.deepEqual([created.actor.id, created.target, created.details], [admin.user.id, id, { role: 'USER' }]);
  const [accepted] = await lines(admin, 'invitation.accepted');
  assert.deepEqual([accepted.actor.id, accepted.target, accepted.details.by], [body.user.id, id, admin.user.email]);
  const logins = await lines(admin, 'login.succeeded');
  assert.ok(logins.some(({ details }: { details: object }) => 'invitation' in details));
});

test('POST /portal/invitations: roles follow the rules of users', async () => {
  const app = await sharedApp();
  const { admin, id } = await newTenant(app);
  const chief = await newPerson(app, { tenant: id, role: 'SUPER_ADMIN' });
  const post = (by: Person, role: string) => by.request('POST', INVITATIONS, { email: newEmail(), role });
  for (const role of ['VIEWER', 'HUB_USER', 'USER', 'ADMIN']) assert.equal((await post(admin, role)).status, 201);
  assertError(await post(admin, 'SUPER_ADMIN'), 403, /^role: you cannot make anyone SUPER_ADMIN/);
  assert.equal((await post(chief, 'SUPER_ADMIN')).status, 201);
  for (const role of ['USER', 'VIEWER', 'HUB_USER'] as const) {
    assertError(await post(await newPerson(app, { tenant: id, role }), 'VIEWER'), 403);
  }
  const top = await invited(chief, { role: 'SUPER_ADMIN' });
  assertError(await admin.request('DELETE', `${INVITATIONS}/${top.id}`), 403, /^role: /);
  assertError(await admin.request('POST', INVITATIONS, { email: top.email, role: 'USER' }), 403, /^role: /);
  assert.equal((await accept(app, top.secret)).body.user.role, 'SUPER_ADMIN');
});

test('POST /portal/invitations: wrong members 400, known e-mail 409, no mail 422', async () => {
  const app = await sharedApp();
  const { admin } = await newTenant(app);
  const post = (body: object) => admin.request('POST', INVITATIONS, body);
  assertNames(await post({}), 'email', 'role');
  assertNames(await post({ email: 'nobody', role: 'CHIEF', mail: 1, note: '' }), 'email', 'role', 'mail', 'note');
  const taken = { email: admin.user.email.toUpperCase(), role: 'USER' };
  assertError(await post(taken), 409, /^email: the tenant has a user with the e-mail /);
  assertError(await post({ email: newEmail(), role: 'USER', mail: true }), 422, /^mail: this server sends no e-mail/);
  assert.equal((await admin.request('GET', INVITATIONS)).body.total, 0);
});

test('POST /portal/invitations: another one replaces the open one of the e-mail', async () => {
  const app = await sharedApp();
  const { admin } = await newTenant(app);
  const first = await invited(admin);
  const second = await invited(admin, { email: first.email.toUpperCase(), role: 'VIEWER' });
  const { invitations, total } = (await admin.request('GET', INVITATIONS)).body;
  assert.deepEqual([total, invitations[0].id, invitations[0].role], [1, second.id, 'VIEWER']);
  assert.equal((await accept(app, first.secret)).status, 410);
  assert.equal((await accept(app, second.secret)).status, 200);
});

test('GET /portal/invitations: the open ones of the tenant, never with a secret', async () => {
  const app = await sharedApp();
  const [here, there] = [await newTenant(app), await newTenant(app)];
  const made = [await invited(here.admin), await invited(here.admin)];
  await invited(there.admin);
  const answer = await here.admin.request('GET', `${INVITATIONS}?limit=1`);
  const { user } = here.admin;
  const { createdAt, ...shown } = answer.body.invitations[0];
  assert.equal(answer.body.total, 2);
  assert.ok(createdAt < made[1]!.expiresAt);
  assert.deepEqual(shown, {
    ...{ id: made[1]!.id, email: made[1]!.email, role: 'USER', expiresAt: made[1]!.expiresAt, valid: true },
    invitedBy: { id: user.id, name: user.name, email: user.email },
  });
  assert.ok(!JSON.stringify(answer.body).includes(made[1]!.secret));
  const foreign = await there.admin.request('DELETE', `${INVITATIONS}/${made[0]!.id}`);
  assertError(foreign, 404);
  assert.equal((await here.admin.request('DELETE', `${INVITATIONS}/${made[0]!.id}`)).status, 204);
  assertError(await here.admin.request('DELETE', `${INVITATIONS}/${made[0]!.id}`), 404);
  assert.equal((await accept(app, made[0]!.secret)).status, 410);
  const [revoked] = await lines(here.admin, 'invitation.revoked');
  assert.equal(revoked.target, made[0]!.id);
});

test('POST /portal/invitations/accept: every refusal has the same response', async (t) => {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const app = await testApp(t, { rateLimit: 0, trustedProxies: '127.0.0.1' }, { ...realEffects, now: () => now });
  const admin = await newPerson(app, { role: 'ADMIN' });
  const leaver = await newPerson(app, { role: 'ADMIN' });
  const demoted = await newPerson(app, { role: 'ADMIN' });
  const expired = await invited(admin);
  now += 1;
  const [used, revoked, ofLeaver, ofDemoted, blocked] = [
    await invited(admin),
    await invited(admin),
    await invited(leaver),
    await invited(demoted),
    await invited(admin),
  ];
  now += WEEK_MS - 1;
  const fresh = await newPerson(app, { role: 'ADMIN' });
  assert.equal((await accept(app, used.secret)).status, 200);
  assert.equal((await fresh.request('DELETE', `${INVITATIONS}/${revoked.id}`)).status, 204);
  await changeUser(app, leaver.user.id, { isActive: false });
  await changeUser(app, demoted.user.id, { role: 'USER' });
  const shown = (await fresh.request('GET', INVITATIONS)).body.invitations;
  const validOf = (id: string) => shown.find((one: { id: string }) => one.id === id)?.valid;
  assert.deepEqual(
    [ofLeaver, ofDemoted, blocked, expired].map(({ id }) => validOf(id)),
    [false, false, true, undefined],
  );
  const answers = [];
  for (const { secret } of [expired, used, revoked, ofLeaver, ofDemoted]) answers.push(await accept(app, secret));
  answers.push(await accept(app, UNKNOWN), await open(app, 'describe', { secret: UNKNOWN }));
  app.runtime.tenants.erasing.block(app.tenantId);
  answers.push(await accept(app, blocked.secret));
  app.runtime.tenants.erasing.unblock(app.tenantId);
  for (const answer of answers) {
    assertError(answer, 410);
    assert.deepEqual(answer.body, answers[0]!.body);
  }
  assert.equal((await accept(app, blocked.secret)).status, 200);
});

test('POST /portal/invitations/accept: many at once make one user', async () => {
  const app = await sharedApp();
  const { admin } = await newTenant(app);
  const { secret, email } = await invited(admin);
  const answers = await Promise.all(Array.from({ length: 8 }, () => accept(app, secret)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(410)]);
  assert.equal((await admin.request('GET', `${PORTAL}/users?search=${email}`)).body.total, 1);
});

test('POST /portal/invitations/accept: a weak or missing password leaves it open', async () => {
  const app = await sharedApp();
  const { admin } = await newTenant(app);
  const { secret, email } = await invited(admin);
  assertNames(await accept(app, secret, { password: 'short', name: 'B' }), 'password', 'name');
  assertNames(await open(app, 'accept', { secret, name: 'Bea Rocha' }), 'password');
  assertError(await accept(app, secret, { password: email }), 422, /^password: is easy to guess/);
  assertNames(await accept(app, '', { role: 'ADMIN' }), 'secret', 'role');
  assertError(await accept(app, secret, { session: 'cookie' }), 403, /^The session cookie is refused/);
  const foreign = { ...OWN_PAGE, 'sec-fetch-site': 'cross-site' };
  assertError(await accept(app, secret, { session: 'cookie' }, foreign), 403);
  const taken = await newPerson(app, { tenant: admin.user.tenantId, email });
  assertError(await accept(app, secret), 409, /^email: the tenant has a user/);
  assert.equal(taken.user.email, email);
});

test('POST /portal/invitations/accept: a required second factor comes first', async () => {
  const app = await sharedApp();
  const { admin, id } = await newTenant(app);
  await app.runtime.tenants.changeSettings(id, { secondFactor: 'everyone' }, null);
  const { secret } = await invited(admin);
  const { status, body, headers } = await accept(app, secret, { session: 'cookie' }, OWN_PAGE);
  assert.deepEqual([status, body.secondFactor.enrol, headers.getSetCookie()], [202, true, []]);
  const begin = { ticket: body.secondFactor.ticket, method: 'code' };
  const path = `${PORTAL}/login/second-factor/enrolment`;
  assert.equal((await app.request('POST', path, begin, { 'x-api-key': '' })).status, 200);
});

test('POST /portal/invitations/accept: without password logins, a provider logs in', async (t) => {
  const app = await testApp(t, { rateLimit: 0, identityNetworks: LOOPBACK });
  const provider = await startFaultyProvider(t);
  await defineProvider(app, { issuer: provider.issuer, allowedDomains: ['example.com'] });
  const admin = await newPerson(app, { role: 'ADMIN' });
  await app.runtime.tenants.changeSettings(app.tenantId, { passwordLogin: false }, null);
  const [linked, outside] = [await invited(admin), await invited(admin, { email: 'guest@elsewhere.example' })];
  assert.equal((await open(app, 'describe', { secret: linked.secret })).body.passwordLogin, false);
  const answer = await open(app, 'accept', { secret: linked.secret, name: 'Bea Rocha' });
  assert.deepEqual([answer.status, answer.body], [201, { loginUrl: 'login?tenant=default' }]);
  const [user] = await app.runtime.userStore.findByEmail(linked.email, app.tenantId);
  assert.deepEqual([user?.passwordHash, user?.role, user?.name], [null, 'USER', 'Bea Rocha']);
  const other = await open(app, 'accept', { secret: outside.secret, name: 'Guest' });
  assert.equal(other.status, 201);
  assert.deepEqual(
    await app.runtime.userStore.findByEmail(outside.email, app.tenantId),
    [],
    'it makes the user itself',
  );
});

test('invitations: they survive a restart, and go with their tenant', async (t) => {
  const dataDir = temporaryDirectory(t);
  const made: { secret: string }[] = [];
  await t.test('before the restart', async (t) => {
    const before = await testApp(t, { dataDir, rateLimit: 0 });
    const { id: tenant } = await before.runtime.tenants.create({ name: 'leaving' });
    made.push(await invited(await newPerson(before, { role: 'ADMIN' })));
    made.push(await invited(await newPerson(before, { tenant, role: 'ADMIN' })));
  });
  const [kept, leaving] = made as [{ secret: string }, { secret: string }];
  const after = await testApp(t, { dataDir, rateLimit: 0 });
  assert.equal((await open(after, 'describe', { secret: leaving.secret })).status, 200);
  const { erased } = await after.runtime.erasure.erase({ tenant: 'leaving' });
  assert.equal(erased.invitations, 1);
  assert.equal((await accept(after, leaving.secret)).status, 410);
  assert.equal((await accept(after, kept.secret)).status, 200);
});

test('invitations: secret and password reach no log', async (t) => {
  const logged: string[] = [];
  const log = createLog('trace', { write: (line) => logged.push(line) });
  const app = await testApp(t, { rateLimit: 0 }, undefined, log);
  const admin = await newPerson(app, { role: 'ADMIN' });
  const { secret } = await invited(admin);
  await open(app, 'accept', { secret: [secret] });
  await open(app, 'describe', { secret });
  assert.equal((await accept(app, secret)).status, 200);
  assert.equal((await accept(app, secret)).status, 410);
  const audit = JSON.stringify((await admin.request('GET', `${PORTAL}/audit-log?limit=500`)).body);
  for (const text of [secret, PASSWORD]) assert.ok(!logged.join('').includes(text) && !audit.includes(text));
});

test('POST /portal/invitations: with `mail` the link is sent, and still in the answer', async (t) => {
  const { port, mails } = await startMailServer(t, {
    onMail: (_, count) => (count === 1 ? null : Object.assign(new Error('full'), { responseCode: 552 })),
  });
  const smtp = { smtpUrl: `smtp://127.0.0.1:${port}`, smtpFrom: 'Runtime <runtime@example.com>' };
  const app = await testApp(t, { rateLimit: 0, ...smtp });
  const admin = await newPerson(app, { role: 'ADMIN', name: 'Ada Lima' });
  const post = (email: string) => admin.request('POST', INVITATIONS, { email, role: 'USER', mail: true });
  const { status, body } = await post('bea@example.com');
  assert.deepEqual([status, body.mailed, 'mailError' in body], [201, true, false]);
  assert.deepEqual(mails[0]?.to, ['bea@example.com']);
  assert.match(mails[0]!.text, /^Subject: Ada Lima invites you to default$/m);
  assert.ok(mails[0]!.text.replaceAll('=\n', '').replaceAll('=3D', '=').includes(body.link));
  const refused = await post('carla@example.com');
  assert.deepEqual([refused.status, refused.body.mailed], [201, false]);
  assert.match(refused.body.mailError, /^The mail server refused the message \(552\)/);
  assert.equal((await open(app, 'describe', { secret: refused.body.link.split('#')[1] })).status, 200);
  assertError(await post('bea@elsewhere.example'), 422, /^mail: bea@elsewhere.example is not allowed/);
});
