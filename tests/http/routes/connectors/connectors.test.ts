import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { connectorEvents } from '../../../support/connector-events.ts';
import { applyConnector, CONNECTORS, call, json, petsAt, startApi } from '../../../support/outside-api.ts';
import { eventually } from '../../../support/process.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';

const newApp = tenantsOfThisFile();

test('POST /connectors: returns the data of the API with metadata', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await applyConnector(app, petsAt(api.url));
  const { status, body } = await call(app, { resource: 'getPet', data: { petId: 7, fields: ['name', 'tag'] } });
  assert.equal(status, 200, JSON.stringify(body));
  const { duration, ...metadata } = body.metadata;
  assert.equal(typeof duration, 'number');
  assert.deepEqual(metadata, {
    ...{ connector: 'pets', resource: 'getPet', environment: 'production', status: 200, attempts: 1 },
    ...{ mocked: false, retrySafe: true },
  });
  assert.equal(body.success, true);
  assert.deepEqual([body.data.method, body.data.url], ['GET', '/v1/pets/7?fields=name&fields=tag']);
});

test('POST /connectors: useMock answers valid calls without the API', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await applyConnector(app, petsAt(api.url));
  const mocked = await call(app, { resource: 'getPet', data: { petId: 7 }, options: { useMock: true } });
  assert.deepEqual(mocked.body.data, { id: 1, name: 'Rex' });
  assert.deepEqual([mocked.body.metadata.mocked, mocked.body.metadata.attempts], [true, 0]);
  const wrong = await call(app, { resource: 'getPet', data: { petId: 'x' }, options: { useMock: true } });
  assert.equal(wrong.status, 400);
  const none = await call(app, { resource: 'listPets', options: { useMock: true } });
  assert.deepEqual([none.status, none.body.fallback], [400, true]);
  assert.match(none.body.error, /^options\.useMock: listPets has no mock/);
  assert.equal(api.asked.length, 0);
});

test('POST /connectors: environment of the call, the server or the definition', async (t) => {
  const [staging, production] = [await startApi(t), await startApi(t)];
  const environments = { staging: { baseUrl: staging.url }, production: { baseUrl: production.url } };
  const definition = petsAt('', { environments, defaultEnvironment: 'staging' });
  const app = await newApp(t);
  await applyConnector(app, definition);
  assert.equal((await call(app, { resource: 'listPets' })).body.metadata.environment, 'staging');
  assert.equal((await call(app, { resource: 'listPets' }, 'pets?environment=')).body.metadata.environment, 'staging');
  assert.equal(
    (await call(app, { resource: 'listPets' }, 'pets?environment=production')).body.metadata.environment,
    'production',
  );
  assert.deepEqual([staging.asked.length, production.asked.length], [2, 1]);
  const other = await testApp(t, { environment: 'production' });
  await applyConnector(other, definition);
  assert.equal((await call(other, { resource: 'listPets' })).body.metadata.environment, 'production');
  await applyConnector(other, petsAt('', { environments: { staging: environments.staging } }));
  const missing = await call(other, { resource: 'getPet', data: { petId: 1 } });
  assert.equal(missing.status, 400);
  assert.match(
    missing.body.error,
    /^environment: the server's default is production, which "pets" does not have; it has staging/,
  );
  assert.equal((await call(app, { resource: 'listPets' }, 'pets?environment=test')).status, 400);
});

