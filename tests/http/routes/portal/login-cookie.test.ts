import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestApp, type TestResponse, testApp } from '../../../support/app.ts';
import { newUser, OWN_PAGE, PORTAL, withCookie } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { assertError, assertNames } from '../dashboards/support.ts';

const LOGIN = `${PORTAL}/login`;
const PASSWORD = 'correct horse battery staple';

const sharedApp = appOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1' });

const loginOf = (app: TestApp, email: string, session: unknown, headers: Record<string, string> = OWN_PAGE) =>
  app.request('POST', LOGIN, { email, password: PASSWORD, session }, { 'x-api-key': '', ...headers });

/** By name: the value and the attributes. */
function cookiesOf({ headers }: TestResponse): Record<string, { value: string; attributes: string }> {
  return Object.fromEntries(
    headers.getSetCookie().map((line) => {
      const [, name, value, attributes] = /^([\w-]+)=([^;]*); (.*)$/.exec(line)!;
      return [name, { value: value!, attributes: attributes! }];
    }),
  );
}

test('POST /portal/login: with session cookie the token is in a cookie, too', async () => {
  const app = await sharedApp();
  const user = await newUser(app, { password: PASSWORD, role: 'ADMIN' });
  const answer = await loginOf(app, user.email, 'cookie');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(Object.keys(answer.body).sort(), ['expiresAt', 'token', 'user']);
  const { ar_session: session, ar_device: device } = cookiesOf(answer);
  assert.equal(session?.attributes, 'Path=/; Max-Age=43200; HttpOnly; SameSite=Strict');
  assert.match(device?.value ?? '', new RegExp(`^${user.id}\\.`));
  assert.equal((await withCookie(app, session!.value)('GET', `${PORTAL}/me`)).body.user.id, user.id);
  const { sessions } = (await withCookie(app, session!.value)('GET', `${PORTAL}/sessions`)).body;
  assert.deepEqual([sessions.length, sessions[0].current], [1, true]);
  assert.equal(answer.body.token, session!.value);
});

test('POST /portal/login: without session, or with token, no session cookie is set', async () => {
  const app = await sharedApp();
  const { email } = await newUser(app, { password: PASSWORD });
  for (const session of [undefined, 'token']) {
    const answer = await loginOf(app, email, session, {});
    assert.deepEqual(Object.keys(answer.body).sort(), ['expiresAt', 'token', 'user'], String(session));
    assert.deepEqual(Object.keys(cookiesOf(answer)), ['ar_device']);
  }
  assertNames(await loginOf(app, email, 'both'), 'session');
});

test('POST /portal/login: a foreign page gets no cookie, and does not count', async () => {
  const app = await sharedApp();
  const { email } = await newUser(app, { password: PASSWORD });
  const foreign: Record<string, string>[] = [
    {},
    { ...OWN_PAGE, 'sec-fetch-site': 'cross-site' },
    { ...OWN_PAGE, 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of [...foreign, ...foreign, ...foreign]) {
    const answer = await loginOf(app, email, 'cookie', headers);
    assertError(answer, 403, 'Forbidden');
    assert.deepEqual(cookiesOf(answer), {});
  }
  assert.equal((await loginOf(app, email, 'cookie')).status, 200);
});

test('POST /portal/login: cookies are Secure and of this host where https is sure', async (t) => {
  const https = { ...OWN_PAGE, 'x-forwarded-proto': 'https' };
  for (const [app, isSecure] of [
    [await sharedApp(), true],
    [await testApp(t, { publicUrl: 'https://runtime.example.com' }), true],
    [await testApp(t, { publicUrl: 'http://runtime.example.com' }), false],
    [await testApp(t), false],
  ] as const) {
    const { id, email } = await newUser(app, { password: PASSWORD });
    const cookies = cookiesOf(await loginOf(app, email, 'cookie', https));
    const name = isSecure ? '__Host-ar_session' : 'ar_session';
    assert.deepEqual(Object.keys(cookies), ['ar_device', name]);
    const rest = `HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
    assert.equal(cookies[name]!.attributes, `Path=/; Max-Age=43200; ${rest}`);
    assert.ok(cookies.ar_device!.attributes.endsWith(rest));
    if (isSecure) {
      const cookie = `ar_session=planted; ${name}=${cookies[name]!.value}`;
      const me = await app.request('GET', `${PORTAL}/me`, undefined, { 'x-api-key': '', ...OWN_PAGE, cookie });
      assert.equal(me.body.user.id, id, 'one that another host of the domain planted does not count');
    }
    const sent = { 'x-api-key': '', ...https, cookie: `${name}=${cookies[name]!.value}` };
    const ended = cookiesOf(await app.request('POST', `${PORTAL}/logout`, undefined, sent));
    const names = [...new Set([name, 'ar_session'])];
    assert.deepEqual(Object.keys(ended), names);
    for (const one of names) assert.equal(ended[one]!.attributes, `Path=/; Max-Age=0; ${rest}`);
    const again = cookiesOf(await app.request('GET', `${PORTAL}/me`, undefined, sent));
    assert.deepEqual(Object.keys(again), names, 'an ended session is forgotten alike');
  }
});

test('POST /portal/login: the paths of the cookies begin with that of the public URL', async (t) => {
  for (const [publicUrl, path] of [
    ['https://example.com/tools/runtime', '/tools/runtime/'],
    ['https://example.com', '/'],
  ] as const) {
    const app = await testApp(t, { publicUrl });
    const { email } = await newUser(app, { password: PASSWORD });
    const cookies = cookiesOf(await loginOf(app, email, 'cookie'));
    const { ar_session: session = cookies['__Host-ar_session'], ar_device: device } = cookies;
    const rest = 'HttpOnly; SameSite=Strict; Secure';
    assert.equal(session?.attributes, `Path=${path}; Max-Age=43200; ${rest}`);
    assert.equal(device?.attributes, `Path=${path}api/v1/portal/login; Max-Age=34560000; ${rest}`);
    const logout = await withCookie(app, session!.value)('POST', `${PORTAL}/logout`);
    assert.equal(cookiesOf(logout).ar_session?.attributes, `Path=${path}; Max-Age=0; ${rest}`);
  }
});

test('POST /portal/logout: by cookie it ends the session and deletes the cookie', async () => {
  const app = await sharedApp();
  const { email } = await newUser(app, { password: PASSWORD });
  const tokens = [];
  for (let count = 0; count < 3; count++) {
    tokens.push(cookiesOf(await loginOf(app, email, 'cookie')).ar_session!.value);
  }
  const [first, second, third] = tokens.map((token) => withCookie(app, token)) as [
    ...[TestApp['request'], TestApp['request'], TestApp['request']],
  ];
  assert.equal((await first('POST', `${PORTAL}/logout`, undefined, { 'x-requested-with': '' })).status, 403);
  const answer = await first('POST', `${PORTAL}/logout`);
  assert.deepEqual([answer.status, cookiesOf(answer).ar_session?.value], [204, '']);
  const statuses = async () =>
    Promise.all([first, second, third].map(async (ask) => (await ask('GET', `${PORTAL}/me`)).status));
  assert.deepEqual(await statuses(), [401, 200, 200]);
  const byToken = await second('POST', `${PORTAL}/logout`, undefined, { authorization: `Bearer ${tokens[2]}` });
  assert.deepEqual([byToken.status, cookiesOf(byToken)], [204, {}], 'the session of the cookie goes on');
  assert.deepEqual(await statuses(), [401, 200, 401]);
});
