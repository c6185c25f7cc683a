import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../../../support/app.ts';
import { auditedConnectors, connector } from '../../../support/connectors.ts';
import { newPerson, type Person, PORTAL } from '../../../support/people.ts';
import { eventually } from '../../../support/process.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { UTC } from '../dashboards/support.ts';
import { assertError, assertNames } from '../users/support.ts';

const CONNECTORS = `${PORTAL}/connectors`;
const CREDENTIALS = `${PORTAL}/credentials`;
const EXECUTE = '/api/v1/runtime/v1/connectors';
const SECRET = 'the-secret-itself';

const sharedApp = appOfThisFile({ rateLimit: 0 });

let tenants = 0;

/** A tenant of its own, and its administrator. */
async function newTenant(): Promise<{ app: TestApp; admin: Person; key: string; tenantId: string }> {
  const app = await sharedApp();
  const { id, name } = await app.runtime.tenants.create({ name: `tenant ${++tenants}` });
  return {
    app,
    tenantId: id,
    admin: await newPerson(app, { role: 'ADMIN', tenant: name }),
    key: await app.newKey({ tenant: name }),
  };
}

/** What a definition has that says no more than it has to. */
const DEFAULTS = {
  version: 1,
  auth: { type: 'none' },
  credentials: [],
  headers: {},
  timeoutMs: 30_000,
  maxResponseBytes: 5 * 1024 * 1024,
  maxConcurrent: 64,
  retry: { attempts: 3, statuses: [429, 502, 503, 504] },
  followRedirects: false,
  allowPrivateNetworks: [],
};

test('portal connectors: put, list, get, change and remove', async () => {
  const { admin } = await newTenant();
  const { slug, ...members } = connector();
  const made = await admin.request('PUT', `${CONNECTORS}/pets`, members);
  const { createdAt: _, updatedAt: __, ...outcome } = made.body;
  assert.deepEqual([made.status, outcome], [201, { slug: 'pets', outcome: 'created', missingCredentials: [] }]);

  const list = await admin.request('GET', CONNECTORS);
  const [{ createdAt, updatedAt, ...summary }] = list.body.connectors;
  assert.deepEqual(summary, {
    ...{ slug: 'pets', name: 'Pet store', environments: ['production'], hosts: ['pets.example.com'] },
    ...{ credentials: [], resources: 1, tools: 0 },
  });
  assert.match(createdAt, UTC);
  assert.equal(updatedAt, createdAt);

  const shown = await admin.request('GET', `${CONNECTORS}/pets`);
  const resources = { list: { method: 'GET', path: '/pets', parameters: {}, bodyType: 'json', exposeAsTool: false } };
  assert.deepEqual(shown.body, { definition: { ...DEFAULTS, ...connector({ resources }) }, createdAt, updatedAt });

  const again = await admin.request('PUT', `${CONNECTORS}/pets`, shown.body.definition);
  assert.deepEqual([again.status, again.body.outcome], [200, 'unchanged']);
  const changed = await admin.request('PUT', `${CONNECTORS}/pets`, { ...members, credentials: ['a', 'b'] });
  assert.deepEqual(
    [changed.status, changed.body.outcome, changed.body.missingCredentials],
    [200, 'changed', ['a', 'b']],
  );

  const { createdAt: madeAt } = (await admin.request('GET', `${CONNECTORS}/pets`)).body;
  assert.equal(madeAt, createdAt, 'a change keeps when it was made');

  assert.deepEqual((await admin.request('DELETE', `${CONNECTORS}/pets`)).status, 204);
  for (const method of ['GET', 'DELETE']) {
    assertError(await admin.request(method, `${CONNECTORS}/pets`), 404, /there is no connector "pets"/);
  }
});

test('GET /portal/connectors: pages by slug with a total', async () => {
  const { admin } = await newTenant();
  for (const slug of ['c', 'a', 'b']) {
    await admin.request('PUT', `${CONNECTORS}/${slug}`, connector({ slug, name: 'The same name' }));
    await admin.request('PUT', `${CREDENTIALS}/${slug}`, { secret: SECRET, hosts: ['pets.example.com'] });
  }
  const page = async (path: string, query: string) => (await admin.request('GET', `${path}?${query}`)).body;
  const { connectors, ...counts } = await page(CONNECTORS, 'limit=2&offset=1');
  assert.deepEqual(counts, { total: 3, limit: 2, offset: 1 });
  assert.deepEqual(
    connectors.map(({ slug }: { slug: string }) => slug),
    ['b', 'c'],
  );
  assert.deepEqual((await page(CONNECTORS, 'limit=2&offset=3')).connectors, []);
  const { credentials, ...others } = await page(CREDENTIALS, 'limit=2&offset=2');
  assert.deepEqual([credentials.length, credentials[0].name, others.total], [1, 'c', 3]);
  assertNames(await admin.request('GET', `${CONNECTORS}?limit=0`), 'limit');
});

