import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../../../../src/http/app.ts';
import type { TestResponse } from '../../../../support/app.ts';
import { newPerson, PORTAL, withToken } from '../../../../support/people.ts';
import {
  addPasskey,
  codeOf,
  FACTORS,
  factorApp,
  giveFactor,
  needed,
  ORIGIN,
  personWithApp,
  personWithPassword,
  STEP_UP,
  wrongCode,
} from '../../../../support/second-factor.ts';
import { assertError } from '../../dashboards/support.ts';

const KEY = { label: 'mine', scopes: ['mcp:read'] };
const MINUTE = 60_000;

/**
 * Changes of keys, credentials, users, second factors and settings, what lets applications or providers in, where connectors
 * send data, and what people approve. Whoever adds such a route adds it here.
 */
const STEPPED_UP = [
  'DELETE /api/v1/portal/providers/:name',
  'PUT /api/v1/portal/providers/:name',
  'PATCH /api/v1/portal/keys/:id/quotas',
  'PATCH /api/v1/portal/quotas',
  'PATCH /api/v1/runtime/users/:id',
  'POST /api/v1/portal/me/second-factor/enrolment',
  'POST /api/v1/portal/me/second-factor/enrolment/confirm',
  'DELETE /api/v1/portal/me/second-factor/totp',
  'DELETE /api/v1/portal/me/second-factor/passkeys/:id',
  'POST /api/v1/portal/me/second-factor/recovery-codes',
  'DELETE /api/v1/portal/users/:id/second-factor',
  'POST /api/v1/portal/keys',
  'POST /api/v1/portal/keys/:id/rotate',
  'DELETE /api/v1/portal/keys/:id',
  'DELETE /api/v1/portal/keys',
  'POST /api/v1/portal/users',
  'PATCH /api/v1/portal/users/:id',
  'PUT /api/v1/portal/users/:id/password',
  'PUT /api/v1/portal/credentials/:name',
  'DELETE /api/v1/portal/credentials/:name',
  'PATCH /api/v1/portal/settings',
  'POST /api/v1/portal/erasure',
  'POST /api/v1/portal/backup',
  'POST /api/v1/portal/authorizations/:id/allow',
  'POST /api/v1/portal/identity-providers',
  'PATCH /api/v1/portal/identity-providers/:id',
  'DELETE /api/v1/portal/identity-providers/:id',
  'PUT /api/v1/portal/connectors/:slug',
  'DELETE /api/v1/portal/connectors/:slug',
  'POST /api/v1/portal/agents',
  'DELETE /api/v1/portal/users/:id/sessions',
  'DELETE /api/v1/portal/users/:id/sessions/:sessionId',
  'DELETE /api/v1/portal/sessions/all',
  'POST /api/v1/portal/invitations',
  'DELETE /api/v1/portal/invitations/:id',
  'POST /api/v1/runtime/observability/metrics/:name/approve',
  'DELETE /api/v1/runtime/observability/metrics/:name',
];
/** Changes below the same paths that need none: the secret of a link, the current password, a name, proposals, trials, and what takes rights away. */
const NOT_STEPPED_UP = [
  'POST /api/v1/portal/invitations/describe',
  'POST /api/v1/portal/invitations/accept',
  'PATCH /api/v1/portal/me',
  'POST /api/v1/portal/me/password',
  'POST /api/v1/portal/me/step-up',
  'POST /api/v1/portal/me/step-up/options',
  'PATCH /api/v1/portal/me/second-factor/passkeys/:id',
  'DELETE /api/v1/portal/backup',
  'POST /api/v1/portal/authorizations/:id/refuse',
  'POST /api/v1/portal/identity-providers/:id/test',
  'POST /api/v1/portal/connectors/:slug/import-preview',
  'POST /api/v1/portal/connectors/:slug/try',
  'POST /api/v1/runtime/observability/metrics',
  'PATCH /api/v1/runtime/observability/metrics/:name',
];

const nameOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;

test('step-up: each change of keys, credentials, users and settings declares it', () => {
  const declared = routes.filter(({ stepUp }) => stepUp).map(nameOf);
  assert.deepEqual(declared.toSorted(), STEPPED_UP.toSorted());
  const sensitive =
    /\/(keys|credentials|users|invitations|sessions\/all|settings|me|authorizations|identity-providers|portal\/providers\/:name$|quotas|portal\/connectors|agents|metrics|backup|erasure)\b/;
  const changes = routes.filter(({ method, path }) => method !== 'get' && sensitive.test(path)).map(nameOf);
  assert.deepEqual(changes.toSorted(), [...STEPPED_UP, ...NOT_STEPPED_UP].toSorted());
});

