import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreateProvider } from '../../../src/core/access/sso/schema.ts';
import { testApp } from '../../support/app.ts';
import { startFaultyProvider } from '../../support/identity/faulty-provider.ts';
import { CookieJar, placeOf, refusalOf, signIn, untilCallback, visit } from '../../support/identity/sign-in.ts';
import { defineProvider, LOOPBACK, signOnOfThisFile, somebody, whoIsIn } from '../../support/identity/workspace.ts';
import { changeUser, newPerson, newUser, PORTAL } from '../../support/people.ts';

/* Whole logins over real sockets, with oidc-provider in a process of its own. */

const setUp = signOnOfThisFile();

test('single sign-on: a first login makes the user, and later ones find it', async () => {
  const { app, provider } = await setUp();
  const ada = somebody({ name: 'Ada Lima' });
  await provider.use(ada);
  const { jar, start, end } = await signIn(app, 'corp');
  const asked = new URL(start.location).searchParams;
  assert.deepEqual(
    [asked.get('response_type'), asked.get('code_challenge_method'), asked.get('scope')],
    ['code', 'S256', 'openid email profile groups'],
  );
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok((asked.get(name)?.length ?? 0) >= 43, name);
  assert.equal(end.location, `${app.url}/events`);
  const { user, tenant } = await whoIsIn(app, jar);
  assert.deepEqual([user.email, user.name, user.role, tenant.id], [ada.email, 'Ada Lima', 'VIEWER', app.tenantId]);
  const stored = await app.runtime.userStore.find(user.id);
  assert.deepEqual(stored?.metadata, { idp_user_id: ada.sub, idp_created: true });
  assert.equal(stored?.passwordHash, null);
  assert.ok(stored.lastLoginAt !== null);

  await provider.use({ ...ada, email: 'renamed@corp.example' });
  const again = await signIn(app, 'corp', new CookieJar());
  assert.equal((await whoIsIn(app, again.jar)).user.id, user.id, 'the subject counts, not the e-mail');
  const admin = await newPerson(app, { role: 'ADMIN' });
  const { entries } = (await admin.request('GET', `${PORTAL}/audit-log?action=login.succeeded`)).body;
  const line = entries.find(({ target }: { target: string }) => target === user.id);
  assert.deepEqual([line.details.provider, line.actor.label], ['corp', ada.email]);
});

