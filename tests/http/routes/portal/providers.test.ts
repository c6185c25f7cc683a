import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '../../../../src/core/base/shared/caller.ts';
import { testApp } from '../../../support/app.ts';
import { newPerson, type Person, PORTAL } from '../../../support/people.ts';
import { auditedProviders, openProviders } from '../../../support/providers.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { callerOf } from '../../../support/users.ts';
import { assertError, assertNames } from '../users/support.ts';

const PROVIDERS = `${PORTAL}/providers`;
const SECRET = 'sk-the-secret-itself';

const sharedApp = appOfThisFile({ rateLimit: 0 });

let tenants = 0;

async function newTenant() {
  const app = await sharedApp();
  const { id, name } = await app.runtime.tenants.create({ name: `tenant ${++tenants}` });
  const admin = await newPerson(app, { role: 'ADMIN', tenant: name });
  return { app, tenantId: id, name, admin };
}

function gateway(members: Record<string, unknown> = {}): Record<string, unknown> {
  return { provider: 'custom', baseUrl: 'https://llm.example.com/v1', ...members };
}

const put = (by: Person, name: string, body: object, headers?: Record<string, string>) =>
  by.request('PUT', `${PROVIDERS}/${name}`, body, headers);

test('portal providers: put, list, get, change and remove', async () => {
  const { admin } = await newTenant();
  const made = await put(admin, 'gateway', gateway({ apiKey: SECRET, headers: { 'x-team': SECRET } }));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { createdAt, updatedAt, ...shown } = made.body;
  assert.deepEqual(shown, {
    definition: {
      ...{ version: 1, name: 'gateway', ...gateway(), apiKey: 'set', headers: { 'x-team': 'set' } },
      ...{ defaults: {}, capabilities: {}, fallbacks: [], strict: false },
      ...{ allowPrivateNetwork: false, allowPrivateImages: false },
    },
    testModel: null,
  });
  assert.equal(createdAt, updatedAt);
  const got = await admin.request('GET', `${PROVIDERS}/gateway`);
  assert.deepEqual(got.body, made.body);
  assert.equal(got.headers.get('etag'), made.headers.get('etag'));
  assert.deepEqual((await admin.request('GET', PROVIDERS)).body.providers, [made.body]);

  const same = await put(admin, 'gateway', got.body.definition);
  assert.deepEqual([same.status, same.body], [200, made.body], 'what was read changes nothing');
  const changed = await put(admin, 'gateway', gateway({ timeout: 3 }));
  assert.equal(changed.status, 200);
  assert.deepEqual([changed.body.definition.apiKey, changed.body.definition.headers], ['set', { 'x-team': 'set' }]);
  assert.ok(changed.body.updatedAt > updatedAt && changed.body.createdAt === createdAt);

  assert.equal((await admin.request('DELETE', `${PROVIDERS}/gateway`)).status, 204);
  for (const method of ['GET', 'DELETE']) {
    assertError(await admin.request(method, `${PROVIDERS}/gateway`), 404, /there is no provider "gateway"/);
  }
});

test('portal providers: each of the seven vendors says how it gets its key', async (t) => {
  const { state, tenantId } = await openProviders(t, {
    GOOGLE_API_KEY: SECRET,
    XAI_API_KEY: `${SECRET}\nx`,
    AWS_PROFILE: 'a',
  });
  const caller = callerOf({ id: 'test', tenantId, email: 'test@example.com', role: 'ADMIN' });
  await state.providerDefinitions.put(caller, 'own', { ...definitionOf('groq'), apiKey: SECRET });
  const { vendors } = await state.providerDefinitions.overview(caller);
  assert.deepEqual(
    vendors.map(({ provider, key, variable, providerNames }) => [provider, key, variable, providerNames]),
    [
      ['openai', 'none', null, []],
      ['anthropic', 'none', null, []],
      ['bedrock', 'environment', 'AWS_PROFILE', []],
      ['groq', 'stored', null, ['own']],
      ['gemini', 'environment', 'GOOGLE_API_KEY', []],
      ['xai', 'environment', 'XAI_API_KEY', []],
      ['custom', 'none', null, []],
    ],
  );
  const xai = vendors.find(({ provider }) => provider === 'xai');
  assert.match(xai?.problem ?? '', /XAI_API_KEY holds characters/);
  assert.ok(!JSON.stringify(vendors).includes(SECRET));
});

const PLAIN = { version: 1 as const, defaults: {}, capabilities: {}, fallbacks: [], strict: false };
const definitionOf = (provider: 'groq' | 'openai') => ({
  ...{ ...PLAIN, provider, allowPrivateNetwork: false, allowPrivateImages: false },
});

