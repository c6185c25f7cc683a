import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { CreateProvider } from '../../../src/core/access/sso/schema.ts';
import { appOfTenant, type TestApp } from '../../support/app.ts';
import { type FaultyProvider, startFaultyProvider } from '../../support/identity/faulty-provider.ts';
import { idJagClaims, idTokenOfHost, redeem, signed } from '../../support/identity/id-jag.ts';
import { HOST, type RunningProvider } from '../../support/identity/provider.ts';
import { signIn } from '../../support/identity/sign-in.ts';
import { defineProvider, signOnOfThisFile, somebody, whoIsIn } from '../../support/identity/workspace.ts';
import { callMcp, connect, registerClient, withAccessToken } from '../../support/oauth.ts';
import { changeUser, newPerson, newUser, PORTAL } from '../../support/people.ts';
import { scopeOfThisFile } from '../../support/shared.ts';

/* Enterprise-managed authorization: an identity provider lets an MCP client act, without a page of this server. */

const signOn = signOnOfThisFile();
const scope = scopeOfThisFile();
let made: Promise<FaultyProvider> | undefined;

const GRANTS = `${PORTAL}/grants`;

/** The app with a provider `made`, whose assertions the test signs itself, and a client of it. */
async function setUp(settings: Partial<CreateProvider> = {}) {
  const { app } = await signOn();
  made ??= startFaultyProvider(scope);
  const issuer = await made;
  await defineProvider(app, { id: 'made', issuer: issuer.issuer, mcp: true, ...settings });
  const clientId: string = (await registerClient(app)).body.client_id;
  const person = somebody();
  const ask = async (members: object = {}, parameters: Record<string, string> = {}) => {
    const { email, email_verified, sub } = person;
    const claims = { ...idJagClaims(app, issuer.issuer, clientId), sub, email, email_verified, ...members };
    return redeem(app, clientId, await signed(issuer, JSON.parse(JSON.stringify(claims))), parameters);
  };
  return { app, issuer, clientId, person, ask };
}

async function grantsOf(app: TestApp, clientId: string) {
  const admin = await newPerson(app, { role: 'ADMIN' });
  const { grants } = (await admin.request('GET', `${GRANTS}?limit=100`)).body;
  return { admin, grants: grants.filter((grant: { client: { id: string } }) => grant.client.id === clientId) };
}

/** The host of the SDK, with the identity provider's exchange. */
function hostOf(app: TestApp, provider: RunningProvider, { clientId, clientSecret }: Credentials, idToken: string) {
  const asked: { authorizationServerUrl: string; resourceUrl: string; scope?: string | undefined }[] = [];
  const authProvider = new CrossAppAccessProvider({
    assertion: async (context) => {
      asked.push(context);
      const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
        ...{ idpUrl: provider.issuer, audience: context.authorizationServerUrl, resource: context.resourceUrl },
        ...{ idToken, clientId: HOST.clientId, clientSecret: HOST.clientSecret, scope: context.scope },
      });
      return jwtAuthGrant;
    },
    ...{ clientId, clientSecret, expectedIssuer: app.url },
  });
  return {
    asked,
    authProvider,
    transport: new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { authProvider }),
  };
}

interface Credentials {
  clientId: string;
  clientSecret: string;
}

test('ID-JAG: the client of the SDK calls a tool for a person of oidc-provider', async (t) => {
  const { app, provider } = await signOn({ mcp: true });
  const { clientId, clientSecret } = await app.runtime.oauthClients.configure({
    ...{ name: 'Company agent', redirectUris: ['https://agent.example.com/callback'], confidential: true },
  });
  await provider.allow({ clientId, scope: 'mcp:read knowledge:read' });
  const ada = somebody();
  await provider.use(ada);
  const { jar } = await signIn(app, 'corp');
  const { user } = await whoIsIn(app, jar);
  const idToken = await idTokenOfHost(provider);
  const { asked, authProvider, transport } = hostOf(app, provider, { clientId, clientSecret: clientSecret! }, idToken);
  const client = new Client({ name: 'host', version: '1.0.0' });
  await client.connect(transport);
  t.after(() => client.close());
  const { content } = await client.callTool({ name: 'describe_workspace', arguments: {} });
  assert.ok(Array.isArray(content) && content.length > 0);
  assert.deepEqual(asked, [{ ...asked[0]!, authorizationServerUrl: app.url, resourceUrl: `${app.url}/mcp` }]);
  const tokens = authProvider.tokens()!;
  assert.deepEqual(
    [tokens.token_type, tokens.expires_in, tokens.scope, 'refresh_token' in tokens],
    ['Bearer', 3_600, 'mcp:read knowledge:read', false],
  );
  const { admin, grants } = await grantsOf(app, clientId);
  assert.deepEqual(
    grants.map((grant: Record<string, unknown>) => [grant.user, grant.identityProvider, grant.resource]),
    [[{ id: user.id, email: ada.email }, 'corp', `${app.url}/mcp`]],
  );
  assert.equal((await admin.request('DELETE', `${GRANTS}/${grants[0].id}`)).status, 204);
  assert.equal((await callMcp(app, tokens.access_token)).status, 401);
  await client.callTool({ name: 'describe_workspace', arguments: {} });
  assert.equal(asked.length, 2, 'a new assertion makes a new grant: the identity provider decides');
});