test('single sign-on: cookies are HttpOnly, bound to the callback, and gone afterwards', async () => {
  const { app, provider } = await setUp();
  await provider.use(somebody());
  const { start, end } = await signIn(app, 'corp');
  const [pending] = start.headers.getSetCookie();
  const path = `${placeOf(app.tenantId, 'corp')}/callback`;
  assert.match(pending!, new RegExp(`^ar_sso=v1\\.[^;]+; Path=${path}; Max-Age=900; HttpOnly; SameSite=Lax$`));
  const [forgotten, device, session] = end.headers.getSetCookie();
  assert.match(forgotten!, new RegExp(`^ar_sso=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Lax$`));
  assert.match(device!, /^ar_device=.+; Path=\/api\/v1\/portal\/login; .*HttpOnly; SameSite=Strict$/);
  assert.match(session!, /^ar_session=eyJ[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  for (const step of [start, end]) {
    assert.equal(step.headers.get('cache-control'), 'no-store');
    assert.equal(step.headers.get('referrer-policy'), 'no-referrer');
  }
});

test('single sign-on: who has logged in here with other users keeps their device marks', async () => {
  const { app, provider } = await setUp();
  await provider.use(somebody());
  const first = await signIn(app, 'corp');
  await provider.use(somebody());
  const jar = new CookieJar();
  jar.keep(
    `${app.url}/`,
    new Headers({ 'set-cookie': `ar_device=${first.jar.get('ar_device')}; Path=/api/v1/portal/login` }),
  );
  await signIn(app, 'corp', jar);
  assert.equal(jar.get('ar_device')?.split('~').length, 2);
});

test('single sign-on: links a user only by a verified e-mail of an allowed domain', async () => {
  const cases: [settings: Partial<CreateProvider>, claims: Record<string, unknown>, refused: string | null][] = [
    [{}, {}, 'not_linked'],
    [{ allowedDomains: ['corp.example'] }, {}, null],
    [{ allowedDomains: ['corp.example'] }, { email_verified: undefined }, 'outsider'],
    [{ allowedDomains: ['corp.example'], linkByEmail: true }, { email_verified: undefined }, null],
    [{ allowedDomains: ['corp.example'] }, { email_verified: false }, 'outsider'],
    [{ allowedDomains: ['other.example'] }, {}, 'outsider'],
    [{ linkByEmail: true }, { email_verified: undefined }, null],
    [{ linkByEmail: true }, { email_verified: false }, 'no_email'],
    [{ linkByEmail: true }, { email: undefined }, 'no_email'],
  ];
  for (const [settings, claims, expected] of cases) {
    const { app, provider } = await setUp(settings);
    const person = somebody(claims);
    const email = `sso-${person.sub.slice(4)}@corp.example`;
    const user = await newUser(app, { email, role: 'USER' });
    await provider.use(person);
    const { end, jar } = await signIn(app, 'corp');
    assert.equal(refusalOf(end), expected, JSON.stringify([settings, claims]));
    if (expected !== null) continue;
    const found = (await whoIsIn(app, jar)).user;
    assert.deepEqual([found.id, found.role], [user.id, 'USER'], 'without a role claim the role stays');
    assert.deepEqual((await app.runtime.userStore.find(user.id))?.metadata, { idp_user_id: person.sub });
  }
});

test('single sign-on: refuses the deactivated, the unknown and who has no role', async () => {
  const { app, provider } = await setUp();
  const person = somebody();
  await provider.use(person);
  const { jar } = await signIn(app, 'corp');
  const { user } = await whoIsIn(app, jar);
  await changeUser(app, user.id, { isActive: false });
  assert.equal(refusalOf((await signIn(app, 'corp')).end), 'inactive');
  await setUp({ createUsers: false });
  await provider.use(somebody());
  assert.equal(refusalOf((await signIn(app, 'corp')).end), 'no_user');
  await setUp({ roleClaim: 'groups', roleMapping: [{ value: 'admins', role: 'ADMIN' }], defaultRole: null });
  await provider.use(somebody({ groups: ['others'] }));
  assert.equal(refusalOf((await signIn(app, 'corp')).end), 'no_role');
  await provider.use('denied');
  assert.equal(refusalOf((await signIn(app, 'corp')).end), 'cancelled');
  await setUp({ enabled: false });
  const { location } = await visit(new CookieJar(), `${app.url}${placeOf(app.tenantId, 'corp')}/start`);
  assert.equal(new URL(location).searchParams.get('refused'), 'unknown_provider');
});

test('single sign-on: roles follow the claim at every login, audited', async () => {
  const mapping: CreateProvider['roleMapping'] = [
    { value: 'staff', role: 'USER' },
    { value: 'bosses', role: 'ADMIN' },
  ];
  const { app, provider } = await setUp({ roleClaim: 'groups', roleMapping: mapping, defaultRole: 'VIEWER' });
  const roles: string[] = [];
  const person = somebody();
  for (const groups of [['staff', 'bosses'], ['staff'], [], undefined, 'bosses']) {
    await provider.use({ ...person, groups });
    roles.push((await whoIsIn(app, (await signIn(app, 'corp')).jar)).user.role);
  }
  assert.deepEqual(roles, ['ADMIN', 'USER', 'VIEWER', 'VIEWER', 'ADMIN']);
  const admin = await newPerson(app, { role: 'ADMIN' });
  const { entries } = (await admin.request('GET', `${PORTAL}/audit-log?action=user.updated`)).body;
  const mine = entries.filter(({ actor }: { actor: { label: string } }) => actor.label === person.email);
  assert.deepEqual(
    mine.map(({ details }: { details: object }) => details).reverse(),
    ['USER', 'VIEWER', 'ADMIN'].map((role) => ({ changed: ['role'], role, provider: 'corp' })),
  );
});

test('single sign-on: a callback counts once, for its browser and state alone', async () => {
  const { app, provider } = await setUp();
  await provider.use(somebody());
  const { jar, callback } = await untilCallback(app, 'corp');
  const foreign = await visit(new CookieJar(), callback);
  assert.equal(refusalOf(foreign), 'expired', 'login CSRF: a browser that did not begin it');
  const other = (await untilCallback(app, 'corp')).jar;
  assert.equal(refusalOf(await visit(other, callback)), 'expired', 'the pending login of another state');
  const kept = jar.header(callback);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => visit(new CookieJar(), callback, { headers: { cookie: kept } })),
  );
  const won = answers.filter((answer) => refusalOf(answer) === null);
  assert.equal(won.length, 1, answers.map(refusalOf).join());
  assert.equal(refusalOf(await visit(new CookieJar(), callback, { headers: { cookie: kept } })), 'expired');
  const altered = kept.slice(0, -1) + (kept.endsWith('A') ? 'B' : 'A');
  assert.equal(refusalOf(await visit(new CookieJar(), callback, { headers: { cookie: altered } })), 'expired');
});

