import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectorEvents } from '../../../support/connector-events.ts';
import { HOSTS } from '../../../support/connectors.ts';
import { applyConnector, CONNECTORS, call, json, petsAt, startApi } from '../../../support/outside-api.ts';
import { eventually } from '../../../support/process.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';

const newApp = tenantsOfThisFile();

const SECRET = 's3cret/of+the==pets';
const GET = { resource: 'getPet', data: { petId: 1 } };

/** A resource without schemas. */
const OPEN = {
  slug: 'open',
  name: 'Open',
  headers: { 'x-fixed': 'by-the-operator', 'x-tenant': 'ours' },
  auth: { type: 'apiKey', in: 'header', name: 'x-pet-key' },
  credentials: ['pets'],
  resources: {
    any: { method: 'POST', path: '/things/{id}/{more}' },
    read: { method: 'GET', path: '/things/{id}/{more}' },
  },
};

test('POST /connectors: callers cannot change host, path or operator headers', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await app.runtime.credentials.set(app.tenantId, { name: 'pets', secret: SECRET, hosts: HOSTS }, null);
  const environments = { production: { baseUrl: `${api.url}/v1`, secret: { credential: 'pets' } } };
  await applyConnector(app, petsAt(api.url, { ...OPEN, environments }));
  const callWith = (data: object, headers: object = {}) =>
    call(app, { resource: 'any', data: { path: { id: 1, more: 2 }, ...data }, options: { headers } }, 'open');
  const refused = [
    ...['Host', 'host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'Expect', 'TE', 'Keep-Alive'],
    ...['Authorization', 'AUTHORIZATION', 'Cookie', 'Proxy-Authorization', 'Content-Type', 'Accept-Encoding'],
    ...['x-pet-key', 'X-Pet-Key', 'x_pet_key', 'x-fixed', 'X_FIXED', 'X-Tenant', 'X-HTTP-Method-Override'],
    ...['X-Forwarded-For', 'X_Forwarded_Host', 'Forwarded', 'X-Original-URL', 'x-a\r\nhost', 'x a', 'x:a', '', ' host'],
  ];
  for (const name of refused) {
    for (const [data, headers] of [
      [{}, { [name]: 'evil.example.com' }],
      [{ headers: { [name]: 'evil.example.com' } }, {}],
    ] as const) {
      const { status, body } = await callWith(data, headers);
      assert.deepEqual([status, body.success], [400, false], `${JSON.stringify(name)} ${JSON.stringify(body)}`);
    }
  }
  for (const value of ['a\r\nx-injected: 1', 'a\nb', 'a\0b', 'a\u{2028}b', 'é', ' a', '']) {
    assert.equal((await callWith({}, { 'x-own': value })).status, 400, JSON.stringify(value));
    assert.equal((await callWith({ headers: { 'x-own': value } })).status, 400, JSON.stringify(value));
  }
  assert.equal(api.asked.length, 0);
  const { body } = await callWith({ query: { b: 1 }, body: { c: 1 } }, { 'x-own': 'mine' });
  const { headers, url } = body.data;
  assert.deepEqual([headers['x-own'], headers['x-fixed'], headers['x-tenant']], ['mine', 'by-the-operator', 'ours']);
  assert.deepEqual([headers['x-pet-key'], url], ['[redacted]', '/v1/things/1/2?b=1']);
  assert.equal(api.asked[0]!.headers['x-pet-key'], SECRET);
});