test('POST /connectors: invalid input is 400 with its field, and nothing is sent', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await applyConnector(app, petsAt(api.url));
  const wrong: [unknown, RegExp][] = [
    [{}, /resource: is required/],
    [{ resource: 7 }, /resource: must be a string/],
    [{ resource: 'getPet' }, /petId: is required/],
    [{ resource: 'addPet' }, /data.*(name|body).*required/],
    [{ resource: 'getPet', data: { petId: 'seven' } }, /petId: must be an integer/],
    [{ resource: 'getPet', data: { petId: 1, feilds: ['a'] } }, /feilds.*fields/],
    [{ resource: 'addPet', data: { name: 'Rex', age: 3 } }, /age/],
    [{ resource: 'addPet', data: ['Rex'] }, /data: must be an object/],
    [{ resource: 'addPet', data: [] }, /data.*name.*required/],
    [{ resource: null }, /resource: is required/],
    [{ resource: 'addPet', data: { name: 'Rex' }, options: { timeout: 0 } }, /options\.timeout: must be at least 1/],
    [
      { resource: 'addPet', data: { name: 'Rex' }, options: { timeout: 120_001 } },
      /options\.timeout: must be at most 120000/,
    ],
    [{ resource: 'addPet', data: { name: 'Rex' }, options: { retries: 3 } }, /options\.retries: unknown member/],
    [
      { resource: 'addPet', data: { name: 'Rex' }, options: { credentials: 'mine' } },
      /options\.credentials: must be left out/,
    ],
    [{ resource: 'addPet', data: { name: 'Rex' }, options: { headers: { host: 'x' } } }, /host/i],
    ['{"resource":', /body: is not valid JSON/],
  ];
  for (const [body, message] of wrong) {
    const answer = await call(app, body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.body.success, false);
    assert.match(answer.body.error, message, JSON.stringify(body));
  }
  assert.equal(api.asked.length, 0);
});

test('POST /connectors: deprecated members are accepted without effect', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await applyConnector(app, petsAt(api.url));
  assert.equal((await call(app, { resource: 'listPets', action: 'delete' })).status, 200);
  assert.deepEqual(
    api.asked.map(({ method }) => method),
    ['GET'],
  );
});

test('POST /connectors: unknown names are 404 with suggestions', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await applyConnector(app, petsAt(api.url));
  const connector = await call(app, { resource: 'getPet' }, 'petz');
  assert.deepEqual([connector.status, connector.body.success], [404, false]);
  assert.match(connector.body.error, /petz.*pets/s);
  const resource = await call(app, { resource: 'getPets' });
  assert.deepEqual([resource.status, resource.body.success], [404, false]);
  assert.match(resource.body.error, /^resource: "pets" has no resource "getPets"; did you mean getPet\?/);
  for (const name of ['__proto__', 'constructor', 'toString']) {
    assert.equal((await call(app, { resource: name })).status, 404, name);
  }
});

test('POST /connectors: a connector of another tenant is unknown', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await app.runtime.tenants.create({ name: 'other' });
  await applyConnector(app, petsAt(api.url), 'other');
  const { status, body } = await call(app, { resource: 'listPets' });
  assert.deepEqual([status, body.success], [404, false]);
  assert.doesNotMatch(body.error, /Pet Store|nearest/);
  const key = await app.newKey({ tenant: 'other' });
  assert.equal((await call(app, { resource: 'listPets' }, 'pets', { 'x-api-key': key })).status, 200);
});

test("POST /connectors: an error status is 502 with the API's message and data", async (t) => {
  const app = await newApp(t);
  const api = await startApi(t, (_, response) => json(response, 404, { error: { message: 'no such pet' } }));
  await applyConnector(app, petsAt(api.url));
  const { status, body } = await call(app, { resource: 'getPet', data: { petId: 7 } });
  assert.equal(status, 502);
  assert.equal(body.error, '"pets" answered 404 Not Found: no such pet');
  assert.deepEqual(body.data, { error: { message: 'no such pet' } });
  assert.deepEqual([body.fallback, body.metadata.status, body.metadata.retrySafe], [undefined, 404, true]);
});

test('POST /connectors: a timeout is 504, and a POST is not retrySafe', async (t) => {
  const app = await newApp(t);
  const api = await startApi(t, () => new Promise(() => undefined));
  await applyConnector(app, petsAt(api.url));
  const added = await call(app, { resource: 'addPet', data: { name: 'Rex' }, options: { timeout: 1_000 } });
  assert.deepEqual([added.status, added.body.metadata.retrySafe], [504, false]);
  assert.match(added.body.error, /"pets" did not answer within 1000 ms/);
  const got = await call(app, { resource: 'getPet', data: { petId: 1 }, options: { timeout: 1_000 } });
  assert.deepEqual([got.status, got.body.metadata.retrySafe], [504, true]);
});

