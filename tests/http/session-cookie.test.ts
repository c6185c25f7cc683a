import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { createLog } from '../../src/logging/log.ts';
import { EVENTS, type TestApp, testApp } from '../support/app.ts';
import { changeUser, newPerson, OWN_PAGE, PORTAL, withCookie } from '../support/people.ts';
import { rawRequest } from '../support/raw.ts';
import { appOfThisFile } from '../support/shared.ts';

const ORIGIN = 'https://app.example.com';
const AGENTS = `${PORTAL}/agents`;
const ME = `${PORTAL}/me`;

const sharedApp = appOfThisFile({ rateLimit: 0, allowedOrigins: [ORIGIN] });
let agents = 0;

const newAgent = () => ({ name: `agent-${++agents}` });

async function send({ url }: TestApp, method: string, path: string, headers: OutgoingHttpHeaders, body = '') {
  const { status, text, headers: received } = await rawRequest(url, method, path, { headers, body });
  return { status, body: text, setCookie: received['set-cookie'] ?? [] };
}

test('session cookie: works on portal and runtime endpoints as its role allows', async () => {
  const app = await sharedApp();
  const [admin, viewer] = [await newPerson(app, { role: 'ADMIN' }), await newPerson(app, { role: 'VIEWER' })];
  const [asAdmin, asViewer] = [withCookie(app, admin.token), withCookie(app, viewer.token)];
  assert.equal((await asAdmin('GET', ME)).body.user.id, admin.user.id);
  assert.equal((await asAdmin('HEAD', ME)).status, 200);
  assert.equal((await asAdmin('POST', AGENTS, newAgent())).status, 201);
  assert.equal((await asAdmin('POST', EVENTS, { events: [{ eventName: 'by cookie' }] })).status, 202);
  assert.equal((await asAdmin('PATCH', `${PORTAL}/settings`, { timezone: 'UTC' })).status, 200);
  assert.equal((await asViewer('GET', `${EVENTS}/feed`)).status, 200);
  assert.equal((await asViewer('POST', AGENTS, newAgent())).status, 403);
  const form = new FormData();
  form.set('file', new Blob(['hello']), 'hello.txt');
  form.set('vectorStore', 'by-cookie');
  const upload = await fetch(`${app.url}/api/v1/runtime/v1/vectors/files/ingest`, {
    method: 'POST',
    headers: { cookie: `ar_session=${admin.token}`, ...OWN_PAGE },
    body: form,
  });
  assert.equal(upload.status, 202, await upload.text());
});

test('session cookie: CSRF matrix of Sec-Fetch-Site, method and headers', async () => {
  const app = await sharedApp();
  const { token } = await newPerson(app, { role: 'ADMIN' });
  const sites = ['same-origin', 'none', 'same-site', 'cross-site', 'same-origin, cross-site', 'SAME-ORIGIN', '', null];
  const requesters = ['portal', 'XMLHttpRequest', 'Portal', null];
  for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']) {
    for (const site of sites) {
      for (const requester of requesters) {
        const [path, body] = target(method);
        const { status, body: text } = await send(
          app,
          method,
          path,
          {
            cookie: `ar_session=${token}`,
            ...(site === null ? {} : { 'sec-fetch-site': site }),
            ...(requester === null ? {} : { 'x-requested-with': requester }),
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          body,
        );
        const reads = method === 'GET' || method === 'HEAD';
        const counts = reads
          ? site === 'same-origin' || site === 'none'
          : site === 'same-origin' && requester === 'portal';
        const at = `${method}, ${site}, ${requester}: ${status} ${text}`;
        assert.equal(status !== 403, counts, at);
        assert.ok(counts ? status < 300 : method === 'HEAD' || text.includes('session cookie is refused'), at);
      }
    }
  }
});

/** A request that succeeds, without a lasting effect. */
function target(method: string): [path: string, body: string] {
  if (method === 'POST') return [AGENTS, JSON.stringify(newAgent())];
  if (method === 'PATCH') return [`${PORTAL}/settings`, '{"timezone":"UTC"}'];
  if (method === 'DELETE') return [`${PORTAL}/sessions`, ''];
  return [ME, ''];
}

