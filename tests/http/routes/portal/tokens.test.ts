import assert from 'node:assert/strict';
import { createHmac, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { SignJWT } from 'jose/jwt/sign';
import type { StoredUser } from '../../../../src/core/access/users/store.ts';
import { deriveKey, type SecretUse } from '../../../../src/core/base/sealing/secret-key.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { EVENTS, type TestApp, type TestResponse, testApp } from '../../../support/app.ts';
import { changeUser, newPerson, newUser, PORTAL, withToken } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';

const SECRET = 'a secret of this test file, of 32 and more characters';
const sharedApp = appOfThisFile({ secretKey: SECRET, rateLimit: 0 });
const KEY = createSecretKey(deriveKey(SECRET, 'portal tokens'));
const HOUR = 3_600;
const CLIENT = { address: 'a test' };
const seconds = () => Math.floor(Date.now() / 1_000);

interface Changed {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: KeyObject;
}

/** A token as the server makes them, but for what is changed; a claim that is undefined is left out. */
async function tokenOf(user: StoredUser, { header, claims, key = KEY }: Changed = {}): Promise<string> {
  const { sid } = JSON.parse(payloadOf((await (await sharedApp()).runtime.sessions.open(user, CLIENT)).token));
  const all = {
    ...{ sub: user.id, tenantId: user.tenantId, role: user.role, sid, sessionVersion: user.sessionVersion },
    ...{ iat: seconds(), exp: seconds() + HOUR },
    ...{ iss: 'agent-runtime', aud: 'agent-runtime portal' },
    ...claims,
  };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(kept).setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...header }).sign(key);
}

/** One message for every reason, so that a client learns nothing. */
const REFUSED = 'The token is not valid any more, or never was. Log in again.';

function assertRefused(answer: TestResponse, why: string): void {
  assert.deepEqual([answer.status, answer.body.message], [401, REFUSED], why);
  assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/, why);
}

/** At a portal endpoint, a runtime endpoint and over MCP alike. */
async function assertRefusedEverywhere(app: TestApp, token: string, why: string): Promise<void> {
  const request = withToken(app, token);
  assertRefused(await request('GET', `${PORTAL}/me`), why);
  assertRefused(await request('GET', `${EVENTS}/feed`), why);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  assertRefused(await request('POST', '/mcp', call, { accept: 'application/json, text/event-stream' }), why);
}

test("Tokens: the tests' own tokens are valid unless changed", async () => {
  const app = await sharedApp();
  const user = await newUser(app);
  const { token } = await app.runtime.sessions.open(user, CLIENT);
  for (const good of [token, await tokenOf(user)]) {
    const answer = await withToken(app, good)('GET', `${PORTAL}/me`);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.user.id, user.id);
  }
});

test('Tokens: an expired token is refused to the second', async (t) => {
  let now = Date.parse('2026-03-01T00:00:00.400Z');
  const app = await testApp(t, {}, { ...realEffects, now: () => now });
  const user = await newUser(app, { password: 'correct horse' });
  const answer = await app.request('POST', `${PORTAL}/login`, { email: user.email, password: 'correct horse' });
  assert.equal(answer.body.expiresAt, '2026-03-01T12:00:00.000Z');
  const me = async () => withToken(app, answer.body.token)('GET', `${PORTAL}/me`);
  now = Date.parse('2026-03-01T11:59:59.999Z');
  assert.equal((await me()).status, 200);
  now = Date.parse('2026-03-01T12:00:00.000Z');
  assertRefused(await me(), 'expired');
  await assertRefusedEverywhere(app, answer.body.token, 'expired');
});

test('Tokens: an unsigned token is refused in every spelling of "none"', async () => {
  const app = await sharedApp();
  const user = await newUser(app, { role: 'SUPER_ADMIN' });
  const [, payload] = (await tokenOf(user)).split('.');
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
    const header = Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url');
    await assertRefusedEverywhere(app, `${header}.${payload}.`, alg);
  }
});

