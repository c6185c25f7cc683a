import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { routes } from '../../src/http/app.ts';
import { EVENTS, skipOnServers, type TestApp, type TestResponse, testApp } from '../support/app.ts';
import { newPerson } from '../support/people.ts';
import { eventually } from '../support/process.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile();

const UNKNOWN = '0190a5a0-0000-7000-8000-000000000000';
const QUERY = `${EVENTS}/query`;

function assertError(answer: TestResponse, status: number, reason: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.body.statusCode, status);
  assert.equal(answer.body.error, reason);
  assert.equal(
    Array.isArray(answer.body.message),
    status === 400,
    'message is an array for 400 and a string otherwise',
  );
  assert.ok(answer.headers.get('x-request-id'));
}

test('401: a missing, wrong, expired or revoked key gets a challenge', async () => {
  const app = await sharedApp();
  const feedWith = (key: string) => app.request('GET', `${EVENTS}/feed`, undefined, { 'x-api-key': key });
  const expired = await app.newKey({ expiresAt: Date.now() + 2_000 });
  const revoked = await app.newKey();
  await app.runtime.keys.revoke(revoked.split('_')[1]!, null);
  await eventually('the key expires', async () => (await feedWith(expired)).status === 401, 10_000);
  const swapped = `${app.key.slice(0, -1)}${app.key.endsWith('a') ? 'b' : 'a'}`;
  for (const key of ['', 'nonsense', swapped, expired, revoked]) {
    const answer = await feedWith(key);
    assertError(answer, 401, 'Unauthorized');
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
});

test('403: the scope is checked before the body is read', async () => {
  const app = await sharedApp();
  const reader = await app.newKey({ scopes: ['events:read'] });
  assertError(await app.request('POST', EVENTS, '{"broken', { 'x-api-key': reader }), 403, 'Forbidden');
});

test('404 and 405: an unknown path, and a wrong method with Allow', async () => {
  const app = await sharedApp();
  assertError(await app.request('GET', '/api/v1/nothing'), 404, 'Not Found');
  const answer = await app.request('DELETE', EVENTS);
  assertError(answer, 405, 'Method Not Allowed');
  assert.equal(answer.headers.get('allow'), 'POST');
});

test('405 and HEAD: every path names its methods, and answers HEAD as GET or 405', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const { token } = await newPerson(app, { role: 'SUPER_ADMIN' });
  const headers = { 'x-api-key': '', authorization: `Bearer ${token}` };
  for (const [path, ofPath] of Map.groupBy(routes, ({ path }) => path)) {
    const at = path.replace(/:(id|\w+Id)\b/g, UNKNOWN).replace(/:\w+/g, 'x');
    const methods = ofPath.map(({ method }) => method.toUpperCase());
    const isOnce = ofPath.some(({ once }) => once);
    const allowed = methods.includes('GET') && !isOnce ? [...methods, 'HEAD'] : methods;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !allowed.includes(one))) {
      const answer = await app.request(method, at, method === 'GET' || method === 'DELETE' ? undefined : {}, headers);
      assertError(answer, 405, 'Method Not Allowed');
      assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), allowed.toSorted(), `${method} ${path}`);
    }
    if (!methods.includes('GET')) continue;
    const [got, head] = [
      await app.request('GET', at, undefined, headers),
      await app.request('HEAD', at, undefined, headers),
    ];
    assert.deepEqual([head.status, head.body], [isOnce ? 405 : got.status, ''], `HEAD ${path}`);
  }
});

test('400, 415, 413: invalid JSON, a wrong type, a body too large', async () => {
  const app = await sharedApp();
  assertError(await app.request('POST', EVENTS, '{"events":['), 400, 'Bad Request');
  assertError(
    await app.request('POST', EVENTS, 'a=b', { 'content-type': 'text/plain' }),
    415,
    'Unsupported Media Type',
  );
  const large = JSON.stringify({ events: [{ eventName: 'a', properties: { text: 'x'.repeat(21 * 1024 * 1024) } }] });
  assertError(await app.request('POST', EVENTS, large), 413, 'Payload Too Large');
  assertError(
    await app.request('POST', EVENTS, '{}', { 'content-encoding': 'compress' }),
    415,
    'Unsupported Media Type',
  );
  assertError(await app.request('POST', EVENTS, '[]'), 400, 'Bad Request');
  assertError(await app.request('POST', EVENTS, 'null'), 400, 'Bad Request');
});