test('session cookie: a refusal names its cause', async () => {
  const app = await sharedApp();
  const { token } = await newPerson(app, { role: 'ADMIN' });
  const own = { cookie: `ar_session=${token}`, ...OWN_PAGE, 'content-type': 'application/json' };
  const without = (name: string) => Object.fromEntries(Object.entries(own).filter(([one]) => one !== name));
  const causes: [headers: Record<string, string>, cause: RegExp][] = [
    [without('sec-fetch-site'), /the browser sent no Sec-Fetch-Site\. .* over https and to localhost/],
    [{ ...own, 'sec-fetch-site': 'same-site' }, /not come from a page of this server \(Sec-Fetch-Site: same-site\)/],
    [{ ...own, 'sec-fetch-site': 'none' }, /not come from a page of this server \(Sec-Fetch-Site: none\)/],
    [without('x-requested-with'), /the header "x-requested-with: portal" is missing/],
    [{ ...own, 'content-type': 'text/plain' }, /a body must be JSON, NDJSON or multipart\/form-data/],
  ];
  for (const [headers, cause] of causes) {
    const { status, body } = await send(app, 'POST', AGENTS, headers, JSON.stringify(newAgent()));
    const { statusCode, error, message } = JSON.parse(body);
    assert.deepEqual([status, statusCode, error], [403, 403, 'Forbidden']);
    assert.match(message, cause);
  }
  assert.equal((await send(app, 'POST', AGENTS, without('content-type'), '{}')).status, 415);
  assert.equal((await send(app, 'DELETE', `${PORTAL}/sessions`, { ...without('content-type') })).status, 200);
});

test('session cookie: an explicit credential wins, and needs no other header', async () => {
  const app = await sharedApp();
  const [cookie, bearer] = [await newPerson(app), await newPerson(app)];
  const both = { cookie: `ar_session=${cookie.token}`, authorization: `Bearer ${bearer.token}` };
  const me = await send(app, 'GET', ME, both);
  assert.equal(JSON.parse(me.body).user.id, bearer.user.id);
  assert.equal((await send(app, 'GET', ME, { ...both, ...OWN_PAGE, 'sec-fetch-site': 'cross-site' })).status, 200);
  const byKey = { cookie: both.cookie, 'x-api-key': app.key, ...OWN_PAGE };
  assert.equal((await send(app, 'GET', `${EVENTS}/feed`, byKey)).status, 200);
  assert.equal((await send(app, 'GET', ME, byKey)).status, 403, 'a key is a key');
  for (const wrong of ['Bearer nonsense', 'Basic eDp5', 'Bearer', `Bearer ${bearer.token}x`]) {
    const answer = await send(app, 'GET', ME, { ...both, ...OWN_PAGE, authorization: wrong });
    assert.equal(answer.status, 401, wrong);
    assert.deepEqual(answer.setCookie, [], 'the cookie stays');
  }
  assert.equal((await send(app, 'GET', ME, { ...both, ...OWN_PAGE, 'x-api-key': 'nonsense' })).status, 401);
});

test('session cookie: /mcp and other paths take none', async () => {
  const app = await sharedApp();
  const { token } = await newPerson(app, { role: 'ADMIN' });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const asCookie = await withCookie(app, token)('POST', '/mcp', list, {
    accept: 'application/json, text/event-stream',
  });
  assert.equal(asCookie.status, 401);
  const bearer = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
  assert.equal((await app.request('POST', '/mcp', list, { 'x-api-key': '', ...bearer })).status, 200);
});

test('session cookie: several of the name count as none, others do not matter', async () => {
  const app = await sharedApp();
  const [one, other] = [await newPerson(app), await newPerson(app)];
  const status = async (cookie: string | string[]) => (await send(app, 'GET', ME, { ...OWN_PAGE, cookie })).status;
  const cookie = `ar_session=${one.token}`;
  assert.equal(await status(`${cookie}; ar_session=${other.token}`), 401);
  assert.equal(await status(`${cookie}; ${cookie}`), 401);
  assert.equal(await status([cookie, `ar_session=${other.token}`]), 401);
  assert.equal(await status(`ar_session=; ${cookie}`), 200, 'an empty one is none');
  assert.equal(await status(`a=1; ${cookie}; b=ar_session=2; xar_session=3; ar_session2=4`), 200);
  assert.equal(await status(`ar_session_x=${one.token}`), 401);
  assert.equal(await status(`AR_SESSION=${one.token}`), 401);
  assert.equal(await status(';;=;ar_session'), 401);
  const { body } = await send(app, 'GET', ME, { ...OWN_PAGE, cookie: `${cookie}; ar_session=x` });
  assert.match(JSON.parse(body).message, /several cookies ar_session/);
});

