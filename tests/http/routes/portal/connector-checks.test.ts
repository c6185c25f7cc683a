import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../../../support/app.ts';
import { connector } from '../../../support/connectors.ts';
import { json, petsAt, startApi } from '../../../support/outside-api.ts';
import { newPerson, type Person, PORTAL } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { assertError, assertNames } from '../users/support.ts';

const CONNECTORS = `${PORTAL}/connectors`;
const SECRET = 'the-secret-itself';

const sharedApp = appOfThisFile({ rateLimit: 0 });

let tenants = 0;

async function newTenant(): Promise<{ app: TestApp; admin: Person; tenantId: string }> {
  const app = await sharedApp();
  const { id, name } = await app.runtime.tenants.create({ name: `tenant ${++tenants}` });
  return { app, tenantId: id, admin: await newPerson(app, { role: 'ADMIN', tenant: name }) };
}

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example.com/v1' }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: { description: 'Pets.' } },
      },
    },
  },
};

test('POST /portal/connectors/:slug/import-preview: nothing is stored', async () => {
  const { admin } = await newTenant();
  const path = `${CONNECTORS}/pets/import-preview`;
  const first = await admin.request('POST', path, { document: JSON.stringify(DOCUMENT), name: 'Our pets' });
  assert.equal(first.status, 200);
  const { definition, notes, changes, outcome } = first.body;
  assert.deepEqual(
    [definition.name, Object.keys(definition.resources), outcome, changes],
    ['Our pets', ['listPets'], 'created', []],
  );
  assert.ok(notes.length > 0, 'without security the document says less than a connector needs');
  assertError(await admin.request('GET', `${CONNECTORS}/pets`), 404, /no connector/);

  definition.resources.listPets.exposeAsTool = true;
  assert.equal((await admin.request('PUT', `${CONNECTORS}/pets`, definition)).status, 201);
  const paths = { '/pets/{id}': { get: { operationId: 'getPet', responses: {} } } };
  const again = await admin.request('POST', path, { document: JSON.stringify({ ...DOCUMENT, paths }) });
  assert.deepEqual(
    again.body.changes.map(({ change, of, name }: Record<string, string>) => [change, of, name]),
    [
      ['removed', 'resource', 'listPets'],
      ['added', 'resource', 'getPet'],
    ],
  );
  const yaml = await admin.request('POST', path, { document: 'openapi: 3.0.3\ninfo: {title: A}\n  paths: x' });
  assertNames(yaml, 'document:3');
  assertError(await admin.request('POST', path, { document: 'swagger: "2.0"' }), 400, /#\/swagger/);
});

test('POST /portal/connectors/:slug/import-preview: the answer has a bound', async () => {
  const { admin } = await newTenant();
  const values = Array.from({ length: 10_000 }, (_, index) => `value-${index}`);
  const path = `${CONNECTORS}/pets/import-preview`;
  const large = { name: 'large', in: 'query', schema: { type: 'string', enum: values } };
  const operation = { get: { parameters: [{ $ref: '#/components/parameters/large' }], responses: {} } };
  const paths = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`/things/${index}`, operation]));
  const document = JSON.stringify({ ...DOCUMENT, paths, components: { parameters: { large } } });
  assertError(await admin.request('POST', path, { document }), 400, /more than 2 MB/);
  const parameters = values.slice(0, 500).map((name) => ({ name, in: 'query', schema: { type: name } }));
  const noted = {
    '/ok': { get: { responses: {} } },
    [`/${'a'.repeat(10_000)}`]: { get: { parameters, responses: {} } },
  };
  const notes = JSON.stringify({ ...DOCUMENT, paths: noted });
  assertError(await admin.request('POST', path, { document: notes }), 400, /as many notes/);
});

