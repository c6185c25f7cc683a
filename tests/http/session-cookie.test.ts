import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestApp, testApp } from '../support/app.ts';
import { changeUser, newUser, PORTAL } from '../support/people.ts';
import { scopeOfThisFile } from '../support/shared.ts';

let started: Promise<TestApp> | undefined;
const wholeFile = scopeOfThisFile();
const sharedApp = () => {
  started ??= testApp(wholeFile, { allowedOrigins: ['https://console.example.com'] });
  return started;
};

const PASSWORD = 'correct horse battery staple';
const PAGE = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'portal' };
const CARDS = '/api/v1/runtime/observability/dashboard-tabs';

async function logIn(app: TestApp, body: object = {}, headers: Record<string, string> = {}) {
  const user = await newUser(app, { password: PASSWORD, role: 'ADMIN' });
  const login = { email: user.email, password: PASSWORD, session: 'cookie', ...body };
  const response = await app.request('POST', `${PORTAL}/login`, login, { 'x-api-key': '', ...headers });
  assert.equal(response.status, 200);
  const set = response.headers.getSetCookie().find((one) => one.startsWith('ar_session='));
  return { user, set, cookie: set?.split(';')[0] ?? '' };
}

/** Without a key: with a cookie alone. */
function ask(
  app: TestApp,
  cookie: string,
  { method = 'GET', path = `${PORTAL}/me`, body = undefined as unknown, headers = {} },
) {
  return app.request(method, path, body, { 'x-api-key': '', cookie, ...headers });
}

