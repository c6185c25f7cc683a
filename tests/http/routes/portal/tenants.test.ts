import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../../../src/http/app.ts';
import type { TestApp } from '../../../support/app.ts';
import { connector } from '../../../support/connectors.ts';
import { connect, registerClient } from '../../../support/oauth.ts';
import { newPerson, type Person, PORTAL } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });

interface Owner extends Person {
  key: string;
  keyId: string;
  slug: string;
  credential: string;
  sessionId: string;
  grantId: string;
}

/** A tenant in which every name, text and number tells whose it is, and its administrator. `who` is a word that no random id can hold. */
async function newOwner(app: TestApp, who: string): Promise<Owner> {
  const { name } = await app.runtime.tenants.create({ name: `tenant of ${who}` });
  const admin = await newPerson(app, { role: 'SUPER_ADMIN', tenant: name, email: `admin@${who}.example`, name: who });
  const key = await app.newKey({ tenant: name, agentId: 'support' });
  const events = Array.from({ length: 5 }, (_, index) => ({
    eventName: 'order',
    properties: { [`${who}_key`]: who, who, index },
  }));
  await app.ingest([...events, { eventName: `${who}_event` }], key);
  const made = await admin.request('POST', `${PORTAL}/keys`, {
    label: `${who} label`,
    scopes: ['*'],
    agentId: `${who} agent`,
  });
  await admin.request('PATCH', `${PORTAL}/settings`, { timezone: who === 'lovelace' ? 'Europe/Berlin' : 'Asia/Tokyo' });
  const [slug, credential] = [`${who}-api`, `${who}-token`];
  await admin.request('PUT', `${PORTAL}/credentials/${credential}`, {
    secret: 'a secret',
    username: `user of ${who}`,
    hosts: ['api.example.com'],
  });
  await admin.request('PUT', `${PORTAL}/connectors/${slug}`, connector({ slug, name: `API of ${who}` }));
  const { sessions } = (await admin.request('GET', `${PORTAL}/sessions`)).body;
  await connect(app, admin, { clientId: await clientOf(app, who) });
  const { grants } = (await admin.request('GET', `${PORTAL}/grants`)).body;
  const ids = { keyId: made.body.id, sessionId: sessions[0].id, grantId: grants[0].id };
  return { ...admin, key, slug, credential, ...ids };
}

async function clientOf(app: TestApp, who: string): Promise<string> {
  return (await registerClient(app, { client_name: `application of ${who}` })).body.client_id;
}