test('single sign-on: a session from before is not taken over', async () => {
  const { app, provider } = await setUp();
  const attacker = await newPerson(app);
  const jar = new CookieJar();
  jar.keep(`${app.url}/`, new Headers({ 'set-cookie': `ar_session=${attacker.token}; Path=/` }));
  await provider.use(somebody());
  await signIn(app, 'corp', jar);
  assert.notEqual(jar.get('ar_session'), attacker.token);
  const { email } = (await whoIsIn(app, jar)).user;
  assert.match(email, /@corp\.example$/);
});

test('single sign-on: behind a proxy with a path, addresses and cookies have it', async (t) => {
  const app = await testApp(t, {
    ...{ rateLimit: 0, identityNetworks: LOOPBACK },
    publicUrl: 'https://runtime.example/below',
  });
  const provider = await startFaultyProvider(t);
  await defineProvider(app, { issuer: provider.issuer });
  const jar = new CookieJar();
  const place = placeOf(app.tenantId, 'corp');
  const start = await visit(jar, `${app.url}${place}/start?to=/events`);
  const redirectUri = `https://runtime.example/below${place}/callback`;
  assert.equal(new URL(start.location).searchParams.get('redirect_uri'), redirectUri);
  const [cookie = ''] = start.headers.getSetCookie();
  assert.match(cookie, new RegExp(`; Path=/below${place}/callback; Max-Age=900; HttpOnly; SameSite=Lax; Secure$`));
  const { location } = await visit(jar, start.location);
  assert.ok(location.startsWith(redirectUri), location);
  const callback = location.replace('https://runtime.example/below', app.url);
  const end = await visit(jar, callback, { headers: { cookie: cookie.split(';')[0]! } });
  assert.equal(end.headers.get('location'), '/below/events');
  const session = end.headers.getSetCookie().at(-1)!;
  assert.match(session, /^ar_session=.+; Path=\/below\/; .+; Secure$/);
  const form = new URLSearchParams(provider.requests.find(({ path }) => path === '/token')!.body);
  assert.equal(form.get('redirect_uri'), redirectUri);
  const refused = await visit(jar, callback);
  assert.equal(refused.headers.get('location'), '/below/login?refused=expired');
});

test('single sign-on: an e-mail that gets another owner does not bring the user along', async () => {
  const { app, provider } = await setUp({ allowedDomains: ['corp.example'] });
  const before = somebody();
  await provider.use(before);
  const { user } = await whoIsIn(app, (await signIn(app, 'corp')).jar);
  await provider.use({ ...before, sub: 'the next owner' });
  assert.equal(refusalOf((await signIn(app, 'corp')).end), 'not_linked');
  await provider.use(before);
  assert.equal((await whoIsIn(app, (await signIn(app, 'corp')).jar)).user.id, user.id);
});