test('POST /connectors: a failed GET is retried, a POST is not', async (t) => {
  const app = await newApp(t);
  const answers = [503, 503, 200];
  const api = await startApi(t, (_, response) => json(response, answers.shift() ?? 503, {}, { 'retry-after': '0' }));
  await applyConnector(app, petsAt(api.url));
  const got = await call(app, { resource: 'getPet', data: { petId: 1 } });
  assert.deepEqual([got.status, got.body.metadata.attempts], [200, 3]);
  const added = await call(app, { resource: 'addPet', data: { name: 'Rex' } });
  assert.deepEqual([added.status, added.body.metadata.attempts, added.body.metadata.retrySafe], [502, 1, false]);
});

test('POST /connectors: calls become events without their data', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await applyConnector(app, petsAt(api.url));
  await call(app, { resource: 'addPet', data: { name: 'a private name' } });
  await call(app, { resource: 'getPet', data: { petId: 'x' } });
  const query = async (eventName: string) => {
    const body = { eventName, mode: 'raw' };
    return (await app.request('POST', '/api/v1/runtime/v1/observability/events/query', body)).body;
  };
  const deadline = Date.now() + 10_000;
  let found: { rows: unknown[] }[] = [];
  while (Date.now() < deadline) {
    found = [await query('runtime.connector_executed'), await query('runtime.connector_failed')];
    if (found.every(({ rows }) => rows.length > 0)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const text = JSON.stringify(found);
  assert.match(text, /"connector":"pets","resource":"addPet","environment":"production","status":200/);
  assert.match(text, /"errorCode":"invalid"/);
  assert.doesNotMatch(text, /a private name/);
});

test('POST /connectors: 400, 413 and 415 have the connector error body', async (t) => {
  const app = await newApp(t);
  const ask = (body: string, type: string) => app.request('POST', `${CONNECTORS}/pets`, body, { 'content-type': type });
  for (const [body, type, status] of [
    ['resource=getPet', 'application/x-www-form-urlencoded', 415],
    [`{"resource":"${'x'.repeat(3 * 1024 * 1024)}"}`, 'application/json', 413],
    ['[', 'application/json', 400],
  ] as const) {
    const answer = await ask(body, type);
    assert.deepEqual([answer.status, answer.body.success, typeof answer.body.error], [status, false, 'string']);
  }
});

test('POST /connectors: timeouts of 1 to 120000 ms, and fallbacks of each failure', async (t) => {
  const app = await newApp(t);
  let answer = (_response: Parameters<typeof json>[0]): unknown => undefined;
  const api = await startApi(t, (_, response) => answer(response));
  await applyConnector(app, petsAt(api.url, { retry: { attempts: 1 } }));
  const list = (options: object) => call(app, { resource: 'listPets', options });
  const late = await list({ timeout: 1 });
  assert.deepEqual([late.status, late.body.fallback, late.body.data], [504, true, []]);
  answer = (response) => response.destroy();
  const broken = await list({ timeout: 120_000 });
  assert.deepEqual([broken.status, broken.body.fallback, broken.body.data], [502, true, []]);
  const wrong = await list({ headers: { host: 'x' } });
  assert.deepEqual([wrong.status, wrong.body.fallback, wrong.body.data], [400, true, []]);
  answer = (response) => json(response, 200, [1]);
  const well = await list({ timeout: 120_000 });
  assert.deepEqual([well.status, well.body.fallback, well.body.data], [200, undefined, [1]]);
});

test('POST /connectors: ambiguous flat data is 400, structured data is not', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  const id = { properties: { id: { type: 'integer' } } };
  const resources = {
    both: { method: 'POST', path: '/things', parameters: { query: id, body: { type: 'object', ...id } } },
  };
  await applyConnector(app, petsAt(api.url, { resources }));
  const flat = await call(app, { resource: 'both', data: { id: 1 } });
  const structured = await call(app, { resource: 'both', data: { query: { id: 1 }, body: { id: 2 } } });
  assert.equal(flat.status, 400, JSON.stringify(flat.body));
  assert.match(flat.body.error, /^data\.id: .*query.*body/);
  assert.deepEqual([structured.body.data?.url, structured.body.data?.body], ['/v1/things?id=1', '{"id":2}']);
});

const GET = { resource: 'getPet', data: { petId: 1 } };

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