test('Tokens: another algorithm is refused even with the right key', async () => {
  const app = await sharedApp();
  const user = await newUser(app);
  for (const alg of ['HS384', 'HS512']) {
    const [header, payload] = [{ alg, typ: 'JWT' }, JSON.parse(payloadOf(await tokenOf(user)))];
    const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signature = createHmac(`sha${alg.slice(2)}`, KEY)
      .update(text)
      .digest('base64url');
    await assertRefusedEverywhere(app, `${text}.${signature}`, alg);
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await assertRefusedEverywhere(app, await tokenOf(user, { header: { alg: 'ES256' }, key: privateKey }), 'ES256');
});

test('Tokens: a key of another installation or use is refused', async () => {
  const app = await sharedApp();
  const user = await newUser(app);
  const others = [
    deriveKey('another secret, of another installation', 'portal tokens'),
    deriveKey(SECRET, 'another use' as SecretUse),
    Buffer.from(SECRET),
  ];
  for (const other of others) {
    await assertRefusedEverywhere(app, await tokenOf(user, { key: createSecretKey(other) }), 'another key');
  }
});

test('Tokens: another issuer, audience or type, or a missing claim is refused', async () => {
  const app = await sharedApp();
  const user = await newUser(app);
  const changes: Changed[] = [
    ...['iss', 'aud', 'sub', 'tenantId', 'role', 'sid', 'sessionVersion', 'iat', 'exp'].map((claim) => ({
      claims: { [claim]: undefined },
    })),
    { claims: { iss: 'another' } },
    { claims: { aud: 'another' } },
    { claims: { aud: ['another'] } },
    { claims: { nbf: seconds() + HOUR } },
    { claims: { sub: [user.id] } },
    { claims: { sid: [] } },
    { claims: { sid: realEffects.newId() } },
    { claims: { iat: seconds() + 120 } },
    { claims: { tenantId: [user.tenantId] } },
    { claims: { tenantId: (await app.runtime.tenants.create({ name: 'other' })).id } },
    { claims: { sessionVersion: String(user.sessionVersion) } },
    { claims: { sessionVersion: [user.sessionVersion] } },
    { claims: { sessionVersion: null } },
    { header: { typ: 'at+jwt' } },
  ];
  for (const changed of changes) {
    await assertRefusedEverywhere(app, await tokenOf(user, changed), JSON.stringify(changed));
  }
});

test('Tokens: a change of any character is refused', async () => {
  const app = await sharedApp();
  const token = await tokenOf(await newUser(app));
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
  const changed = fc
    .tuple(fc.nat(token.length - 1), fc.constantFrom(...letters))
    .map(([at, letter]) => token.slice(0, at) + letter + token.slice(at + 1))
    .filter((text) => text !== token);
  await fc.assert(
    fc.asyncProperty(changed, async (text) => {
      assert.equal((await withToken(app, text)('GET', `${PORTAL}/me`)).status, 401);
    }),
    { numRuns: 150 },
  );
  const last = token.length - 1;
  for (const letter of letters.filter((one) => one !== token[last])) {
    assertRefused(await withToken(app, token.slice(0, last) + letter)('GET', `${PORTAL}/me`), `last: ${letter}`);
  }
});

test('Tokens: an unknown or deactivated user is refused', async () => {
  const app = await sharedApp();
  const user = await newUser(app);
  await assertRefusedEverywhere(app, await tokenOf({ ...user, id: realEffects.newId() }), 'unknown');
  const { token, request } = await newPerson(app);
  assert.equal((await request('GET', `${PORTAL}/me`)).status, 200);
  const { user: gone } = (await request('GET', `${PORTAL}/me`)).body;
  await changeUser(app, gone.id, { isActive: false });
  await assertRefusedEverywhere(app, token, 'deactivated');
});

test('Tokens: an earlier or later session version is refused', async () => {
  const app = await sharedApp();
  const user = await newUser(app);
  const version = user.sessionVersion ?? 0;
  for (const sessionVersion of [version - 1, version + 1, 0, version + 0.5]) {
    const token = await tokenOf(user, { claims: { sessionVersion } });
    await assertRefusedEverywhere(app, token, `${sessionVersion} in place of ${version}`);
  }
  assert.equal((await withToken(app, await tokenOf(user))('GET', `${PORTAL}/me`)).status, 200);
});

test('Tokens: a new password voids tokens of the same millisecond', async (t) => {
  let now = Date.parse('2026-03-01T00:00:00.400Z');
  const app = await testApp(t, {}, { ...realEffects, now: () => now });
  const { id, email } = await newUser(app, { password: 'correct horse' });
  const login = async (password: string) => {
    const { status, body } = await app.request('POST', `${PORTAL}/login`, { email, password });
    assert.equal(status, 200);
    assert.equal((await withToken(app, body.token)('GET', `${PORTAL}/me`)).status, 200);
    return body.token as string;
  };
  const setPassword = (password: string) => app.runtime.users.setPassword(id, { password }, null);
  const setActive = async (isActive: boolean) => {
    assert.equal((await app.request('PATCH', `/api/v1/runtime/users/${id}`, { isActive })).status, 200);
  };
  const first = await login('correct horse');
  await setPassword('another horse of mine');
  await assertRefusedEverywhere(app, first, 'a new password');
  const second = await login('another horse of mine');
  await setActive(false);
  await setActive(true);
  await assertRefusedEverywhere(app, second, 'deactivated, and active again');
  const third = await login('another horse of mine');
  now -= HOUR * 1_000;
  await setPassword('third horse of three');
  await assertRefusedEverywhere(app, third, 'a new password, at an earlier time');
  await login('third horse of three');
});

test('Tokens: other changes of a user leave tokens valid', async () => {
  const app = await sharedApp();
  const { user, request } = await newPerson(app);
  for (const changes of [
    { name: 'New' },
    { email: 'new-of-tokens@example.com' },
    { role: 'VIEWER' },
    { isActive: true },
  ]) {
    assert.equal((await app.request('PATCH', `/api/v1/runtime/users/${user.id}`, changes)).status, 200);
    assert.equal((await request('GET', `${PORTAL}/me`)).status, 200, JSON.stringify(changes));
  }
});

test('Tokens: a user of a blocked tenant is refused', async (t) => {
  const app = await testApp(t, { secretKey: SECRET });
  const { user, token, request } = await newPerson(app);
  app.runtime.tenants.erasing.block(app.tenantId);
  await assertRefusedEverywhere(app, token, 'shut out');
  app.runtime.tenants.erasing.unblock(app.tenantId);
  assert.equal((await request('GET', `${PORTAL}/me`)).body.user.id, user.id);
});

test('Tokens: a changed role applies at the next request', async () => {
  const app = await sharedApp();
  const { user, request } = await newPerson(app, { role: 'ADMIN' });
  const patch = async () => (await request('PATCH', `${PORTAL}/settings`, { retentionDays: null })).status;
  const write = async () => (await request('POST', EVENTS, { events: [{ eventName: 'a' }] })).status;
  assert.deepEqual([await patch(), await write()], [200, 202]);
  await changeUser(app, user.id, { role: 'VIEWER' });
  assert.deepEqual([await patch(), await write()], [403, 403]);
  assert.equal((await request('GET', `${PORTAL}/me`)).body.user.role, 'VIEWER');
  await changeUser(app, user.id, { role: 'USER' });
  assert.deepEqual([await patch(), await write()], [403, 202]);
});

test('Tokens: a token in x-api-key is refused with the reason', async () => {
  const app = await sharedApp();
  const { token } = await newPerson(app);
  const wrong: Record<string, string>[] = [
    { 'x-api-key': token },
    { 'x-api-key': token, authorization: `Bearer ${token}` },
  ];
  for (const headers of wrong) {
    const answer = await app.request('GET', `${EVENTS}/feed`, undefined, headers);
    assert.equal(answer.status, 401);
    assert.match(answer.body.message, /x-api-key takes API keys/);
  }
  const both = await app.request('GET', `${EVENTS}/feed`, undefined, { authorization: `Bearer ${token}` });
  assert.equal(both.status, 401, 'a key and a token at once');
});

test('Tokens: runtime endpoints and MCP apply the scopes of the role', async () => {
  const app = await sharedApp();
  const { request, token, user } = await newPerson(app, { role: 'ADMIN' });
  const { sessionId, ...caller } = await app.runtime.sessions.authenticate(token);
  assert.equal(sessionId, JSON.parse(payloadOf(token)).sid);
  assert.deepEqual(caller, {
    tenantId: user.tenantId,
    agentId: null,
    label: user.email,
    scopes: ['*'],
    timezone: 'UTC',
    credential: { kind: 'user', id: user.id },
    userId: user.id,
    role: 'ADMIN',
  });
  await app.ingest([{ eventName: 'by a key' }]);
  const names = (await request('GET', `${EVENTS}/feed?eventName=by%20a%20key`)).body.events;
  assert.equal(names.length, 1, 'of every agent');
  const card = { title: 'a', cardType: 'number', config: { eventName: 'a', aggregation: 'count' } };
  const unbound = await request('POST', '/api/v1/runtime/observability/dashboard-cards', card);
  assert.deepEqual([unbound.status, unbound.body.card.agentId], [201, 'default']);
  const call = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'aggregate_events', arguments: { eventName: 'by a key', aggregation: 'count' } },
  };
  const answer = await request('POST', '/mcp', call, { accept: 'application/json, text/event-stream' });
  assert.match(JSON.stringify(answer.body), /"value\\*":1/);
});

test('Tokens: the rate limit counts all endpoints of a user', async (t) => {
  const app = await testApp(t, { rateLimit: 60, rateLimitBurst: 3, secretKey: SECRET });
  const { name: tenant } = await app.runtime.tenants.create({ name: 'stranger' });
  const [one, other] = [await newPerson(app), await newPerson(app, { tenant })];
  const statuses = [];
  for (let count = 0; count < 5; count++) statuses.push((await one.request('GET', `${PORTAL}/me`)).status);
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  const refused = await one.request('GET', `${EVENTS}/feed`);
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
  assert.equal((await other.request('GET', `${PORTAL}/me`)).status, 200);
});

function payloadOf(token: string): string {
  return Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8');
}