test('session cookie: a long Cookie header is 401, beyond the limit 431', async () => {
  const app = await sharedApp();
  const { token } = await newPerson(app);
  const status = async (cookie: string) => (await send(app, 'GET', ME, { ...OWN_PAGE, cookie })).status;
  assert.equal(await status(`ar_session=${'a.'.repeat(7_000)}`), 401);
  assert.equal(await status(`${'x=y; '.repeat(2_900)}ar_session=${token}`), 200);
  assert.equal(await status(`ar_session=${'a'.repeat(17_000)}`), 431);
});

test('session cookie: an ended session is 401 and its cookie is deleted', async () => {
  const app = await sharedApp();
  const cleared = ['ar_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict'];
  const ends: Record<string, (person: Awaited<ReturnType<typeof newPerson>>) => unknown> = {
    revoked: ({ request }) => request('DELETE', `${PORTAL}/sessions?all=true`),
    deactivated: ({ user }) => changeUser(app, user.id, { isActive: false }),
    'new password': ({ user }) => changeUser(app, user.id, { sessionVersion: Date.now() }),
  };
  for (const [how, end] of Object.entries(ends)) {
    const person = await newPerson(app);
    const ask = () => send(app, 'GET', ME, { ...OWN_PAGE, cookie: `ar_session=${person.token}` });
    assert.equal((await ask()).status, 200, how);
    await end(person);
    const { status, setCookie, body } = await ask();
    assert.deepEqual([status, setCookie], [401, cleared], how);
    assert.match(JSON.parse(body).message, /^The token is not valid any more/);
  }
  const foreign = await send(app, 'GET', ME, { ...OWN_PAGE, cookie: 'ar_session=eyJh.eyJi.c2ln' });
  assert.deepEqual([foreign.status, foreign.setCookie], [401, []], 'it may be of another server on this host');
});

test('session cookie: an API key in it is 401, and no wrong key is counted', async (t) => {
  const app = await testApp(t);
  for (let count = 0; count < 110; count++) {
    const cookie = `ar_session=${count === 0 ? app.key : 'nonsense'}`;
    assert.equal((await send(app, 'GET', `${EVENTS}/feed`, { ...OWN_PAGE, cookie })).status, 401);
  }
  assert.equal((await app.request('GET', `${EVENTS}/feed`, undefined, { 'x-api-key': 'nonsense' })).status, 401);
});

test('session cookie: an allowed origin cannot use it', async () => {
  const app = await sharedApp();
  const { token } = await newPerson(app, { role: 'ADMIN' });
  const asked = { origin: ORIGIN, 'access-control-request-method': 'POST' };
  const preflight = await fetch(`${app.url}${AGENTS}`, {
    method: 'OPTIONS',
    headers: { ...asked, 'access-control-request-headers': 'content-type,x-requested-with' },
  });
  assert.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN);
  assert.doesNotMatch(preflight.headers.get('access-control-allow-headers') ?? '', /x-requested-with/);
  assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
  for (const site of ['same-site', 'cross-site']) {
    const headers = { origin: ORIGIN, 'sec-fetch-site': site };
    assert.equal((await withCookie(app, token)('GET', ME, undefined, headers)).status, 403, site);
    assert.equal((await withCookie(app, token)('POST', AGENTS, newAgent(), headers)).status, 403, site);
  }
});

test('session cookie: it reaches no log', async (t) => {
  const lines: string[] = [];
  const app = await testApp(t, {}, undefined, createLog('trace', { write: (line) => lines.push(line) }));
  const { token } = await newPerson(app, { role: 'ADMIN' });
  const ask = withCookie(app, token);
  await ask('GET', ME);
  await ask('GET', ME, undefined, { 'sec-fetch-site': 'cross-site' });
  await ask('POST', AGENTS, '{"broken');
  await ask('GET', `${PORTAL}/nothing`);
  await ask('GET', ME, undefined, { cookie: `ar_session=${token}; ar_session=${token}` });
  await ask('POST', `${PORTAL}/logout`);
  await ask('GET', ME);
  createLog('info', { write: (line) => lines.push(line) }).info({
    request: { cookie: 'ar_session=opaque', 'set-cookie': 'ar_session=opaque' },
  });
  const text = lines.join('');
  const [, claims, signature] = token.split('.');
  for (const secret of [token, claims!, signature!, 'opaque']) assert.ok(!text.includes(secret));
  assert.ok(lines.filter((line) => line.includes('"msg":"request"')).length >= 7);
});