test('ID-JAG: a token has what was asked, the assertion allows and the role has', async () => {
  const { ask } = await setUp();
  const all = 'mcp:read events:read events:write knowledge:read users:write';
  const cases: [scope: string | undefined, asked: string | undefined, got: string][] = [
    [all, undefined, 'mcp:read events:read knowledge:read'],
    [all, 'mcp:read events:write', 'mcp:read'],
    ['mcp:read', 'mcp:read events:read', 'mcp:read'],
    ['mcp:read openid', undefined, 'mcp:read'],
    [undefined, undefined, 'mcp:read knowledge:read'],
    [undefined, 'events:read mcp:read', 'mcp:read'],
  ];
  for (const [allowed, asked, got] of cases) {
    const { status, body } = await ask({ scope: allowed }, asked === undefined ? {} : { scope: asked });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(new Set(body.scope.split(' ')), new Set(got.split(' ')), JSON.stringify([allowed, asked]));
  }
  for (const [allowed, asked] of [
    ['events:write users:write', undefined],
    ['mcp:read', 'events:read'],
    [undefined, 'events:read'],
    ['', undefined],
  ]) {
    const { status, body } = await ask({ scope: allowed }, asked === undefined ? {} : { scope: asked });
    assert.deepEqual([status, body.error], [400, 'invalid_scope'], JSON.stringify([allowed, asked, body]));
    assert.match(body.error_description, /the role VIEWER has/);
  }
});

test('ID-JAG: one grant for a person and a client, as the newest has it, audited', async () => {
  const { app, clientId, person, ask } = await setUp();
  const first = (await ask()).body.access_token;
  const second = (await ask()).body.access_token;
  await Promise.all([ask(), ask()]);
  assert.equal((await callMcp(app, first)).status, 200);
  const narrow = await ask({ scope: 'knowledge:read' });
  assert.equal(narrow.body.scope, 'knowledge:read');
  const { admin, grants } = await grantsOf(app, clientId);
  assert.deepEqual(
    grants.map((grant: { scopes: string[] }) => grant.scopes),
    [['knowledge:read']],
  );
  const { scopes } = await app.runtime.tokenAuthenticator.authenticate(second, `${app.url}/mcp`);
  assert.deepEqual(scopes, ['knowledge:read'], 'what the newest assertion does not allow ends');
  const { entries } = (await admin.request('GET', `${PORTAL}/audit-log?target=${grants[0].id}`)).body;
  assert.deepEqual(
    entries.map(({ action, actor, details }: Record<string, Record<string, unknown>>) => [
      ...[action, actor!.label, actor!.client, details!.provider],
    ]),
    ['grant.renewed', 'grant.created'].map((action) => [action, person.email, `Test Host (${clientId})`, 'made']),
  );
});

test('ID-JAG: what a person allowed themselves stays apart', async () => {
  const { app, clientId, person, ask } = await setUp();
  assert.equal((await ask()).status, 200);
  const [user] = await app.runtime.userStore.findByEmail(person.email, app.tenantId);
  const { token } = await app.runtime.sessions.open(user!, { address: 'a test' });
  const { tokens } = await connect(app, { token }, { clientId });
  const { admin, grants } = await grantsOf(app, clientId);
  assert.deepEqual(grants.map((grant: Record<string, unknown>) => grant.identityProvider).sort(), ['made', null]);
  const asserted = grants.find((grant: Record<string, unknown>) => grant.identityProvider === 'made');
  await admin.request('DELETE', `${GRANTS}/${asserted.id}`);
  assert.equal((await callMcp(app, tokens.access_token)).status, 200);
});

test('ID-JAG: a deactivation or a new session version voids its tokens for good', async () => {
  const { app, person, ask } = await setUp();
  const { access_token: token } = (await ask()).body;
  const [user] = await app.runtime.userStore.findByEmail(person.email, app.tenantId);
  await changeUser(app, user!.id, { isActive: false });
  assert.equal((await callMcp(app, token)).status, 401);
  await changeUser(app, user!.id, { isActive: true, sessionVersion: Date.now() });
  assert.equal((await callMcp(app, token)).status, 401);
  const next = await ask();
  assert.equal((await callMcp(app, next.body.access_token)).status, 200);
  assert.equal((await callMcp(app, token)).status, 401, 'the new grant does not bring back tokens of the former one');
});

test('ID-JAG: the client ends its access, and its token opens neither REST nor portal', async () => {
  const { app, clientId, ask } = await setUp();
  const { access_token: token } = (await ask()).body;
  const request = withAccessToken(app, token);
  assert.equal((await request('GET', '/api/v1/runtime/observability/dashboard-tabs')).status, 401);
  assert.equal((await request('GET', GRANTS)).status, 401);
  const form = String(new URLSearchParams({ token, client_id: clientId }));
  const headers = { 'x-api-key': '', 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await app.request('POST', '/oauth/revoke', form, headers)).status, 200);
  assert.equal((await callMcp(app, token)).status, 401);
  assert.deepEqual((await grantsOf(app, clientId)).grants, []);
});