/** Every endpoint of the portal with what it takes; `userId` is another tenant's, `id` a key's, `slug` a connector's, `name` a credential's, `session` a session's, `grant` that of an application. A new route has to be asked here. */
const asked = (
  userId: string,
  id: string,
  slug: string,
  name: string,
  session: string,
  grant: string,
): Record<string, { query?: string; body?: object; expected?: number }> => ({
  'POST /login': { body: { email: 'admin@lovelace.example', password: 'wrong' }, expected: 401 },
  'POST /login/link': { body: { secret: 'wrong' }, expected: 403 },
  'POST /login/second-factor': { body: { ticket: 'wrong', code: '123456' }, expected: 401 },
  'POST /login/second-factor/enrolment': { body: { ticket: 'wrong', method: 'code' }, expected: 401 },
  'POST /login/second-factor/enrolment/confirm': { body: { ticket: 'wrong', code: '123456' }, expected: 401 },
  'POST /login/passkey/options': { body: {}, expected: 422 },
  'POST /login/passkey': { body: {}, expected: 400 },
  'GET /me/second-factor': {},
  'POST /me/second-factor/enrolment': { body: { method: 'code' } },
  'POST /me/second-factor/enrolment/confirm': { body: { code: '1234567' }, expected: 400 },
  'DELETE /me/second-factor/totp': { expected: 404 },
  [`PATCH /me/second-factor/passkeys/${session}`]: { body: { name: 'mine' }, expected: 404 },
  [`DELETE /me/second-factor/passkeys/${session}`]: { expected: 404 },
  'POST /me/second-factor/recovery-codes': { body: {}, expected: 422 },
  'POST /me/step-up/options': { body: {} },
  'POST /me/step-up': { body: { code: '123456' }, expected: 422 },
  'GET /login/sso': {},
  'POST /logout': { body: { id: session }, expected: 400 },
  'GET /sessions': {},
  'DELETE /sessions': {},
  [`DELETE /sessions/${session}`]: { expected: 404 },
  'GET /me': {},
  'PATCH /me': { body: { language: 'pt' }, expected: 204 },
  'POST /me/password': { body: { currentPassword: 'a wrong one', password: 'long enough for one' }, expected: 422 },
  'GET /keys': {},
  'POST /keys': { body: { label: 'new', scopes: ['events:read'] }, expected: 201 },
  [`POST /keys/${id}/rotate`]: { expected: 403 },
  [`DELETE /keys/${id}`]: { expected: 403 },
  'DELETE /keys': { query: `?createdBy=${userId}` },
  // Requests of applications have no tenant until somebody answers them.
  'GET /authorizations/:id': { expected: 404 },
  'POST /authorizations/:id/allow': { body: { scopes: ['mcp:read'] }, expected: 404 },
  'POST /authorizations/:id/refuse': { body: {}, expected: 404 },
  'GET /grants': {},
  [`DELETE /grants/${grant}`]: { expected: 403 },
  'GET /agents': {},
  'POST /agents': { body: { name: 'one that both have' }, expected: 201 },
  'GET /connectors': {},
  [`GET /connectors/${slug}`]: { expected: 404 },
  [`PUT /connectors/${slug}`]: { body: {}, expected: 400 },
  [`POST /connectors/${slug}/import-preview`]: { body: { document: '' }, expected: 400 },
  [`POST /connectors/${slug}/try`]: { body: { resource: 'list' }, expected: 404 },
  [`GET /connectors/${slug}/circuits`]: { expected: 404 },
  [`GET /connectors/${slug}/tools`]: { expected: 404 },
  [`DELETE /connectors/${slug}`]: { expected: 404 },
  'GET /credentials': {},
  [`PUT /credentials/${name}`]: { body: {}, expected: 400 },
  [`DELETE /credentials/${name}`]: { expected: 404 },
  'GET /event-names': {},
  'GET /event-properties': { query: '?eventName=order' },
  'GET /property-values': { query: '?eventName=order&propertyKey=who' },
  'POST /aggregate': { body: { eventName: 'order', aggregation: 'count', group_by: 'who' } },
  'GET /identity-providers': {},
  'POST /identity-providers': { body: {}, expected: 400 },
  [`GET /identity-providers/${session}`]: { expected: 404 },
  [`PATCH /identity-providers/${session}`]: { body: { name: 'mine' }, expected: 404 },
  [`DELETE /identity-providers/${session}`]: { expected: 404 },
  [`POST /identity-providers/${session}/test`]: { body: {}, expected: 404 },
  'GET /sessions/all': {},
  'DELETE /sessions/all': {},
  'GET /invitations': {},
  'POST /invitations': { body: { email: 'guest@example.com', role: 'USER' }, expected: 201 },
  'POST /invitations/describe': { body: { secret: session }, expected: 410 },
  'POST /invitations/accept': {
    body: { secret: session, name: 'Nobody', password: 'eleven orange tricycles' },
    expected: 410,
  },
  [`DELETE /invitations/${session}`]: { expected: 404 },
  'GET /providers': {},
  [`GET /providers/${name}`]: { expected: 404 },
  [`PUT /providers/${name}`]: { body: {}, expected: 400 },
  [`DELETE /providers/${name}`]: { expected: 404 },
  [`POST /providers/${name}/test`]: { body: {}, expected: 404 },
  [`GET /providers/${name}/models`]: { expected: 404 },
  'GET /providers/vendors/:vendor/models': { expected: 400 },
  'POST /providers/vendors/:vendor/test': { body: {}, expected: 400 },
  'GET /quotas': {},
  'PATCH /quotas': { body: { events: 5 }, expected: 403 },
  [`GET /keys/${id}/quotas`]: { expected: 403 },
  [`PATCH /keys/${id}/quotas`]: { body: { 'tokens-per-day': 5 }, expected: 403 },
  'GET /usage/history': {},
  'GET /first-hour': {},
  'PUT /first-hour': { body: { putAway: true } },
  'GET /sample-data': {},
  'POST /sample-data': { body: { tenant: userId }, expected: 400 },
  'DELETE /sample-data': { expected: 404 },
  'GET /settings': {},
  'PATCH /settings': { body: { retentionDays: 30 } },
  'GET /audit-log': {},
  'GET /audit-log/export': {},
  'GET /data': {},
  'GET /data/older-events': { query: '?days=1' },
  // With several tenants, what concerns the whole installation is for nobody.
  'GET /storage': { expected: 403 },
  'GET /backup': { expected: 403 },
  'POST /backup': { body: { passphrase: 'a passphrase' }, expected: 403 },
  'DELETE /backup': { expected: 403 },
  'GET /backup/:ticket': { expected: 403 },
  'GET /system': { expected: 403 },
  'POST /system/doctor': { body: {}, expected: 403 },
  'POST /erasure': { body: { tenant: 'tenant of somebody else' }, expected: 422 },
});