test('portal providers: the test models are in the price table, with their prices', async () => {
  const { admin } = await newTenant();
  const { vendors } = (await admin.request('GET', PROVIDERS)).body;
  for (const { provider, testModel } of vendors) {
    if (testModel === null) continue;
    const path = `${PROVIDERS}/vendors/${provider}/models`;
    const { models, total } = (await admin.request('GET', `${path}?limit=200`)).body;
    const found = models.find(({ id }: { id: string }) => id === testModel);
    assert.ok(found?.outputPerMillion < 6, `${provider}: ${JSON.stringify(models)}`);
    assert.equal(models.length, total);
    assert.ok(models.every(({ id }: { id: string }) => !/embed|whisper|image|^ft:/.test(id)));
    const [one] = (await admin.request('GET', `${path}?search=${found.id.toUpperCase()}&limit=1`)).body.models;
    assert.ok(one.id.includes(found.id));
  }
  await put(admin, 'priced', {
    provider: 'openai',
    apiKey: SECRET,
    price: { inputPerMillion: 7, outputPerMillion: 8 },
  });
  const [model] = (await admin.request('GET', `${PROVIDERS}/priced/models?search=gpt-4.1-nano`)).body.models;
  assert.deepEqual([model.inputPerMillion, model.outputPerMillion], [7, 8]);
  await put(admin, 'gateway', gateway());
  assert.deepEqual((await admin.request('GET', `${PROVIDERS}/gateway/models`)).body.models, []);
  assertError(await admin.request('GET', `${PROVIDERS}/nothing/models`), 404);
  assertNames(await admin.request('GET', `${PROVIDERS}/vendors/custom/models`), 'vendor');
});

test('PUT /portal/providers: a stored key is not sent to another address or vendor', async () => {
  const { admin } = await newTenant();
  await put(admin, 'gateway', gateway({ apiKey: SECRET, headers: { 'x-a': SECRET } }));
  const elsewhere = { baseUrl: 'https://other.example.com/v1' };
  const refused: [Record<string, unknown>, RegExp][] = [
    [elsewhere, /^apiKey: send it with the new baseUrl; what is stored was given for the former address/],
    [{ baseUrl: 'https://llm.example.com/v2' }, /^apiKey: /],
    [{ ...elsewhere, apiKey: 'set' }, /^apiKey: /],
    [{ ...elsewhere, apiKey: null }, /^headers: send it with the new baseUrl.*\{\} removes them/],
    [{ ...elsewhere, apiKey: 'new', headers: { 'x-a': 'set' } }, /^headers\.x-a: /],
    [{ provider: 'openai' }, /^apiKey: send it with the new provider; .* the former vendor/],
    [{ provider: 'openai', baseUrl: undefined }, /^apiKey: /],
  ];
  for (const [members, message] of refused) {
    assertError(await put(admin, 'gateway', gateway(members)), 422, message);
  }
  const { definition } = (await admin.request('GET', `${PROVIDERS}/gateway`)).body;
  assert.equal(definition.baseUrl, 'https://llm.example.com/v1');
  const moved = await put(admin, 'gateway', gateway({ ...elsewhere, apiKey: 'sk-another', headers: {} }));
  assert.deepEqual([moved.body.definition.apiKey, moved.body.definition.headers], ['set', {}]);
  const bare = await put(admin, 'gateway', gateway({ apiKey: null }));
  assert.equal(bare.body.definition.apiKey, undefined);
  assertError(
    await put(admin, 'gateway', gateway({ apiKey: 'set' })),
    422,
    /^apiKey: "set" keeps the stored one, and none/,
  );
  assertError(await put(admin, 'gateway', gateway({ headers: { 'x-b': 'set' } })), 422, /^headers\.x-b: "set" keeps/);
});

test('portal providers: chats use the kept key and the changed member', async () => {
  const { app, admin, tenantId } = await newTenant();
  const connection = async () => (await app.runtime.providers.configured(tenantId, 'gateway')).connection;
  await put(admin, 'gateway', gateway({ apiKey: SECRET, headers: { 'x-a': 'one', 'x-b': 'two' } }));
  await put(admin, 'gateway', gateway({ headers: { 'x-b': 'set', 'x-c': 'three' } }));
  const { apiKey, headers } = await connection();
  assert.deepEqual([apiKey, headers], [SECRET, { 'x-b': 'two', 'x-c': 'three' }]);
  await put(admin, 'gateway', gateway({ apiKey: 'sk-another', timeout: 7 }));
  const configured = await app.runtime.providers.configured(tenantId, 'gateway');
  assert.deepEqual([configured.connection.apiKey, configured.timeoutMs], ['sk-another', 7_000]);
});

