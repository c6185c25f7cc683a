import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../support/app.ts';
import * as oauth from '../../support/oauth.ts';
import { changeUser, newPerson, withCookie } from '../../support/people.ts';
import { eventually } from '../../support/process.ts';
import { tenantsOfThisFile } from '../../support/shared.ts';

const newApp = tenantsOfThisFile();

const GRANTS = '/api/v1/portal/grants';

test('OAuth: an application registers, is allowed, calls tools and refreshes', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app);
  const { clientId, tokens } = await oauth.connect(app, person);
  assert.deepEqual([tokens.scope, tokens.expires_in], ['mcp:read knowledge:read', 3_600]);
  const listed = await oauth.callMcp(app, tokens.access_token);
  assert.equal(listed.status, 200);
  assert.match(listed.body, /"aggregate_events"/);
  const { status, body } = await oauth.refresh(app, clientId, tokens.refresh_token);
  assert.equal(status, 200);
  assert.notEqual(body.refresh_token, tokens.refresh_token);
  assert.equal((await oauth.callMcp(app, body.access_token)).status, 200);
});

test('OAuth: the request is shown with who asks, for what and in which tenant', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app, { role: 'VIEWER' });
  const begun = await oauth.authorize(app, { scope: 'mcp:read metrics:write of:nothing' });
  assert.equal(begun.response.status, 303);
  assert.equal(begun.location, `${app.url}/authorize/${begun.id}`);
  const { body } = await withCookie(app, person.token)('GET', `/api/v1/portal/authorizations/${begun.id}`);
  const { expiresAt, ...shown } = body;
  assert.deepEqual(shown, {
    client: { id: begun.clientId, name: 'Test Host', kind: 'registered', host: null },
    redirectTo: 'http://localhost:7777',
    resource: `${app.url}/mcp`,
    tenant: (await app.runtime.tenants.get(app.tenantId)).name,
    scopes: [
      { scope: 'mcp:read', grantable: true },
      { scope: 'metrics:write', grantable: false },
    ],
    limits: null,
    defaultDays: 90,
    maxDays: 366,
  });
  assert.ok(Date.parse(expiresAt) > Date.now());
});

test('OAuth: nobody allows more than they have, or than was asked for', async (t) => {
  const app = await newApp(t);
  const viewer = await newPerson(app, { role: 'VIEWER' });
  const { id } = await oauth.authorize(app, { scope: 'mcp:read metrics:write' });
  const answer = (body: object) =>
    withCookie(app, viewer.token)('POST', `/api/v1/portal/authorizations/${id}/allow`, body);
  const lacking = await answer({ scopes: ['metrics:write'] });
  assert.equal(lacking.status, 403);
  assert.match(lacking.body.message, /scopes that you lack: metrics:write/);
  const foreign = await answer({ scopes: ['events:read'] });
  assert.deepEqual(foreign.body.message, ['scopes: the application does not ask for events:read']);
  assert.deepEqual((await answer({ scopes: [] })).body.message, ['scopes: needs at least one scope']);
  assert.deepEqual((await answer({ scopes: ['mcp:read'], days: 0 })).body.message, ['days: must be at least 1 day']);
  assert.deepEqual((await answer({ scopes: ['mcp:read'], days: 400 })).body.message, [
    'days: must be at most 366 days',
  ]);
  assert.equal((await answer({ scopes: ['mcp:read'] })).status, 200);
  assert.equal((await answer({ scopes: ['mcp:read'] })).status, 404, 'answered already');
});

test('OAuth: the lifetime of keys limits that of grants, but for administrators', async (t) => {
  const app = await testApp(t, { keyLifetime: '30d' });
  const begun = await oauth.authorize(app);
  const path = `/api/v1/portal/authorizations/${begun.id}`;
  const user = withCookie(app, (await newPerson(app)).token);
  const { body } = await user('GET', path);
  assert.deepEqual([body.defaultDays, body.maxDays], [30, 30]);
  const longer = await user('POST', `${path}/allow`, { scopes: ['mcp:read'], days: 31 });
  assert.deepEqual(longer.body.message, ['days: must be at most 30 (AGENT_RUNTIME_KEY_LIFETIME)']);
  const admin = withCookie(app, (await newPerson(app, { role: 'ADMIN' })).token);
  assert.deepEqual((await admin('GET', path)).body.maxDays, 366);
});

