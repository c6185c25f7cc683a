import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { applyConnector, call, json, petsAt, startApi } from '../../../support/outside-api.ts';
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