test('POST /connectors: path and query values stay in their parameter', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await applyConnector(app, petsAt(api.url, { ...OPEN, auth: { type: 'none' }, credentials: [] }));
  const values = [
    ...['../admin', '..', '.', '%2e%2e', '%2E%2E%2Fadmin', '%252e%252e%252f', '..;/admin', '..\\admin', '..%5cadmin'],
    ...[
      '/',
      '//evil.example.com/',
      'a/b',
      '@evil.example.com',
      ':80',
      '?admin=1',
      '#x',
      'a?b#c',
      '%00',
      'a\r\nHost: x',
    ],
    ...[' HTTP/1.1\r\nx: y', 'é\u{1f600}', '%zz', '%', ';a=b', '&a=b', 'a\tb', '\u{2028}', '\ud800'],
  ];
  for (const value of values) {
    const what = JSON.stringify(value);
    const path = await call(app, { resource: 'read', data: { path: { id: value, more: 'end' } } }, 'open');
    assert.ok(path.status === 200 || path.status === 400, `${what} ${path.status}`);
    const query = await call(
      app,
      { resource: 'read', data: { path: { id: 1, more: 2 }, query: { q: value } } },
      'open',
    );
    assert.ok(query.status === 200 || query.status === 400, `${what} ${query.status}`);
    if (query.status !== 200) continue;
    const asked = new URL(query.body.data.url, 'http://api');
    assert.deepEqual([asked.pathname, [...asked.searchParams]], ['/v1/things/1/2', [['q', value]]], what);
  }
  for (const { url, headers } of api.asked) {
    assert.match(url, /^\/v1\/things\/[^/?#\s]+\/(end|2)(\?q=[^&#\s]*)?$/);
    assert.deepEqual(
      [headers.host, headers['x-fixed'], headers.x],
      [new URL(api.url).host, 'by-the-operator', undefined],
    );
  }
  assert.ok(api.asked.length > values.length, 'most are sent');
});

test('POST /connectors: a client that disconnects cancels the request to the API', async (t) => {
  const app = await newApp(t);
  const [arrived, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const api = await startApi(t, (_, response) => {
    response.once('close', () => closed.resolve());
    arrived.resolve();
  });
  await applyConnector(app, petsAt(api.url));
  const controller = new AbortController();
  const left = fetch(`${app.url}${CONNECTORS}/pets`, {
    method: 'POST',
    headers: { 'x-api-key': app.key, 'content-type': 'application/json' },
    body: JSON.stringify(GET),
    signal: controller.signal,
  });
  await arrived.promise;
  controller.abort();
  await assert.rejects(left, { name: 'AbortError' });
  await closed.promise;
  const [{ errorCode, error, attempts }] = await connectorEvents(app, 'failed', 1);
  assert.deepEqual([errorCode, error, attempts], ['unavailable', 'The call was given up before it ended.', 1]);
  assert.equal(api.asked.length, 1, 'nor is it asked again');
});

test('POST /connectors: calls beyond maxConcurrent wait, then get 503', async (t) => {
  const app = await newApp(t);
  let [inside, most] = [0, 0];
  const held: (() => void)[] = [];
  const api = await startApi(t, async (_, response) => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise<void>((resolve) => held.push(resolve));
    inside -= 1;
    json(response, 200, {});
  });
  await applyConnector(app, petsAt(api.url, { maxConcurrent: 5 }));
  const calls = Array.from({ length: 200 }, (_, petId) => call(app, { resource: 'getPet', data: { petId } }));
  const outcomes: number[] = [];
  for (const one of calls) void one.then(({ status }) => outcomes.push(status));
  await eventually('all others are refused', async () => outcomes.length === 190, 20_000);
  const first = api.asked.map(({ url }) => url);
  while (outcomes.length < 200) {
    held.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const answers = await Promise.all(calls);
  assert.deepEqual([first.length, most, api.asked.length], [5, 5, 10]);
  const refused = answers.filter(({ status }) => status === 503);
  assert.equal(refused.length, 190);
  for (const { headers, body } of refused) {
    assert.equal(headers.get('retry-after'), '1');
    assert.match(body.error, /^"pets": too many calls of it are under way, and this one was not made; try again/);
    assert.deepEqual([body.success, body.metadata.attempts, body.metadata.retrySafe], [false, 0, true]);
  }
});