test('OAuth: an application that connects again is proposed to be held to the same', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app);
  const limits = { agents: ['support'] };
  const begun = await oauth.authorize(app);
  const address = await oauth.allow(app, person, begun, { scopes: ['mcp:read'], limits });
  await oauth.exchange(app, begun, address.searchParams.get('code') ?? '');
  const again = `/api/v1/portal/authorizations/${(await oauth.authorize(app)).id}`;
  assert.deepEqual((await withCookie(app, person.token)('GET', again)).body.limits, limits);
  const other = await newPerson(app);
  assert.equal((await withCookie(app, other.token)('GET', again)).body.limits, null, "another person's");
});

test('OAuth: a refused request is answered with access_denied, with state and issuer', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app);
  const begun = await oauth.authorize(app);
  const path = `/api/v1/portal/authorizations/${begun.id}/refuse`;
  const { body } = await withCookie(app, person.token)('POST', path, {});
  const back = await oauth.goOn(body.continueAt, begun.cookies);
  const { searchParams, origin } = new URL(back.headers.get('location')!);
  assert.equal(origin, 'http://localhost:7777');
  assert.deepEqual(
    [searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')],
    ['access_denied', 'a state', app.url],
  );
});

test('OAuth: rights shrink with the role, and end with the user', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app, { role: 'ADMIN' });
  await newPerson(app, { role: 'ADMIN' });
  const { request } = await oauth.connect(app, person, {
    resource: `${app.url}/api`,
    scope: 'events:read events:write users:write',
  });
  const events = '/api/v1/runtime/v1/observability/events';
  const event = { events: [{ eventName: 'order.placed', agentId: 'support' }] };
  assert.equal((await request('POST', events, event)).status, 202);
  const set = (changes: Parameters<typeof changeUser>[2]) => changeUser(app, person.user.id, changes);
  await set({ role: 'VIEWER' });
  const refused = await request('POST', events, event);
  assert.equal(refused.status, 403);
  assert.match(refused.body.message, /Your role lacks the scope events:write/);
  assert.match(refused.headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="events:write"/);
  assert.equal((await request('GET', `${events}/feed`)).status, 200);
  await set({ isActive: false });
  const ended = await request('GET', `${events}/feed`);
  assert.equal(ended.status, 401);
  assert.match(ended.body.message, /The user of this access token is deactivated/);
});

test('OAuth: an access token is no login: the portal refuses it', async (t) => {
  const app = await newApp(t);
  const scope = 'mcp:read users:write';
  const { request } = await oauth.connect(app, await newPerson(app, { role: 'ADMIN' }), {
    resource: `${app.url}/api`,
    scope,
  });
  for (const [method, path, body] of [
    ['GET', '/api/v1/portal/me', undefined],
    ['GET', GRANTS, undefined],
    ['POST', '/api/v1/portal/keys', { label: 'x', scopes: ['mcp:read'] }],
    ['POST', '/api/v1/portal/users', { email: 'x@example.com', name: 'X Y' }],
  ] as const) {
    const { status, body: answer } = await request(method, path, body);
    assert.equal(status, 403, path);
    assert.match(answer.message, /access tokens of applications are not accepted/);
  }
});