test("portal: no endpoint reads or changes another tenant's data", async () => {
  const app = await sharedApp();
  const [lovelace, kernighan] = [await newOwner(app, 'lovelace'), await newOwner(app, 'kernighan')];
  const seen: Record<string, string> = {};
  for (const [me, they] of [
    [lovelace, kernighan],
    [kernighan, lovelace],
  ] as const) {
    const foreign = [they.user.name, they.user.id, they.user.tenantId, they.keyId];
    for (const [name, { query = '', body, expected = 200 }] of Object.entries(
      asked(they.user.id, they.keyId, they.slug, they.credential, they.sessionId, they.grantId),
    )) {
      const [method, path] = name.split(' ') as [string, string];
      const answer = await me.request(method, `${PORTAL}${path}${query}`, body);
      assert.equal(answer.status, expected, `${name}: ${JSON.stringify(answer.body)}`);
      const text = JSON.stringify(answer.body);
      // Names that were asked for may come back.
      const told = text.replaceAll(they.slug, '').replaceAll(they.credential, '').replaceAll(they.sessionId, '');
      for (const word of foreign) assert.ok(!told.includes(word), `${name} told ${me.user.name} of ${word}`);
      seen[name] = text;
    }
  }
  assert.match(seen['GET /event-names']!, /kernighan_event/, 'their own they see');
  assert.match(seen['GET /event-properties']!, /kernighan_key/);
  assert.match(seen['POST /aggregate']!, /"value":5.*"kernighan"/);
  assert.match(seen['GET /keys']!, /kernighan label/);
  assert.match(seen['GET /agents']!, /kernighan agent/);
  assert.match(seen['GET /connectors']!, /API of kernighan/);
  assert.match(seen['GET /credentials']!, /user of kernighan/);
  assert.match(seen['GET /grants']!, /application of kernighan/);
  assert.match(seen['GET /settings']!, /Asia\/Tokyo/);
  const settings = (await lovelace.request('GET', `${PORTAL}/settings`)).body;
  assert.deepEqual(settings, {
    timezone: 'Europe/Berlin',
    retentionDays: 30,
    executionRetentionDays: null,
    secondFactor: 'optional',
    passwordLogin: true,
    roleLimits: null,
  });
});

test('portal: the test of tenant isolation covers every endpoint', () => {
  const known = new Set(Object.keys(asked('', ':id', ':slug', ':name', ':id', ':id')));
  for (const { method, path } of routes) {
    // Those of the users are asked by the tests of the users.
    if (!path.startsWith(PORTAL) || path.startsWith(`${PORTAL}/users`)) continue;
    assert.ok(known.has(`${method.toUpperCase()} ${path.slice(PORTAL.length)}`), `${method} ${path}`);
  }
});

test('portal: an administrator finds nothing by names of another tenant', async () => {
  const app = await sharedApp();
  const [lovelace, kernighan] = [await newOwner(app, 'lovelace2'), await newOwner(app, 'kernighan2')];
  const get = async (path: string) => (await lovelace.request('GET', `${PORTAL}/${path}`)).body;
  assert.doesNotMatch(JSON.stringify(await get('event-names?search=kernighan2_event')), /kernighan2/);
  assert.equal((await get('event-names?agentId=kernighan2%20agent')).total, 0);
  assert.equal((await get('event-properties?eventName=kernighan2_event')).total, 0);
  const values = await lovelace.request('GET', `${PORTAL}/property-values?eventName=order&propertyKey=kernighan2_key`);
  assert.equal(values.status, 404);
  const kpi = await lovelace.request('POST', `${PORTAL}/aggregate`, {
    eventName: 'order',
    aggregation: 'count',
    filters: [{ propertyKey: 'who', operator: 'eq', value: 'kernighan2' }],
  });
  assert.equal(kpi.body.value, 0);
  assert.equal(
    (await app.runtime.keyAuthenticator.authenticate(kernighan.key)).tenantId,
    kernighan.user.tenantId,
    'the key still works',
  );
});