test('PUT /portal/connectors: problems have positions, and nothing changes', async () => {
  const { admin } = await newTenant();
  await admin.request('PUT', `${CONNECTORS}/pets`, connector());
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ slug: 'other' }, /^slug: must be "pets", as it is called here, or be left out$/],
    [
      { environments: { production: { baseUrl: `https://a:${SECRET}@x.com` } } },
      /^environments\.production\.baseUrl: must not hold a user/,
    ],
    [{ time_out_ms: 5 }, /^time_out_ms: unknown member/],
    [{ headers: { 'x-a': `${SECRET}\n` } }, /^headers\.x-a: must be/],
  ];
  for (const [members, message] of cases) {
    const answer = await admin.request('PUT', `${CONNECTORS}/pets`, connector(members));
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.ok(
      answer.body.message.some((one: string) => message.test(one)),
      `${message}: ${answer.body.message}`,
    );
    assert.ok(!JSON.stringify(answer.body).includes(SECRET), JSON.stringify(answer.body));
  }
  const shown = await admin.request('GET', `${CONNECTORS}/pets`);
  assert.equal(shown.body.updatedAt, shown.body.createdAt);
  const large = connector({ description: 'a'.repeat(2 * 1024 * 1024) });
  assertError(await admin.request('PUT', `${CONNECTORS}/pets`, large), 413);
  assertNames(await admin.request('PUT', `${CONNECTORS}/Pets!`, connector({ slug: undefined })), 'slug');
});

test('portal connectors: administrators reach no environment variable or network', async () => {
  const { admin, app, tenantId } = await newTenant();
  const production = { baseUrl: 'https://pets.example.com', secret: { env: 'HOME' } };
  const refused: [Record<string, unknown>, string][] = [
    [{ environments: { production } }, 'environments.production.secret.env'],
    [{ headers: { 'x-a': { env: 'HOME' } } }, 'headers.x-a.env'],
    [{ allowPrivateNetworks: ['10.0.0.0/8'] }, 'allowPrivateNetworks'],
  ];
  for (const [members, field] of refused) {
    const answer = await admin.request('PUT', `${CONNECTORS}/pets`, connector(members));
    assertError(answer, 400);
    assert.deepEqual(answer.body.message, [
      `connector "pets": ${field}: is only for the operator; leave it out, or have it applied on the server's command line with \`connectors apply\``,
    ]);
  }
  const inside = connector({ environments: { production: { baseUrl: 'http://169.254.169.254/latest' } } });
  assertError(await admin.request('PUT', `${CONNECTORS}/pets`, inside), 400, /private network/);
  assert.equal((await admin.request('GET', CONNECTORS)).body.total, 0);

  // What the operator has applied, an administrator may see and remove, and not put back.
  await app.runtime.connectors.apply(tenantId, connector({ allowPrivateNetworks: ['10.0.0.0/8'] }), null);
  const { definition } = (await admin.request('GET', `${CONNECTORS}/pets`)).body;
  assert.deepEqual(definition.allowPrivateNetworks, ['10.0.0.0/8']);
  assertError(
    await admin.request('PUT', `${CONNECTORS}/pets`, { ...definition, name: 'Mine' }),
    400,
    /only for the operator/,
  );
  assert.equal((await admin.request('DELETE', `${CONNECTORS}/pets`)).status, 204);
});