test('ID-JAG: a secret of the client is needed where it has one', async () => {
  const { app, issuer } = await setUp();
  const redirectUris = ['https://agent.example.com/callback'];
  const { clientId } = await app.runtime.oauthClients.configure({ name: 'Agent', redirectUris, confidential: true });
  const assertion = await signed(issuer, idJagClaims(app, issuer.issuer, clientId));
  const { status, body } = await redeem(app, clientId, assertion);
  assert.deepEqual([status, body.error], [401, 'invalid_client']);
  const wrong = await redeem(app, clientId, assertion, { client_secret: 'wrong' });
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client']);
});

test('ID-JAG: somebody known needs no e-mail, and keeps the role without its claim', async () => {
  const groups = { roleClaim: 'groups', roleMapping: [{ value: 'staff', role: 'USER' as const }] };
  const { app, issuer, person, ask } = await setUp({ ...groups, defaultRole: null, allowedDomains: ['corp.example'] });
  const nobody = await ask({ email: undefined });
  assert.match(nobody.body.error_description, /e-mail/);
  assert.match((await ask()).body.error_description, /no role/, 'no role is known of somebody new');
  assert.equal((await ask({ groups: ['staff'] })).status, 200);
  const bare = await ask({ email: undefined, email_verified: undefined, scope: 'events:write' });
  assert.equal(bare.body.scope, 'events:write', JSON.stringify(bare.body));
  const [user] = await app.runtime.userStore.findByEmail(person.email, app.tenantId);
  assert.equal(user!.role, 'USER');
  assert.equal((await ask({ groups: ['others'] })).status, 400, 'a claim that is there counts');
  await defineProvider(app, { id: 'made', issuer: issuer.issuer, allowedDomains: ['elsewhere.example'] });
  assert.match((await ask({ email: undefined })).body.error_description, /e-mail domain/);
});

test('ID-JAG: an issuer of several tenants brings nobody into a wrong one', async (t) => {
  const { app, issuer, ask } = await setUp();
  const { id } = await app.runtime.tenants.create({ name: 'squatter' });
  const squatter = await appOfTenant(t, app, id);
  assert.equal((await ask()).status, 200);
  await defineProvider(squatter, { id: 'made', issuer: issuer.issuer, mcp: true });
  assert.equal((await ask()).status, 200, 'who is known in one tenant goes on there');
  const { app: same, ask: asStranger } = await setUp();
  const refused = await asStranger();
  assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant']);
  assert.match(refused.body.error_description, /several identity providers here have this issuer/);
  const [nobody] = await same.runtime.userStore.findByEmail(somebody().email, null);
  assert.equal(nobody, undefined);
  assert.equal((await asStranger({ aud_tenant: app.tenantId })).status, 200, 'the assertion names the tenant');
  for (const off of [{ mcp: false }, { mcp: true, enabled: false }]) {
    await app.runtime.identityProviders.change(app.tenantId, 'made', off, null);
    assert.match((await ask()).body.error_description, /may not let MCP clients act/, JSON.stringify(off));
  }
  await app.runtime.identityProviders.remove(id, 'made', null);
});

test('ID-JAG: a user of another tenant with the same e-mail is another person', async (t) => {
  const { app, person, ask } = await setUp({ createUsers: false, allowedDomains: ['corp.example'] });
  const { id } = await app.runtime.tenants.create({ name: 'elsewhere' });
  await newUser(await appOfTenant(t, app, id), { email: person.email });
  const { status, body } = await ask();
  assert.equal(status, 400);
  assert.match(body.error_description, /no user of this e-mail/);
});

test('ID-JAG: a provider of the installation takes the tenant of its claim', async () => {
  const { app } = await signOn();
  const issuer = await startFaultyProvider(scope);
  const tenantMapping = [{ value: 'acme', tenant: app.tenantId }];
  await app.runtime.identityProviders.create(
    null,
    {
      ...{ id: 'wide', name: 'Wide', preset: 'other', issuer: issuer.issuer, clientId: 'a', mcp: true },
      ...{ createUsers: true, defaultRole: 'VIEWER', tenantClaim: 'org', tenantMapping },
    } as CreateProvider,
    null,
  );
  const clientId: string = (await registerClient(app)).body.client_id;
  const ask = async (org?: string) => {
    const claims = { ...idJagClaims(app, issuer.issuer, clientId), email: 'wide@corp.example', sub: 'wide' };
    return redeem(app, clientId, await signed(issuer, { ...claims, ...(org !== undefined && { org }) }));
  };
  assert.match((await ask()).body.error_description, /mean no tenant here/);
  assert.match((await ask('another')).body.error_description, /mean no tenant here/);
  assert.equal((await callMcp(app, (await ask('acme')).body.access_token)).status, 200);
});
