import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { generate } from 'otplib';
import { type AppSettings, type TestApp, testApp } from '../support/app.ts';
import { authorize, callMcp, exchange, goOn, refresh, registerClient } from '../support/oauth.ts';
import { newUser, OWN_PAGE, PORTAL, withCookie, withToken } from '../support/people.ts';
import { hasNodes, newPlace, serverSettings } from '../support/postgres-state.ts';
import { FACTORS, LOGIN, PASSWORD, STEP_UP } from '../support/second-factor.ts';

const options = { skip: !hasNodes };
const PUBLIC = 'https://kpi.example.com';

/** Two servers behind one address, over one database. */
async function twoNodes(t: TestContext, settings: AppSettings = {}): Promise<[TestApp, TestApp]> {
  const shared = {
    ...(await serverSettings(newPlace())),
    databaseConnections: 4,
    publicUrl: PUBLIC,
    rateLimit: 0,
    ...settings,
  };
  return [await testApp(t, shared), await testApp(t, shared)];
}

/** A request without credentials. */
function post(app: TestApp, path: string, body: unknown) {
  return app.request('POST', path, body, { 'x-api-key': '' });
}

/** What the authenticator app shows, or will show after `ahead` steps. */
function codeOf(secret: string, ahead = 0): Promise<string> {
  return generate({ secret, epoch: Math.floor(Date.now() / 1_000) + ahead * 30 });
}

async function wrongCode(secret: string): Promise<string> {
  const near = await Promise.all([-2, -1, 0, 1, 2].map((ahead) => codeOf(secret, ahead)));
  return ['111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !near.includes(code))!;
}

test('Two nodes: a login goes on at another node, and ends at both', options, async (t) => {
  const [one, two] = await twoNodes(t);
  const { email } = await newUser(one, { password: PASSWORD });
  const { body: login } = await post(one, LOGIN, { email, password: PASSWORD });
  const session = () => withToken(two, login.token)('GET', `${PORTAL}/sessions`);
  assert.equal((await session()).status, 200);

  const begun = await withToken(one, login.token)('POST', `${FACTORS}/enrolment`, { method: 'code' });
  const { secret } = begun.body.totp;
  const confirmed = await withToken(two, login.token)('POST', `${FACTORS}/enrolment/confirm`, {
    code: await codeOf(secret, -1),
  });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));

  const needed = await post(one, LOGIN, { email, password: PASSWORD });
  assert.equal(needed.status, 202);
  const { ticket } = needed.body.secondFactor;
  const give = async (app: TestApp, code: string) => post(app, `${LOGIN}/second-factor`, { ticket, code });
  assert.equal((await give(two, await wrongCode(secret))).status, 422);
  const code = await codeOf(secret);
  const racing = await Promise.all([give(one, code), give(two, code), give(one, code), give(two, code)]);
  assert.deepEqual(racing.filter(({ status }) => status === 200).length, 1, 'one session of one code and ticket');
  assert.equal((await give(one, await codeOf(secret, 1))).status, 401, 'the ticket is used up');

  const { token } = racing.find(({ status }) => status === 200)!.body;
  assert.equal((await withToken(two, token)('POST', `${PORTAL}/logout`)).status, 204);
  assert.equal((await withToken(one, token)('GET', `${PORTAL}/sessions`)).status, 401);
  assert.equal((await session()).status, 200);
});

test('Two nodes: wrong passwords and codes of both count together', options, async (t) => {
  const [one, two] = await twoNodes(t);
  const [ada, bob] = [await newUser(one, { password: PASSWORD }), await newUser(one, { password: PASSWORD })];
  const login = (app: TestApp, email: string, password: string) => post(app, LOGIN, { email, password });
  for (let count = 0; count < 10; count++) {
    assert.equal((await login(count % 2 ? one : two, ada.email, 'wrong password, but long')).status, 401);
  }
  for (const app of [one, two]) assert.equal((await login(app, ada.email, PASSWORD)).status, 429);
  assert.equal((await two.runtime.logins.unlock(ada)).failures, 10);
  assert.equal((await login(one, ada.email, PASSWORD)).status, 200);

  const { body } = await login(one, bob.email, PASSWORD);
  const begun = await withToken(one, body.token)('POST', `${FACTORS}/enrolment`, { method: 'code' });
  const { secret } = begun.body.totp;
  await withToken(one, body.token)('POST', `${FACTORS}/enrolment/confirm`, { code: await codeOf(secret, -1) });
  const step = (app: TestApp, proof: object) => withToken(app, body.token)('POST', STEP_UP, proof);
  const wrong = { code: await wrongCode(secret) };
  const statuses = [];
  for (let count = 0; count < 6; count++) statuses.push((await step(count % 2 ? one : two, wrong)).status);
  assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429]);
  for (const app of [one, two]) assert.equal((await step(app, { code: await codeOf(secret) })).status, 429);
});

test('Two nodes: a login link works once, at whichever', options, async (t) => {
  const [one, two] = await twoNodes(t);
  const user = await newUser(one);
  const link = await one.runtime.logins.issueLink(user, 60_000);
  const use = (app: TestApp) =>
    app.request('POST', `${LOGIN}/link`, { secret: link }, { 'x-api-key': '', ...OWN_PAGE });
  const answers = await Promise.all([use(two), use(one), use(two)]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401]);
});

test('Two nodes: an application connects by requests at both', options, async (t) => {
  const [one, two] = await twoNodes(t);
  const user = await newUser(one);
  const { token } = await two.runtime.sessions.open(user, { address: 'a test' });
  const { client_id: clientId } = (await registerClient(one)).body;
  const begun = await authorize(two, { clientId, resource: `${PUBLIC}/mcp` });
  const path = `${PORTAL}/authorizations/${begun.id}`;
  assert.equal((await withCookie(one, token)('GET', path)).status, 200);
  const allowed = await withCookie(one, token)('POST', `${path}/allow`, { scopes: ['mcp:read'] });
  assert.equal(allowed.status, 200, JSON.stringify(allowed.body));
  const at = (app: TestApp) => allowed.body.continueAt.replace(PUBLIC, app.url);
  const response = await goOn(at(two), [...begun.cookies, ...allowed.headers.getSetCookie()]);
  const code = new URL(response.headers.get('location')!).searchParams.get('code')!;
  const { status, body: tokens } = await exchange(one, begun, code);
  assert.equal(status, 200, JSON.stringify(tokens));
  for (const app of [one, two]) assert.equal((await callMcp(app, tokens.access_token)).status, 200);
  const refreshed = await refresh(two, begun.clientId, tokens.refresh_token);
  assert.equal(refreshed.status, 200);
  assert.equal((await exchange(two, begun, code)).status, 400, 'a code works once');
  for (const app of [one, two]) assert.equal((await callMcp(app, refreshed.body.access_token)).status, 401);
});