test('portal credentials: set, replace, list without secret, remove when unused', async () => {
  const { admin } = await newTenant();
  const set = (body: object, headers = {}) => admin.request('PUT', `${CREDENTIALS}/pets.token`, body, headers);
  const mine = { username: 'ana', secret: SECRET, hosts: ['Pets.Example.com'] };
  const made = await set(mine, { 'if-none-match': '*' });
  assert.deepEqual([made.status, made.body], [201, { name: 'pets.token', outcome: 'created' }]);
  const taken = await set({ ...mine, username: 'bob' }, { 'if-none-match': '*' });
  assertError(taken, 412, /^There is a credential "pets\.token" already; nothing is stored\./);
  const listed = async () => {
    const [{ createdAt, updatedAt, ...shown }] = (await admin.request('GET', CREDENTIALS)).body.credentials;
    assert.match(createdAt, UTC);
    return { ...shown, isChanged: updatedAt > createdAt };
  };
  assert.deepEqual(await listed(), {
    name: 'pets.token',
    username: 'ana',
    hosts: ['pets.example.com'],
    connectors: [],
    lastUsedAt: null,
    isChanged: false,
  });
  const rotated = await set({ secret: `${SECRET} 2` });
  assert.deepEqual([rotated.status, rotated.body.outcome], [200, 'changed']);
  const { isChanged: _, ...whole } = await listed();
  const { username, hosts } = whole;
  assert.deepEqual({ username, hosts }, { username: null, hosts: ['pets.example.com'] }, 'but its hosts stay');

  await admin.request('PUT', `${CONNECTORS}/pets`, connector({ credentials: ['pets.token'] }));
  assert.deepEqual((await listed()).connectors, ['pets']);
  const held = await admin.request('DELETE', `${CREDENTIALS}/pets.token`);
  assertError(held, 409, /^Credential "pets\.token" is needed: connector "pets" lists it\. Change that first\.$/);
  await admin.request('DELETE', `${CONNECTORS}/pets`);
  assert.equal((await admin.request('DELETE', `${CREDENTIALS}/pets.token`)).status, 204);
  assertError(await admin.request('DELETE', `${CREDENTIALS}/pets.token`), 404, /there is no credential "pets\.token"/);
});

test('portal connectors: no response or audit line has a secret', async () => {
  const { app, admin, tenantId } = await newTenant();
  const answers = [
    await admin.request('PUT', `${CREDENTIALS}/pets`, { secret: SECRET, hosts: ['pets.example.com'] }),
    await admin.request('PUT', `${CREDENTIALS}/pets`, { secret: SECRET }),
    await admin.request('GET', CREDENTIALS),
    await admin.request('PUT', `${CONNECTORS}/pets`, connector({ credentials: ['pets'] })),
    await admin.request('PUT', `${CONNECTORS}/pets`, connector({ credentials: ['pets'] })),
    await admin.request('GET', `${CONNECTORS}/pets`),
    await admin.request('DELETE', `${CONNECTORS}/pets`),
    await admin.request('DELETE', `${CREDENTIALS}/pets`),
    await admin.request('GET', `${PORTAL}/audit-log`),
  ];
  for (const { status, body } of answers) {
    assert.ok(status < 300, JSON.stringify(body));
    assert.ok(!JSON.stringify(body).includes(SECRET), JSON.stringify(body));
  }
  const by = admin.user.email;
  assert.deepEqual(await auditedConnectors(app.runtime, tenantId), [
    { by, action: 'credential.set', target: 'pets', details: { outcome: 'created', hosts: ['pets.example.com'] } },
    { by, action: 'credential.set', target: 'pets', details: { outcome: 'changed', hosts: ['pets.example.com'] } },
    { by, action: 'connector.applied', target: 'pets', details: { outcome: 'created' } },
    { by, action: 'connector.removed', target: 'pets', details: {} },
    { by, action: 'credential.removed', target: 'pets', details: {} },
  ]);
});

test('portal connectors: calls use the connector until it is removed', async () => {
  const { app, admin, key } = await newTenant();
  const put = (answer: string) => {
    const list = { method: 'GET', path: '/pets', mock: { body: { answer } } };
    return admin.request('PUT', `${CONNECTORS}/pets`, connector({ resources: { list } }));
  };
  const call = () =>
    app.request('POST', `${EXECUTE}/pets`, { resource: 'list', options: { useMock: true } }, { 'x-api-key': key });
  const becomes = (status: number, answer?: string) =>
    eventually(
      `${status} ${answer}`,
      async () => {
        const { status: is, body } = await call();
        return is === status && body.data?.answer === answer;
      },
      5_000,
    );
  await becomes(404);
  await put('first');
  await becomes(200, 'first');
  await put('second');
  await becomes(200, 'second');
  await admin.request('DELETE', `${CONNECTORS}/pets`);
  await becomes(404);
});