test('step-up: each of these routes refuses an old session, before it reads the body', async (t) => {
  const app = await factorApp(t);
  const { request } = await personWithApp(app, { role: 'SUPER_ADMIN' });
  app.advance(10 * MINUTE);
  for (const name of STEPPED_UP) {
    const [method = '', path = ''] = name.split(' ');
    const hasBody = method !== 'DELETE';
    const address = path.replace(/:\w+/g, '0190a5a0-0000-7000-8000-000000000000');
    assertStepUp(await request(method, address, hasBody ? { unknown: true } : undefined));
  }
});

function assertStepUp(answer: TestResponse): void {
  assertError(answer, 403, 'Forbidden');
  const challenge = answer.headers.get('www-authenticate');
  assert.equal(challenge, 'Bearer realm="agent-runtime", error="insufficient_user_authentication", max_age="600"');
  assert.match(answer.body.message, /me\/step-up/);
}

test('step-up: a code opens ten minutes of this session alone', async (t) => {
  const app = await factorApp(t);
  const person = await personWithApp(app);
  const { token } = await app.runtime.sessions.open(person.user, { address: 'elsewhere' });
  const other = withToken(app, token);
  assertStepUp(await other('POST', `${PORTAL}/keys`, KEY));
  const steppedUp = await other('POST', STEP_UP, { code: await codeOf(app, person.secret) });
  assert.equal(steppedUp.status, 200, JSON.stringify(steppedUp.body));
  assert.equal(Date.parse(steppedUp.body.validUntil), app.now() + 10 * MINUTE);
  assert.equal((await other('POST', `${PORTAL}/keys`, KEY)).status, 201);
  app.advance(10 * MINUTE - 1);
  assertStepUp(await person.request('POST', `${PORTAL}/keys`, KEY));
  assert.equal((await other('POST', `${PORTAL}/keys`, KEY)).status, 201);
  app.advance(1);
  assertStepUp(await other('POST', `${PORTAL}/keys`, KEY));
});

test('step-up: a login with the second factor counts as one, a login link does not', async (t) => {
  const app = await factorApp(t);
  const { email, secret, user } = await personWithApp(app);
  const { ticket } = await needed(app, email);
  const { token } = (await giveFactor(app, { ticket, code: await codeOf(app, secret) })).body;
  assert.equal((await withToken(app, token)('POST', `${PORTAL}/keys`, KEY)).status, 201);
  const link = await app.runtime.logins.loginWithLink(await app.runtime.logins.issueLink(user, MINUTE), {
    address: 'x',
  });
  assertStepUp(await withToken(app, link.token)('POST', `${PORTAL}/keys`, KEY));
});

test('step-up: a wrong or used code is 422, and counts as at the login', async (t) => {
  const app = await factorApp(t);
  const { email, secret, request, recoveryCodes } = await personWithApp(app);
  const code = await codeOf(app, secret);
  assert.equal((await request('POST', STEP_UP, { code })).status, 200);
  assertError(await request('POST', STEP_UP, { code }), 422, 'Unprocessable Entity');
  const wrong = await wrongCode(app, secret);
  for (let count = 0; count < 4; count++) await request('POST', STEP_UP, { code: wrong });
  assertError(await request('POST', STEP_UP, { code: wrong }), 429, 'Too Many Requests');
  const { ticket } = await needed(app, email);
  assertError(await giveFactor(app, { ticket, code: wrong }), 429, 'Too Many Requests');
  assert.equal((await request('POST', STEP_UP, { recoveryCode: recoveryCodes[3] })).status, 200);
  assertError(await request('POST', STEP_UP, { recoveryCode: recoveryCodes[3] }), 422, 'Unprocessable Entity');
});

test('step-up: a passkey answers the challenge of its session, once', async (t) => {
  const app = await factorApp(t);
  const person = await personWithPassword(app);
  const { authenticator } = await addPasskey(person);
  const other = withToken(app, (await app.runtime.sessions.open(person.user, { address: 'elsewhere' })).token);
  const { methods, passkeyOptions } = (await other('POST', `${STEP_UP}/options`, {})).body;
  assert.deepEqual(methods, ['passkey', 'recoveryCode']);
  const passkey = authenticator.get(passkeyOptions, { origin: ORIGIN });
  assertError(await person.request('POST', STEP_UP, { passkey }), 422, 'Unprocessable Entity');
  assert.equal((await other('POST', STEP_UP, { passkey })).status, 200);
  assertError(await other('POST', STEP_UP, { passkey }), 422, 'Unprocessable Entity');
  assert.equal((await other('POST', `${PORTAL}/keys`, KEY)).status, 201);
});

test('step-up: API keys and users without a second factor are not asked', async (t) => {
  const app = await factorApp(t);
  const { user } = await personWithApp(app);
  app.advance(20 * MINUTE);
  const byKey = await app.request('PATCH', `/api/v1/runtime/users/${user.id}`, { name: 'Another name' });
  assert.equal(byKey.status, 200);
  const plain = await newPerson(app);
  assert.equal((await plain.request('POST', `${PORTAL}/keys`, KEY)).status, 201);
});