test('POST /portal/connectors/:slug/try: shows the request without secrets', async (t) => {
  const { app, admin, tenantId } = await newTenant();
  const api = await startApi(t, ({ headers, url }, response) =>
    url.includes('/pets/2')
      ? json(response, 500, { message: `no ${headers.authorization}` })
      : json(response, 200, { name: 'Rex' }, { 'x-echo': headers.authorization, 'set-cookie': 'session=1' }),
  );
  const definition = petsAt(api.url, {
    environments: { production: { baseUrl: `${api.url}/v1`, secret: { credential: 'pets' } } },
    auth: { type: 'bearer' },
    credentials: ['pets'],
    headers: { 'x-key': { credential: 'pets' }, 'x-plain': 'plain' },
    retry: { attempts: 1 },
  });
  await app.runtime.connectors.apply(tenantId, definition, null);
  const credential = { secret: SECRET, hosts: ['127.0.0.1'] };
  await admin.request('PUT', `${PORTAL}/credentials/pets`, credential);

  const attempt = (body: object) => admin.request('POST', `${CONNECTORS}/pets/try`, body);
  const done = await attempt({ resource: 'getPet', data: { petId: 1, fields: ['a b'] } });
  const { sent, headers, call } = done.body;
  assert.deepEqual(sent, {
    method: 'GET',
    url: `${api.url}/v1/pets/1?fields=a%20b`,
    headers: [
      { name: 'accept', value: 'application/json, */*;q=0.8' },
      { name: 'x-key', value: '[secret]' },
      { name: 'x-plain', value: 'plain' },
      { name: 'authorization', value: 'Bearer [secret]' },
    ],
    body: null,
  });
  assert.deepEqual([headers['x-echo'], headers['set-cookie']], ['Bearer [redacted]', undefined]);
  assert.deepEqual([call.success, call.data, call.metadata.attempts], [true, { name: 'Rex' }, 1]);
  assert.equal(api.asked.at(-1)!.headers.authorization, `Bearer ${SECRET}`);

  const failed = await attempt({ resource: 'getPet', data: { petId: 2 } });
  assert.deepEqual([failed.status, failed.body.call.success, failed.body.call.metadata.status], [200, false, 500]);
  const invalid = await attempt({ resource: 'getPet', data: { petId: 'x' } });
  assert.deepEqual([invalid.body.sent, invalid.body.headers, invalid.body.call.success], [null, null, false]);
  assert.match(invalid.body.call.error, /data\.petId/);
  assertError(await attempt({ resource: 'nothing' }), 404, /nothing/);
  for (const one of [done, failed, invalid]) assert.ok(!JSON.stringify(one.body).includes(SECRET));

  for (let again = 0; again < 4; again += 1) await attempt({ resource: 'getPet', data: { petId: 2 } });
  const { circuits } = (await admin.request('GET', `${CONNECTORS}/pets/circuits`)).body;
  assert.deepEqual([circuits[0].state, circuits[0].failures], ['open', 5]);
  assert.ok(circuits[0].retryInMs > 0);
});

test('GET /portal/connectors/:slug/tools: as models read them', async () => {
  const { admin } = await newTenant();
  const resources = {
    list: { method: 'GET', path: '/pets', description: 'All pets', exposeAsTool: true },
    add: { method: 'POST', path: '/pets' },
  };
  await admin.request('PUT', `${CONNECTORS}/pets`, connector({ resources }));
  const { tools } = (await admin.request('GET', `${CONNECTORS}/pets/tools`)).body;
  assert.deepEqual(
    tools.map(({ resource, tool }: { resource: string; tool: { name: string } }) => [resource, tool.name]),
    [['list', 'pets_list']],
  );
  assert.match(tools[0].tool.description, /^All pets\. Calls GET \/pets of Pet store\./);
  assert.equal(tools[0].tool.annotations.readOnlyHint, true);
  assertError(await admin.request('GET', `${CONNECTORS}/other/tools`), 404, /no connector/);
});

test('PUT /portal/connectors: an outdated change is refused with 412', async () => {
  const { admin } = await newTenant();
  const put = (members: object, headers: Record<string, string>) =>
    admin.request('PUT', `${CONNECTORS}/pets`, connector(members as Record<string, unknown>), headers);
  const made = await put({}, { 'if-none-match': '*' });
  assert.equal(made.status, 201);
  assertError(await put({ name: 'Mine' }, { 'if-none-match': '*' }), 412, /exists already/);
  const { headers } = await admin.request('GET', `${CONNECTORS}/pets`);
  const etag = headers.get('etag')!;
  assert.equal(made.headers.get('etag'), etag);
  const changed = await put({ name: 'Mine' }, { 'if-match': etag });
  assert.deepEqual([changed.status, changed.body.outcome], [200, 'changed']);
  assertError(await put({ name: 'Yours' }, { 'if-match': etag }), 412, /changed in the meantime/);
  assert.equal((await put({ name: 'Yours' }, { 'if-match': changed.headers.get('etag')! })).status, 200);
  await admin.request('DELETE', `${CONNECTORS}/pets`);
  assertError(await put({}, { 'if-match': etag }), 412, /was removed/);
});