test('portal providers: administrators reach no environment variable or network', async () => {
  const { app, admin, tenantId } = await newTenant();
  const refused: [Record<string, unknown>, string][] = [
    [{ apiKey: { env: 'HOME' } }, 'apiKey.env'],
    [{ headers: { 'x-a': { env: 'HOME' } } }, 'headers.x-a.env'],
    [{ allowPrivateNetwork: true }, 'allowPrivateNetwork'],
    [{ allowPrivateImages: true }, 'allowPrivateImages'],
  ];
  for (const [members, field] of refused) {
    const answer = await put(admin, 'gateway', gateway(members));
    assertError(answer, 400);
    assert.deepEqual(answer.body.message, [
      `${field}: is only for the operator; leave it out, or have it applied on the server's command line with \`providers apply\``,
    ]);
  }
  const bedrock = await put(admin, 'aws', { provider: 'bedrock', region: 'eu-west-1' });
  assertError(bedrock, 400, /^apiKey: is required with bedrock; without one the server's own AWS credentials/);
  assertError(await put(admin, 'aws', gateway({ baseUrl: 'http://169.254.169.254/latest' })), 400, /private network/);
  assert.deepEqual((await admin.request('GET', PROVIDERS)).body.providers, []);

  const definition = { name: 'mine', provider: 'openai', apiKey: { env: 'OF_OPERATOR' } };
  await app.runtime.providers.apply(tenantId, definition);
  const { body } = await admin.request('GET', `${PROVIDERS}/mine`);
  assert.deepEqual(body.definition.apiKey, { env: 'OF_OPERATOR' });
  const kept = await put(admin, 'mine', { provider: 'openai', timeout: 3 });
  assertError(kept, 400, /^apiKey\.env: is only for the operator/);
  assert.equal((await admin.request('DELETE', `${PROVIDERS}/mine`)).status, 204);
});

test('portal providers: a SUPER_ADMIN of the only tenant may do what is the operator’s', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const chief = await newPerson(app, { role: 'SUPER_ADMIN' });
  const own = gateway({ baseUrl: 'http://127.0.0.1:11434/v1', allowPrivateNetwork: true, apiKey: { env: 'OWN_KEY' } });
  assert.equal((await put(chief, 'local', own)).status, 201);
  const kept = await put(chief, 'local', { ...own, apiKey: undefined, timeout: 3 });
  assert.deepEqual([kept.status, kept.body.definition.apiKey], [200, { env: 'OWN_KEY' }]);
  const admin = await newPerson(app, { role: 'ADMIN' });
  assertError(await put(admin, 'local', own), 400, /only for the operator/);
  await app.runtime.tenants.create({ name: 'another' });
  assertError(await put(chief, 'local', { ...own, timeout: 4 }), 400, /only for the operator/);
});

test('portal providers: an outdated ETag is refused with 412, and so is a taken name', async () => {
  const { app, admin, tenantId } = await newTenant();
  const made = await put(admin, 'gateway', gateway({ apiKey: SECRET }), { 'if-none-match': '*' });
  assert.equal(made.status, 201);
  const taken = await put(admin, 'gateway', gateway(), { 'if-none-match': '*' });
  assertError(taken, 412, /^The provider "gateway" exists already; nothing is stored/);
  const etag = made.headers.get('etag') ?? '';
  const first = await put(admin, 'gateway', gateway({ apiKey: 'sk-new' }), { 'if-match': etag });
  assert.equal(first.status, 200);
  assert.notEqual(first.headers.get('etag'), etag, 'also when only the key is another');
  const second = await put(admin, 'gateway', gateway({ timeout: 2 }), { 'if-match': etag });
  assertError(second, 412, /^The provider "gateway" was changed in the meantime/);
  const current = first.headers.get('etag') ?? '';
  await app.runtime.providers.apply(tenantId, { name: 'gateway', ...gateway({ timeout: 5 }) });
  assertError(await put(admin, 'gateway', gateway(), { 'if-match': current }), 412, /changed in the meantime/);
  const { headers } = await admin.request('GET', `${PROVIDERS}/gateway`);
  const together = await Promise.all(
    [7, 8].map((timeout) => put(admin, 'gateway', gateway({ timeout }), { 'if-match': headers.get('etag') ?? '' })),
  );
  assert.deepEqual(together.map(({ status }) => status).sort(), [200, 412]);
  await admin.request('DELETE', `${PROVIDERS}/gateway`);
  assertError(await put(admin, 'gateway', gateway(), { 'if-match': current }), 412, /was removed in the meantime/);
});