test('Session cookie: only a login that asks for it sets one', async () => {
  const app = await sharedApp();
  assert.equal((await logIn(app, { session: 'token' })).set, undefined);
  assert.equal((await logIn(app, { session: undefined })).set, undefined);
  const { set } = await logIn(app);
  assert.match(set!, /^ar_session=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
});

test('Session cookie: counts for reads of own pages, and for what a person opens', async () => {
  const app = await sharedApp();
  const { cookie, user } = await logIn(app);
  const sites: [site: string | undefined, status: number][] = [
    ...([
      ['same-origin', 200],
      ['none', 200],
    ] as [string, number][]),
    ...([
      ['same-site', 403],
      ['cross-site', 403],
      ['', 403],
      ['SAME-ORIGIN', 403],
      [undefined, 403],
    ] as [string, number][]),
  ];
  for (const [site, status] of sites) {
    const headers = site === undefined ? {} : { 'sec-fetch-site': site };
    const response = await ask(app, cookie, { headers });
    assert.equal(response.status, status, String(site));
    if (status === 200) assert.equal(response.body.user.email, user.email);
    else assert.match(response.body.message, /same-origin/);
  }
});

test('Session cookie: a write needs the page, its header and a body no form can send', async () => {
  const app = await sharedApp();
  const { cookie } = await logIn(app);
  const write = (headers: Record<string, string>, body: unknown = { name: 'One' }) =>
    ask(app, cookie, { method: 'POST', path: CARDS, body, headers });
  assert.equal((await write(PAGE)).status, 201);
  assert.equal((await write({ 'sec-fetch-site': 'same-origin' })).status, 403);
  assert.equal((await write({ ...PAGE, 'x-requested-with': 'XMLHttpRequest' })).status, 403);
  for (const site of ['none', 'same-site', 'cross-site']) {
    assert.equal((await write({ ...PAGE, 'sec-fetch-site': site })).status, 403, site);
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    assert.equal((await write({ ...PAGE, 'content-type': type }, '{"name":"Two"}')).status, 403, type);
  }
});

test('Session cookie: a key or token in a header counts instead', async () => {
  const app = await sharedApp();
  const { cookie } = await logIn(app);
  const headers = { 'x-api-key': app.key, cookie, 'sec-fetch-site': 'cross-site' };
  assert.equal((await app.request('GET', CARDS, undefined, headers)).status, 200);
  assert.equal((await app.request('GET', CARDS, undefined, { ...headers, 'x-api-key': 'ar_wrong' })).status, 401);
});

test('Session cookie: /mcp takes none', async () => {
  const app = await sharedApp();
  const { cookie } = await logIn(app);
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = { ...PAGE, accept: 'application/json, text/event-stream' };
  assert.equal((await ask(app, cookie, { method: 'POST', path: '/mcp', body, headers })).status, 401);
});

test('Session cookie: an allowed origin does not get it', async () => {
  const app = await sharedApp();
  const { cookie } = await logIn(app);
  const headers = { origin: 'https://console.example.com', 'sec-fetch-site': 'cross-site' };
  const response = await ask(app, cookie, { headers });
  assert.equal(response.status, 403);
  assert.equal(response.headers.get('access-control-allow-credentials'), null);
});

test('Session cookie: of two neither counts, and an invalid one is refused', async () => {
  const app = await sharedApp();
  const { cookie } = await logIn(app);
  for (const sent of [
    `${cookie}; ${cookie}`,
    `${cookie}; ar_session=other`,
    'ar_session=',
    'ar_session=a.b.c',
    'ar_session=ar_key',
  ]) {
    assert.equal((await ask(app, sent, { headers: PAGE })).status, 401, sent);
  }
  assert.equal((await ask(app, `theme=dark; ${cookie}; x`, { headers: PAGE })).status, 200);
});

test('Session cookie: ends with the logout, which removes it, and with the user', async () => {
  const app = await sharedApp();
  const first = await logIn(app);
  const out = await ask(app, first.cookie, { method: 'POST', path: `${PORTAL}/logout`, headers: PAGE });
  assert.equal(out.status, 204);
  assert.match(out.headers.getSetCookie().join(), /^ar_session=; Path=\/; Max-Age=0;/);
  assert.equal((await ask(app, first.cookie, { headers: PAGE })).status, 401);

  const second = await logIn(app);
  changeUser(app, second.user.id, { isActive: false });
  assert.equal((await ask(app, second.cookie, { headers: PAGE })).status, 401);
});

test('Login link: opens a session with a cookie, once', async () => {
  const app = await sharedApp();
  const { user } = await logIn(app);
  const secret = app.runtime.logins.issueLink(user.id, 60_000);
  const answers = await Promise.all(
    [1, 2, 3].map(() => app.request('POST', `${PORTAL}/login/link`, { secret }, { 'x-api-key': '' })),
  );
  const [opened, ...others] = answers.sort((one, other) => one.status - other.status);
  assert.deepEqual([opened!.status, opened!.body.user.email], [200, user.email]);
  assert.deepEqual(
    others.map(({ status }) => status),
    [401, 401],
  );
  const cookie = opened!.headers.getSetCookie().find((one) => one.startsWith('ar_session='))!;
  assert.equal((await ask(app, cookie.split(';')[0]!, { headers: PAGE })).status, 200);
});

test('Login link: of a deactivated user or a wrong secret it opens nothing', async () => {
  const app = await sharedApp();
  const { user } = await logIn(app);
  const secret = app.runtime.logins.issueLink(user.id, 60_000);
  changeUser(app, user.id, { isActive: false });
  for (const tried of [secret, 'wrong']) {
    const { status, body } = await app.request('POST', `${PORTAL}/login/link`, { secret: tried }, { 'x-api-key': '' });
    assert.equal(status, 401);
    assert.match(body.message, /used already, or has expired/);
  }
});

test('Session cookie: Secure behind https, and below the path of the proxy', async (t) => {
  const app = await testApp(t, { publicUrl: 'https://example.com/tools/runtime', trustedProxies: '127.0.0.1' });
  const { set } = await logIn(app, {}, { 'x-forwarded-proto': 'https' });
  assert.match(set!, /; Path=\/tools\/runtime\/; .*; Secure$/);
});