test('OAuth: people see and end their own grants, administrators all of the tenant', async (t) => {
  const app = await newApp(t);
  await app.runtime.tenants.create({ name: 'other' });
  const [ada, eve] = [await newPerson(app), await newPerson(app)];
  const admin = await newPerson(app, { role: 'ADMIN' });
  const stranger = await newPerson(app, { tenant: 'other', role: 'ADMIN' });
  const [ofAda, ofEve] = [await oauth.connect(app, ada, { days: 7 }), await oauth.connect(app, eve)];
  const listed = async (person: typeof ada) => (await person.request('GET', GRANTS)).body.grants;
  const [own] = await listed(ada);
  assert.deepEqual(
    [own.user.id, own.client.id, own.scopes],
    [ada.user.id, ofAda.clientId, ['mcp:read', 'knowledge:read']],
  );
  assert.equal(Date.parse(own.expiresAt) - Date.parse(own.createdAt), 7 * 86_400_000);
  assert.equal((await listed(ada)).length, 1);
  assert.equal((await listed(admin)).length, 2);
  assert.equal((await listed(stranger)).length, 0);
  const path = `${GRANTS}/${own.id}`;
  assert.equal((await eve.request('DELETE', path)).status, 403);
  assert.equal((await stranger.request('DELETE', path)).status, 403);
  assert.equal((await oauth.callMcp(app, ofAda.tokens.access_token)).status, 200);
  assert.equal((await admin.request('DELETE', path)).status, 204);
  assert.equal((await oauth.callMcp(app, ofAda.tokens.access_token)).status, 401);
  const { status, body } = await oauth.refresh(app, ofAda.clientId, ofAda.tokens.refresh_token);
  assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  assert.equal((await oauth.callMcp(app, ofEve.tokens.access_token)).status, 200);
  assert.equal((await admin.request('DELETE', path)).status, 204, 'ending it again changes nothing');
});

test('OAuth: calls are attributed to person and application', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app, { role: 'ADMIN' });
  const { clientId, tokens } = await oauth.connect(app, person, { scope: 'mcp:read metrics:write' });
  const params = {
    name: 'propose_metric',
    arguments: {
      name: 'orders',
      title: 'Orders',
      formula: { eventName: 'order.placed', aggregation: 'count' },
      goodDirection: 'up',
    },
  };
  const call = await oauth.callMcp(app, tokens.access_token, { jsonrpc: '2.0', id: 2, method: 'tools/call', params });
  assert.equal(call.status, 200);
  const lines = (await person.request('GET', '/api/v1/portal/audit-log')).body.entries;
  const actor = { kind: 'user', id: person.user.id, label: person.user.email };
  const proposed = lines.find(
    ({ action }: { action: string }) => action === 'metric.proposed' || action === 'metric.created',
  );
  assert.deepEqual(proposed?.actor, { ...actor, client: `Test Host (${clientId})` });
  const granted = lines.find(({ action }: { action: string }) => action === 'grant.created');
  assert.deepEqual([granted.actor, granted.details.scopes], [actor, ['mcp:read', 'metrics:write']]);
  const path = '/api/v1/runtime/v1/observability/events/query';
  const question = { eventName: 'runtime.tool_called', agentId: '*' };
  const called = async () => (await app.request('POST', path, question)).body.rows ?? [];
  await eventually('the call is visible', async () => (await called()).length === 1, 5_000);
  const { userId, clientId: ofClient, tool } = (await called())[0];
  assert.deepEqual([userId, ofClient, tool], [person.user.id, clientId, 'propose_metric']);
});

test('OAuth: a tool that was not allowed asks for its scopes, once they can be allowed', async (t) => {
  const app = await newApp(t);
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_annotation', arguments: { text: 'x' } },
  };
  const user = await oauth.connect(app, await newPerson(app, { role: 'USER' }), { scope: 'mcp:read' });
  const stepUp = await oauth.callMcp(app, user.tokens.access_token, message);
  assert.equal(stepUp.status, 403);
  assert.equal(
    stepUp.headers.get('www-authenticate'),
    `Bearer realm="agent-runtime", error="insufficient_scope", scope="mcp:read metrics:write", resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp"`,
  );
  const viewer = await oauth.connect(app, await newPerson(app, { role: 'VIEWER' }), { scope: 'mcp:read' });
  const useless = await oauth.callMcp(app, viewer.tokens.access_token, message);
  assert.equal(useless.status, 200, 'the answer says that the role lacks it');
  assert.match(useless.body, /Your role lacks the scope metrics:write/);
});

test('OAuth: a grant survives a restart, an access token too', async (t) => {
  const first = await newApp(t);
  const { tokens } = await oauth.connect(first, await newPerson(first));
  const facts = await first.runtime.oauthStore.findToken(tokens.access_token);
  assert.equal(facts?.grant.scopes.length, 2);
  const stored = await first.runtime.oauthStore.find('AccessToken', tokens.access_token);
  assert.doesNotMatch(
    JSON.stringify(stored?.content),
    new RegExp(tokens.access_token),
    'the token itself is not stored',
  );
});