test('step-up: is no refusal in the audit log, a failure is a line of its own', async (t) => {
  const app = await factorApp(t);
  const { secret, request } = await personWithApp(app);
  app.advance(20 * MINUTE);
  await request('POST', `${PORTAL}/keys`, KEY);
  await request('POST', STEP_UP, { code: await wrongCode(app, secret) });
  await request('POST', STEP_UP, { code: await codeOf(app, secret) });
  await app.runtime.audit.settled();
  const { items } = await app.runtime.audit.entries({ ...app.caller, role: 'ADMIN' }, { limit: 100, offset: 0 });
  const actions = items.map(({ action }) => action);
  assert.ok(!actions.includes('request.refused'), actions.join(' '));
  assert.ok(actions.includes('second_factor.failed') && actions.includes('second_factor.confirmed'));
});

test('second factor: the only one stays where the tenant requires one', async (t) => {
  const app = await factorApp(t);
  const { request } = await personWithApp(app);
  await app.runtime.tenants.changeSettings('default', { secondFactor: 'everyone' }, null);
  assert.equal((await request('GET', FACTORS)).body.required, true);
  assertError(await request('DELETE', `${FACTORS}/totp`), 409, 'Conflict');
  assert.equal((await request('GET', FACTORS)).body.recoveryCodes, 10, 'nothing was removed');
  await addPasskey({ request });
  assert.equal((await request('DELETE', `${FACTORS}/totp`)).status, 204);
  assertError(await request('DELETE', `${FACTORS}/totp`), 404, 'Not Found');
});

test('second factor: new recovery codes void the former ones', async (t) => {
  const app = await factorApp(t);
  const { request, recoveryCodes } = await personWithApp(app);
  const replaced = await request('POST', `${FACTORS}/recovery-codes`, {});
  assert.equal(replaced.body.recoveryCodes.length, 10);
  assertError(await request('POST', STEP_UP, { recoveryCode: recoveryCodes[0] }), 422, 'Unprocessable Entity');
  assert.equal((await request('POST', STEP_UP, { recoveryCode: replaced.body.recoveryCodes[0] })).status, 200);
  const without = await newPerson(app);
  assertError(await without.request('POST', `${FACTORS}/recovery-codes`, {}), 422, 'Unprocessable Entity');
});

test('second factor: administrators reset it under the rules of passwords', async (t) => {
  const app = await factorApp(t);
  await app.runtime.tenants.create({ name: 'other' });
  const admin = await newPerson(app, { role: 'ADMIN' });
  const superAdmin = await personWithApp(app, { role: 'SUPER_ADMIN' });
  const person = await personWithApp(app);
  const stranger = await personWithApp(app, { tenant: 'other' });
  const reset = (id: string) => admin.request('DELETE', `${PORTAL}/users/${id}/second-factor`);
  assertError(await reset(superAdmin.user.id), 403, 'Forbidden');
  assertError(await reset(stranger.user.id), 403, 'Forbidden');
  assertError(await person.request('DELETE', `${PORTAL}/users/${admin.user.id}/second-factor`), 403, 'Forbidden');
  const answer = await reset(person.user.id);
  assert.deepEqual([answer.status, answer.body], [200, { removed: 1, ended: 1 }]);
  assertError(await person.request('GET', `${PORTAL}/me`), 401, 'Unauthorized');
  assert.equal(
    (await app.post(`${PORTAL}/login`, { email: person.email, password: 'correct horse battery staple' })).status,
    200,
  );
  assert.equal((await superAdmin.request('GET', FACTORS)).body.recoveryCodes, 10);
});

test('second factor: the first is added within ten minutes of the login', async (t) => {
  const app = await factorApp(t);
  const person = await personWithPassword(app);
  app.advance(10 * MINUTE);
  const answer = await person.request('POST', `${FACTORS}/enrolment`, { method: 'code' });
  assertError(answer, 403, 'Forbidden');
  assert.match(answer.body.message, /Log out and in again/);
  assert.doesNotMatch(answer.headers.get('www-authenticate') ?? '', /max_age/, 'a factor would not help');
  const { token } = await app.runtime.sessions.open(person.user, { address: 'elsewhere' });
  assert.equal((await withToken(app, token)('POST', `${FACTORS}/enrolment`, { method: 'code' })).status, 200);
});

test('users: who becomes SUPER_ADMIN logs in anew', async (t) => {
  const app = await factorApp(t);
  const person = await personWithPassword(app, { role: 'ADMIN' });
  const boss = await personWithPassword(app, { role: 'SUPER_ADMIN' });
  const path = `/api/v1/portal/users/${person.user.id}`;
  assert.equal((await boss.request('PATCH', path, { role: 'USER' })).status, 200);
  assert.equal((await person.request('GET', `${PORTAL}/me`)).status, 200);
  assert.equal((await boss.request('PATCH', path, { role: 'SUPER_ADMIN' })).status, 200);
  assertError(await person.request('GET', `${PORTAL}/me`), 401, 'Unauthorized');
});
