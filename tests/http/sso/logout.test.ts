import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../../support/app.ts';
import { type FaultyProvider, SUBJECT, startFaultyProvider } from '../../support/identity/faulty-provider.ts';
import { CLIENT } from '../../support/identity/provider.ts';
import { type CookieJar, refusalOf, signIn, visit } from '../../support/identity/sign-in.ts';
import {
  addressesAt,
  defineProvider,
  LOOPBACK,
  signOnOfThisFile,
  somebody,
  whoIsIn,
} from '../../support/identity/workspace.ts';
import { newPerson, PORTAL, withCookie } from '../../support/people.ts';
import { appOfThisFile, scopeOfThisFile } from '../../support/shared.ts';

const setUpReal = signOnOfThisFile();
const sharedApp = appOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1', identityNetworks: LOOPBACK });
const scope = scopeOfThisFile();
let faulty: Promise<FaultyProvider> | undefined;

async function setUp() {
  const app = await sharedApp();
  faulty ??= startFaultyProvider(scope);
  const provider = await faulty;
  provider.faults = {};
  await defineProvider(app, { issuer: provider.issuer });
  return { app, provider };
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

async function send(app: TestApp, token: string | undefined, id = 'corp') {
  const response = await fetch(addressesAt(app, id).backchannelLogoutUri, {
    method: 'POST',
    body: new URLSearchParams(token === undefined ? {} : { logout_token: token }),
  });
  return { status: response.status, cache: response.headers.get('cache-control'), text: await response.text() };
}

const isLive = async (app: TestApp, jar: CookieJar) =>
  (await withCookie(app, jar.get('ar_session') ?? '')('GET', `${PORTAL}/me`)).status === 200;

/** A session of the provider's session `sid`. */
async function sessionOf(app: TestApp, provider: FaultyProvider, sid: string): Promise<CookieJar> {
  provider.faults = { idToken: { sid } };
  const { jar, end } = await signIn(app, 'corp');
  assert.equal(refusalOf(end), null);
  return jar;
}

test('back-channel logout: ends the sessions of a sid, or all of a subject', async () => {
  const { app, provider } = await setUp();
  const [one, two, three] = [
    await sessionOf(app, provider, 'a'),
    await sessionOf(app, provider, 'b'),
    await sessionOf(app, provider, 'c'),
  ];
  const { user } = await whoIsIn(app, one);
  const password = await app.runtime.sessions.open((await app.runtime.userStore.find(user.id))!, { address: 'a test' });
  const live = async () => Promise.all([one, two, three].map((jar) => isLive(app, jar)));
  const answer = await send(app, await provider.logoutToken({ sub: SUBJECT, sid: 'a' }));
  assert.deepEqual([answer.status, answer.cache, answer.text], [200, 'no-store', '']);
  assert.deepEqual(await live(), [false, true, true]);
  await send(app, await provider.logoutToken({ sid: 'b' }));
  assert.deepEqual(await live(), [false, false, true]);
  assert.equal((await send(app, await provider.logoutToken({ sub: 'somebody else' }))).status, 200);
  assert.deepEqual(await live(), [false, false, true]);
  await send(app, await provider.logoutToken({ sub: SUBJECT }));
  assert.deepEqual(await live(), [false, false, false]);
  const own = await withCookie(app, password.token)('GET', `${PORTAL}/me`);
  assert.equal(own.status, 200, 'sessions that the provider did not open go on');
  const admin = await newPerson(app, { role: 'ADMIN' });
  const { entries } = (await admin.request('GET', `${PORTAL}/audit-log?action=session.ended`)).body;
  const lines = entries.filter(({ target }: { target: string }) => target === user.id);
  assert.equal(lines.length, 3);
  assert.deepEqual(lines[0].details, { sessions: 1, provider: 'corp' });
});

const now = () => Math.floor(Date.now() / 1_000);

test('back-channel logout: refuses every token that is not one of the provider', async () => {
  const { app, provider } = await setUp();
  const jar = await sessionOf(app, provider, 'kept');
  const stranger = await startFaultyProvider(scope);
  const claims = { sub: SUBJECT, sid: 'kept' };
  const idToken = { ...claims, nonce: 'a nonce', events: undefined };
  const tokens: Record<string, string | undefined> = {
    'no token': undefined,
    'no JWT': 'a.b.c',
    huge: 'x'.repeat(25_000),
    'foreign issuer': await provider.logoutToken({ ...claims, iss: stranger.issuer }),
    'signed by a stranger': await stranger.logoutToken({ ...claims, iss: provider.issuer }),
    'foreign key': await provider.logoutToken(claims, { signature: 'foreign key' }),
    'client secret': await provider.logoutToken(claims, { signature: 'secret' }),
    'no signature': await provider.logoutToken(claims, { signature: 'none' }),
    'broken signature': await provider.logoutToken(claims, { signature: 'broken' }),
    'foreign audience': await provider.logoutToken({ ...claims, aud: 'another' }),
    'an ID token': await provider.logoutToken(idToken),
    'a nonce': await provider.logoutToken({ ...claims, nonce: 'a nonce' }),
    'another event': await provider.logoutToken({ ...claims, events: { 'https://example.com/other': {} } }),
    'an event that is no object': await provider.logoutToken({ ...claims, events: { [EVENT]: true } }),
    'no jti': await provider.logoutToken({ ...claims, jti: undefined }),
    'neither sub nor sid': await provider.logoutToken({}),
    'an empty sub': await provider.logoutToken({ ...claims, sub: '' }),
    'a blank sub': await provider.logoutToken({ ...claims, sub: ' \u200b' }),
    'a sub that is a number': await provider.logoutToken({ ...claims, sub: 7 as never }),
    'an empty sid': await provider.logoutToken({ ...claims, sid: '' }),
    expired: await provider.logoutToken({ ...claims, iat: now() - 500, exp: now() - 300 }),
    old: await provider.logoutToken({ ...claims, iat: now() - 5_000, exp: now() + 300 }),
    'from the future': await provider.logoutToken({ ...claims, iat: now() + 5_000, exp: now() + 6_000 }),
    'no expiry': await provider.logoutToken({ ...claims, exp: undefined }),
    'another typ': await provider.logoutToken(claims, { typ: 'at+jwt' }),
  };
  for (const [name, token] of Object.entries(tokens)) {
    const { status, text } = await send(app, token);
    assert.deepEqual([status, JSON.parse(text).error], [400, 'invalid_request'], name);
  }
  assert.equal(await isLive(app, jar), true);
  const right = await provider.logoutToken(claims);
  assert.equal((await send(app, right, 'unknown')).status, 400);
  assert.equal((await send(app, right)).status, 200);
  assert.equal((await send(app, right)).status, 400, 'a token counts once');
  assert.equal(await isLive(app, jar), false);
});

test('back-channel logout: takes a POST with a form alone', async () => {
  const { app, provider } = await setUp();
  const { backchannelLogoutUri: address } = addressesAt(app);
  const token = await provider.logoutToken({ sub: SUBJECT });
  assert.equal((await fetch(`${address}?logout_token=${token}`)).status, 405);
  const json = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ logout_token: token }),
  });
  assert.equal(json.status, 400);
  const large = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: 'x'.repeat(50_000) }),
  });
  assert.equal(large.status, 413);
});

test('back-channel logout: a logout at oidc-provider ends the session here', async () => {
  const { app, provider } = await setUpReal();
  await provider.use(somebody());
  const { jar } = await signIn(app, 'corp');
  const other = await signIn(app, 'corp');
  assert.deepEqual([await isLive(app, jar), await isLive(app, other.jar)], [true, true]);
  const form = await visit(jar, `${provider.issuer}/session/end?client_id=${CLIENT.clientId}`);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(form.text)?.[1] ?? '';
  const confirm = /action="([^"]+)"/.exec(form.text)?.[1] ?? '';
  const done = await visit(jar, confirm, { method: 'POST', body: new URLSearchParams({ xsrf, logout: 'yes' }) });
  assert.ok(done.status < 400, `${done.status} ${done.text}`);
  assert.deepEqual([await isLive(app, jar), await isLive(app, other.jar)], [false, true]);
});