test('portal providers: fallbacks are checked, and block a removal', async () => {
  const { admin } = await newTenant();
  const onto = (providerName: string, provider = 'custom') =>
    gateway({ fallbacks: [{ provider, providerName, model: 'm' }] });
  assertError(await put(admin, 'a', onto('b')), 400, /^fallbacks\[0\]\.providerName: there is no provider "b"/);
  await put(admin, 'b', gateway());
  assertError(await put(admin, 'a', onto('b', 'openai')), 400, /^fallbacks\[0\]\.provider: must be custom, as "b" is/);
  assert.equal((await put(admin, 'a', onto('b'))).status, 201);
  const other = await put(admin, 'b', { provider: 'openai', apiKey: SECRET });
  assertError(other, 400, /^provider "a": fallbacks\[0\]\.provider: must be openai/);
  const held = await admin.request('DELETE', `${PROVIDERS}/b`);
  assertError(held, 409, /^Provider "b" is needed: "a" falls back on it\. Change that first\.$/);
  assertError(await put(admin, 'a', { name: 'c', ...gateway() }), 400, /^name: must be "a"/);
  assertNames(await put(admin, 'a!', gateway()), 'name');
  assertNames(await put(admin, 'a', gateway({ timeout: -1, nothing: 1 })), 'timeout', 'nothing');
});

test('portal providers: only administrators of the tenant see and change them', async () => {
  const { app, admin, name } = await newTenant();
  const other = await newTenant();
  await put(admin, 'gateway', gateway({ apiKey: SECRET }));
  const requests: [string, string, object?][] = [
    ['GET', PROVIDERS],
    ['GET', `${PROVIDERS}/gateway`],
    ['PUT', `${PROVIDERS}/gateway`, gateway()],
    ['DELETE', `${PROVIDERS}/gateway`],
    ['GET', `${PROVIDERS}/gateway/models`],
    ['POST', `${PROVIDERS}/gateway/test`, { model: 'm' }],
    ['POST', `${PROVIDERS}/vendors/openai/test`, {}],
  ];
  for (const role of ['USER', 'VIEWER', 'HUB_USER'] satisfies Role[]) {
    const person = await newPerson(app, { role, tenant: name });
    for (const [method, path, body] of requests) assertError(await person.request(method, path, body), 403);
  }
  for (const [method, path, body] of requests) assertError(await app.request(method, path, body), 403);
  assert.deepEqual((await other.admin.request('GET', PROVIDERS)).body.providers, []);
  for (const [method, path, body] of requests.filter(([, path]) => path.includes('gateway'))) {
    if (method !== 'PUT') assertError(await other.admin.request(method, path, body), 404);
  }
  const same = await put(other.admin, 'gateway', gateway({ apiKey: 'set' }));
  assertError(same, 422, /none is stored/);
  assert.equal((await admin.request('GET', `${PROVIDERS}/gateway`)).body.definition.apiKey, 'set');
});

test('portal providers: no answer or audit line has a secret', async () => {
  const { app, admin, tenantId } = await newTenant();
  const answers = [
    await put(admin, 'gateway', gateway({ apiKey: SECRET, headers: { 'x-a': SECRET } })),
    await put(admin, 'gateway', gateway({ apiKey: SECRET })),
    await put(admin, 'gateway', gateway({ apiKey: `${SECRET}\n` })),
    await put(admin, 'gateway', gateway({ baseUrl: `https://a:${SECRET}@x.example.com` })),
    await put(admin, 'gateway', gateway({ baseUrl: 'https://x.example.com' })),
    await admin.request('GET', PROVIDERS),
    await admin.request('DELETE', `${PROVIDERS}/gateway`),
    await admin.request('GET', `${PORTAL}/audit-log`),
  ];
  for (const { body } of answers) assert.ok(!JSON.stringify(body).includes(SECRET), JSON.stringify(body));
  const lines = (await admin.request('GET', `${PORTAL}/audit-log`)).body.entries ?? [];
  assert.ok(JSON.stringify(answers.at(-1)?.body).includes(admin.user.email), JSON.stringify(lines));
  assert.deepEqual(await auditedProviders(app.runtime, tenantId), [
    { action: 'provider.applied', target: 'gateway', details: { provider: 'custom', outcome: 'created' } },
    { action: 'provider.applied', target: 'gateway', details: { provider: 'custom', outcome: 'changed' } },
    { action: 'provider.removed', target: 'gateway', details: {} },
  ]);
});