test('413: gzip is accepted, a gzip bomb is refused', async () => {
  const app = await sharedApp();
  const send = (body: Buffer) =>
    fetch(`${app.url}${EVENTS}`, {
      method: 'POST',
      headers: { 'x-api-key': app.key, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: new Uint8Array(body),
    });
  assert.equal((await send(gzipSync(JSON.stringify({ events: [{ eventName: 'a' }] })))).status, 202);
  assert.equal((await send(gzipSync(Buffer.alloc(200 * 1024 * 1024, ' ')))).status, 413);
});

test('400: unknown members and wrong values are named by field', async () => {
  const app = await sharedApp();
  const answer = await app.request('POST', QUERY, {
    eventName: 'a',
    surprise: 1,
    limit: 0,
    filters: [
      { propertyKey: 'x', operator: 'eq', value: 1, extra: true },
      { propertyKey: 'y', operator: 'like', value: 1 },
    ],
  });
  assertError(answer, 400, 'Bad Request');
  const text = answer.body.message.join('\n');
  for (const part of [
    /^surprise: unknown member/m,
    /^limit: /m,
    /^filters\[0\]\.extra: unknown member/m,
    /^filters\[1\]\.operator: .*startsWith/m,
  ]) {
    assert.match(text, part);
  }
});

test('limit: above the maximum it is capped, and an empty parameter counts as absent', async (t) => {
  const app = await testApp(t);
  await app.ingest(Array.from({ length: 120 }, (_, index) => ({ eventName: 'a', properties: { index } })));
  const rows = async (query: string) => app.request('GET', `${EVENTS}/feed?${query}`);
  assert.equal((await rows('limit=1000')).body.events.length, 100);
  assert.equal((await rows('limit=&offset=')).body.events.length, 50);
  assert.equal((await rows('limit=7&offset=117')).body.events.length, 3);
  for (const bad of ['limit=0', 'limit=-1', 'limit=1.5', 'limit=x', 'offset=-1', 'limit=5&limit=6', 'page=2']) {
    assertError(await rows(bad), 400, 'Bad Request');
  }
});

test('429: the rate limit is per tenant, with Retry-After', async (t) => {
  const app = await testApp(t, { rateLimit: 60, rateLimitBurst: 3 });
  const [another, stranger] = [await app.newKey(), await app.runtime.tenants.create({ name: 'stranger' })];
  const other = await app.newKey({ tenant: stranger.name });
  const feed = (key: string) => app.request('GET', `${EVENTS}/feed`, undefined, { 'x-api-key': key });
  const statuses = [];
  for (let count = 0; count < 5; count++) statuses.push((await feed(app.key)).status);
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  const refused = await feed(app.key);
  assertError(refused, 429, 'Too Many Requests');
  assert.equal(refused.headers.get('retry-after'), '1');
  const ofTenant = await feed(another);
  assert.deepEqual([ofTenant.status, ofTenant.headers.get('retry-after')], [429, '1']);
  assert.equal((await feed(other)).status, 200);
});

test('500: a defect reveals nothing but a request id', async (t) => {
  const app = await testApp(t);
  app.runtime.eventStore.query = () => Promise.reject(new Error('secret detail of /etc/path'));
  const answer = await app.request('POST', QUERY, { eventName: 'a' });
  assertError(answer, 500, 'Internal Server Error');
  assert.equal(answer.body.requestId, answer.headers.get('x-request-id'));
  assert.doesNotMatch(JSON.stringify(answer.body), /secret/);
});

test('x-request-id: a harmless id of the caller is used', async () => {
  const app = await sharedApp();
  const idOf = async (sent: string) =>
    (await app.request('GET', '/healthz', undefined, { 'x-request-id': sent })).headers.get('x-request-id');
  assert.equal(await idOf('order-17'), 'order-17');
  assert.notEqual(await idOf('<script>'), '<script>');
});

test('504: a slow query is cancelled with advice, and the next one works', { skip: skipOnServers }, async (t) => {
  const app = await testApp(t, { queryTimeout: 0.1 });
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ eventName: 'heavy', properties: { index } }));
  for (let batch = 0; batch < 6; batch++) await app.ingest(rows);
  const filters = Array.from({ length: 50 }, (_, index) => ({
    // Paths through arrays have no column, so their values are read from the JSON.
    propertyKey: `a${index}.0.b`,
    operator: 'neq',
    value: index,
  }));
  const metrics = Array.from({ length: 20 }, (_, index) => ({
    aggregation: 'distinct_count',
    propertyKey: `p${index}.0.q`,
    alias: `m${index}`,
  }));
  const heavy = { eventName: 'heavy', mode: 'aggregate', groupBy: 'index', metrics, filters };
  const answer = await app.request('POST', QUERY, heavy);
  assertError(answer, 504, 'Gateway Timeout');
  assert.match(answer.body.message, /Narrow dateFrom/);
  // On a busy machine any query may take a tenth of a second.
  const light = async () => (await app.request('POST', QUERY, { eventName: 'nothing' })).status === 200;
  await eventually('the next one works', light, 5_000);
});

test('open routes: health, readiness, the API document and its page', { skip: skipOnServers }, async () => {
  const app = await sharedApp();
  const open = (path: string) => fetch(`${app.url}${path}`);
  assert.deepEqual(await (await open('/healthz')).json(), { status: 'ok' });
  assert.deepEqual(await (await open('/readyz')).json(), { status: 'ready' });
  const document = (await (await open('/openapi.json')).json()) as { openapi: string; info: { version: string } };
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.version, '1.0.0');
  assert.match(await (await open('/docs')).text(), /POST<\/b> <code>\/api\/v1\/runtime\/v1\/observability\/events/);
});

test('POST /query: a client that disconnects cancels its query', async (t) => {
  const app = await testApp(t);
  await app.ingest([{ eventName: 'a' }]);
  const begun = heldQuery(app);
  const request = rawRequest(`${app.url}${QUERY}`, {
    method: 'POST',
    headers: { 'x-api-key': app.key, 'content-type': 'application/json' },
  });
  request.on('error', () => undefined);
  request.end(JSON.stringify({ eventName: 'a' }));
  const signal = await begun;
  request.destroy();
  if (!signal.aborted) await once(signal, 'abort');
});

/** Queries of the store run until their signal aborts. Resolves with it once one has begun. */
function heldQuery(app: TestApp): Promise<AbortSignal> {
  const { promise: begun, resolve } = Promise.withResolvers<AbortSignal>();
  app.runtime.eventStore.query = (_tenantId, _plan, signal) =>
    new Promise((_, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason));
      resolve(signal!);
    });
  return begun;
}

test('405: TRACE is refused at /mcp as well', async () => {
  const { url, key } = await sharedApp();
  const status = await new Promise((resolve, reject) => {
    const outgoing = rawRequest(`${url}/mcp`, { method: 'TRACE', headers: { 'x-api-key': key } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    outgoing.on('error', reject).end();
  });
  assert.equal(status, 405);
});
