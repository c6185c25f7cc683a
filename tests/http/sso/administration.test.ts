import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { STATE_FILE } from '../../../src/storage/installation/names.ts';
import { skipOnServers } from '../../support/app.ts';
import { startFaultyProvider } from '../../support/identity/faulty-provider.ts';
import { CLIENT } from '../../support/identity/provider.ts';
import { CookieJar, refusalOf, signIn, untilCallback, visit } from '../../support/identity/sign-in.ts';
import { defineProvider, LOOPBACK, signOnOfThisFile, somebody, whoIsIn } from '../../support/identity/workspace.ts';
import { newPerson, newUser, PORTAL } from '../../support/people.ts';
import { appOfThisFile, tenantsOfThisFile } from '../../support/shared.ts';
import { assertError, assertNames } from '../routes/dashboards/support.ts';

const newApp = tenantsOfThisFile({ rateLimit: 0, identityNetworks: LOOPBACK });

const PROVIDERS = `${PORTAL}/identity-providers`;
const sharedApp = appOfThisFile({
  rateLimit: 0,
  identityNetworks: LOOPBACK,
  publicUrl: 'https://runtime.example/below/',
});
const setUp = signOnOfThisFile();

const KEYCLOAK = {
  ...{ id: 'keycloak', name: 'Keycloak', preset: 'keycloak', issuer: 'https://sso.example.com/realms/one' },
  ...{ clientId: 'agent-runtime', clientSecret: 'a-secret' },
};

test('identity providers: an administrator creates, reads, changes and removes one', async () => {
  const app = await sharedApp();
  const admin = await newPerson(app, { role: 'ADMIN' });
  const created = await admin.request('POST', PROVIDERS, KEYCLOAK);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const place = `https://runtime.example/below/api/v1/portal/login/sso/${app.tenantId}/keycloak`;
  assert.deepEqual(
    [created.body.redirectUri, created.body.backchannelLogoutUri],
    [`${place}/callback`, `${place}/backchannel-logout`],
  );
  const { hasSecret, createUsers, enabled, mcp } = created.body;
  assert.deepEqual([hasSecret, createUsers, enabled, mcp], [true, false, true, false]);
  const listed = (await admin.request('GET', PROVIDERS)).body.identityProviders;
  assert.deepEqual(listed, [created.body]);
  assert.deepEqual((await admin.request('GET', `${PROVIDERS}/keycloak`)).body, created.body);
  const path = `${PROVIDERS}/keycloak`;
  const changed = await admin.request('PATCH', path, {
    name: 'SSO',
    allowedDomains: ['Corp.Example'],
    clientSecret: null,
  });
  assert.deepEqual(
    [changed.body.name, changed.body.allowedDomains, changed.body.hasSecret, changed.body.issuer],
    ['SSO', ['corp.example'], false, KEYCLOAK.issuer],
  );
  assertError(await admin.request('POST', PROVIDERS, KEYCLOAK), 409, 'Conflict');
  assert.equal((await admin.request('DELETE', path)).status, 204);
  assertError(await admin.request('GET', path), 404, 'Not Found');
  assertError(await admin.request('DELETE', path), 404, 'Not Found');
  const { entries } = (await admin.request('GET', `${PORTAL}/audit-log`)).body;
  const lines = entries.filter(({ action }: { action: string }) => action.startsWith('identity_provider.'));
  assert.deepEqual(lines.map(({ action }: { action: string }) => action.slice(18)).reverse(), [
    'created',
    'changed',
    'removed',
  ]);
  assert.deepEqual(lines[1].details, { changed: ['name', 'allowedDomains', 'clientSecret'] });
});

test('identity providers: an outdated If-Match is refused, also after a new secret', async () => {
  const app = await sharedApp();
  const admin = await newPerson(app, { role: 'ADMIN' });
  await admin.request('POST', PROVIDERS, { ...KEYCLOAK, id: 'edited' });
  const path = `${PROVIDERS}/edited`;
  const change = (members: object, etag: string | null) =>
    admin.request('PATCH', path, members, { 'if-match': etag ?? '' });
  const read = (await admin.request('GET', path)).headers.get('etag');
  const first = await change({ clientSecret: 'another-secret' }, read);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const refused = await change({ name: 'Mine' }, read);
  assertError(refused, 412, 'Precondition Failed');
  assert.match(refused.body.message, /^The identity provider edited was changed in the meantime/);
  const etag = first.headers.get('etag');
  const both = await Promise.all([change({ name: 'One' }, etag), change({ name: 'Other' }, etag)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412]);
  const { body, headers } = await admin.request('GET', path);
  const winner = both.find(({ status }) => status === 200)!;
  assert.deepEqual([body, headers.get('etag')], [winner.body, winner.headers.get('etag')]);
  await admin.request('DELETE', path);
});

test('identity providers: no answer, log line or file shows the secret', async () => {
  const app = await sharedApp();
  const admin = await newPerson(app, { role: 'ADMIN' });
  const secret = 'a-secret-that-nobody-sees';
  const created = await admin.request('POST', PROVIDERS, { ...KEYCLOAK, id: 'sealed', clientSecret: secret });
  const audit = (await admin.request('GET', `${PORTAL}/audit-log`)).body;
  assert.ok(!JSON.stringify([created.body, audit]).includes(secret));
  const { sealing, identityProviders } = app.runtime;
  const { resealed, unopened } = await sealing.rotate();
  assert.deepEqual([resealed >= 1, unopened], [true, []], '`secrets rotate` covers it');
  assert.equal((await identityProviders.get(app.tenantId, 'sealed', null)).hasSecret, true);
});

test('identity providers: wrong shapes and contradictions name the member', async () => {
  const app = await sharedApp();
  const admin = await newPerson(app, { role: 'ADMIN' });
  const shapes: [Record<string, unknown>, string][] = [
    [{ id: 'Key Cloak' }, 'id'],
    [{ issuer: 'https://user:password@sso.example.com' }, 'issuer'],
    [{ allowedDomains: ['*.example.com'] }, 'allowedDomains[0]'],
    [{ tenantClaim: 'org' }, 'tenantClaim'],
    [{ allowedDirectories: ['no uuid'] }, 'allowedDirectories[0]'],
  ];
  for (const [members, field] of shapes)
    assertNames(await admin.request('POST', PROVIDERS, { ...KEYCLOAK, ...members }), field);
  const contradictions: [Record<string, unknown>, RegExp][] = [
    [{ issuer: 'http://sso.example.com' }, /^issuer: must be https/],
    [{ roleMapping: [{ value: 'a', role: 'USER' }] }, /^roleClaim: /],
    [{ createUsers: true }, /^defaultRole: /],
    [
      {
        roleClaim: 'g',
        roleMapping: [
          { value: 'a', role: 'USER' },
          { value: 'a', role: 'ADMIN' },
        ],
      },
      /^roleMapping: /,
    ],
    [{ issuer: 'https://accounts.google.com', createUsers: true, defaultRole: 'VIEWER' }, /^allowedDomains: /],
    [{ issuer: 'https://login.microsoftonline.com/common/v2.0' }, /^allowedDirectories: /],
    [
      {
        ...{ issuer: 'https://login.microsoftonline.com/common/v2.0', mcp: true },
        allowedDirectories: ['0f0e0d0c-0b0a-4988-8766-554433221100'],
      },
      /^mcp: needs the issuer of one directory/,
    ],
    [
      {
        issuer: 'https://login.microsoftonline.com/organizations/v2.0',
        allowedDirectories: ['0f0e0d0c-0b0a-4988-8766-554433221100'],
        linkByEmail: true,
      },
      /^linkByEmail: /,
    ],
  ];
  for (const [members, message] of contradictions) {
    const { status, body } = await admin.request('POST', PROVIDERS, { ...KEYCLOAK, ...members });
    assert.equal(status, 422, JSON.stringify([members, body]));
    assert.match(body.message, message);
  }
});

test('identity providers: a stored secret goes to no other issuer', async () => {
  const app = await sharedApp();
  const admin = await newPerson(app, { role: 'ADMIN' });
  await admin.request('POST', PROVIDERS, { ...KEYCLOAK, id: 'moved' });
  const path = `${PROVIDERS}/moved`;
  const refused = await admin.request('PATCH', path, { issuer: 'https://evil.example' });
  assert.deepEqual([refused.status, refused.body.message.slice(0, 13)], [422, 'clientSecret:']);
  assert.equal(
    (await admin.request('PATCH', path, { issuer: 'https://other.example', clientSecret: 'new' })).status,
    200,
  );
});

test('identity providers: nobody becomes SUPER_ADMIN by one of an ADMIN', async (t) => {
  const app = await newApp(t);
  const provider = await startFaultyProvider(t);
  const boss = await newUser(app, { role: 'SUPER_ADMIN', email: 'boss@corp.example' });
  const admin = await newPerson(app, { role: 'ADMIN' });
  const mapping = { roleClaim: 'groups', roleMapping: [{ value: 'all', role: 'SUPER_ADMIN' }] };
  const own = {
    ...KEYCLOAK,
    id: 'corp',
    issuer: provider.issuer,
    clientSecret: CLIENT.clientSecret,
    linkByEmail: true,
  };
  assertError(await admin.request('POST', PROVIDERS, { ...own, ...mapping }), 403, 'Forbidden');
  assert.equal((await admin.request('POST', PROVIDERS, own)).status, 201);
  provider.faults = { idToken: { email: boss.email, sub: 'takeover' } };
  assert.equal(refusalOf((await signIn(app, 'corp')).end), 'outsider', 'an existing SUPER_ADMIN is not linked');

  const { identityProviders } = app.runtime;
  await identityProviders.change(app.tenantId, 'corp', { name: 'Company' }, null);
  await identityProviders.change(app.tenantId, 'corp', mapping as never, null);
  assert.equal(refusalOf((await signIn(app, 'corp')).end), 'outsider', 'only who sends the issuer answers for it');
  await identityProviders.change(app.tenantId, 'corp', { issuer: provider.issuer }, null);
  provider.faults = { idToken: { email: boss.email, sub: 'right', groups: ['all'] } };
  const { jar, end } = await signIn(app, 'corp');
  assert.equal(refusalOf(end), null);
  assert.equal((await whoIsIn(app, jar)).user.id, boss.id);
  assertError(await admin.request('PATCH', `${PROVIDERS}/corp`, { name: 'Mine' }), 403, 'Forbidden');
  assertError(await admin.request('DELETE', `${PROVIDERS}/corp`), 403, 'Forbidden');
  await identityProviders.change(app.tenantId, 'corp', { roleClaim: null, roleMapping: [] }, null);
  const renamed = await admin.request('PATCH', `${PROVIDERS}/corp`, { name: 'Mine' });
  assert.deepEqual([renamed.status, renamed.body.authority], [200, 'SUPER_ADMIN'], 'a name lets nobody in');
  const changed = await admin.request('PATCH', `${PROVIDERS}/corp`, { allowedDomains: ['corp.example'] });
  assert.deepEqual([changed.status, changed.body.authority], [200, 'ADMIN']);
  assert.equal(refusalOf((await signIn(app, 'corp')).end), 'outsider', 'an ADMIN has written it since');
});

test('identity providers: a discovery document of another issuer is always refused', {
  skip: skipOnServers,
}, async (t) => {
  const app = await newApp(t);
  const provider = await startFaultyProvider(t);
  const admin = await newPerson(app, { role: 'ADMIN' });
  const issuer = `${provider.issuer}/.well-known/openid-configuration`;
  await defineProvider(app, { issuer: provider.issuer });
  const answer = await admin.request('PATCH', `${PROVIDERS}/corp`, { issuer, clientSecret: CLIENT.clientSecret });
  assertError(answer, 400, 'Bad Request');
  assertNames(answer, 'issuer');

  // Stored before such issuers were refused.
  const database = new BetterSqlite3(join(app.runtime.config.dataDir, STATE_FILE), { timeout: 5_000 });
  const statement = `UPDATE identity_providers SET definition = json_set(definition, '$.issuer', ?), sealed_secret = NULL`;
  database.prepare(statement).run(issuer);
  database.close();
  provider.faults = { discovery: { issuer: 'https://accounts.example' }, idToken: { iss: 'https://accounts.example' } };
  assert.equal(refusalOf((await untilCallback(app, 'corp')).start), 'misconfigured');
});

test('identity providers: the test tells what is wrong', async (t) => {
  const app = await newApp(t);
  const provider = await startFaultyProvider(t);
  const admin = await newPerson(app, { role: 'ADMIN' });
  await defineProvider(app, { issuer: provider.issuer });
  const examine = async () => {
    const { works, checks } = (await admin.request('POST', `${PROVIDERS}/corp/test`, {})).body;
    return [
      works,
      Object.fromEntries(checks.map((one: { check: string; outcome: string }) => [one.check, one.outcome])),
    ];
  };
  const fine = { discovery: 'ok', pkce: 'ok', keys: 'ok', claims: 'unknown', client: 'ok' };
  assert.deepEqual(await examine(), [true, fine]);
  provider.faults = { discovery: { code_challenge_methods_supported: ['plain'], claims_supported: ['sub', 'email'] } };
  assert.deepEqual(await examine(), [false, { ...fine, pkce: 'failed', claims: 'ok' }]);
  provider.faults = { discovery: { jwks_uri: `${provider.issuer}/nothing` } };
  assert.deepEqual(await examine(), [false, { ...fine, keys: 'failed' }]);
  provider.faults = { discovery: { issuer: 'https://another.example' } };
  assert.deepEqual(await examine(), [false, { discovery: 'failed' }]);
  provider.faults = {};
  await app.runtime.identityProviders.change(app.tenantId, 'corp', { clientSecret: 'wrong' }, null);
  assert.deepEqual(await examine(), [false, { ...fine, client: 'failed' }]);
  await provider.close();
  assert.deepEqual(await examine(), [false, { discovery: 'failed' }]);
});

test('identity providers: one of the whole installation leads to the tenant of a claim', async () => {
  const { app, provider } = await setUp();
  const { identityProviders, tenants } = app.runtime;
  const acme = await tenants.create({ name: 'acme' });
  const faulty = await startFaultyProvider({ after: () => undefined });
  const mapping = [
    { value: 'acme-org', tenant: 'acme' },
    { value: 'default-org', tenant: app.tenantId },
  ];
  const members = {
    ...KEYCLOAK,
    preset: 'other',
    id: 'all',
    issuer: faulty.issuer,
    clientSecret: CLIENT.clientSecret,
    createUsers: true,
    defaultRole: 'USER',
  } as const;
  await assert.rejects(identityProviders.create(null, members, null), { code: 'unprocessable' });
  const wide = { ...members, tenantClaim: 'org', tenantMapping: mapping };
  await identityProviders.create(null, wide as never, null);
  const offered = (query: string) => app.request('GET', `${PORTAL}/login/sso${query}`);
  const names = async (query: string) =>
    (await offered(query)).body.providers.map(({ startUrl }: { startUrl: string }) =>
      startUrl.split('/').slice(-3).join('/'),
    );
  assert.deepEqual(await names(''), ['installation/all/start'], 'of several tenants none is named');
  assert.deepEqual(await names('?tenant=acme'), ['installation/all/start']);
  assert.deepEqual(await names('?tenant=default'), [`${app.tenantId}/corp/start`, 'installation/all/start']);
  assert.deepEqual(
    (await offered('?tenant=nobody')).body,
    (await offered('?tenant=acme')).body,
    'names are not told apart',
  );

  const start = async (org: unknown) => {
    faulty.faults = { idToken: { org, sub: 'person', email: 'person@corp.example' } };
    const jar = new CookieJar();
    const begun = await visit(jar, `${app.url}/api/v1/portal/login/sso/installation/all/start`);
    const back = await visit(jar, begun.location);
    return { jar, end: await visit(jar, back.location) };
  };
  const here = await start('acme-org');
  assert.equal(refusalOf(here.end), null);
  const { user, tenant } = await whoIsIn(app, here.jar);
  assert.deepEqual([tenant.id, user.role], [acme.id, 'USER']);
  assert.equal((await whoIsIn(app, (await start(['default-org'])).jar)).tenant.id, app.tenantId);
  for (const org of [undefined, 'other', ['acme-org', 'default-org']]) {
    assert.equal(refusalOf((await start(org)).end), 'no_tenant', String(org));
  }
  const admin = await newPerson(app, { role: 'SUPER_ADMIN' });
  assertError(await admin.request('GET', `${PROVIDERS}/all`), 404, 'Not Found');
  await identityProviders.remove(null, 'all', null);
  await faulty.close();
  await provider.use(somebody());
});

test('single sign-on: ten first logins at once make one user', async () => {
  const { app, provider } = await setUp();
  const person = somebody();
  await provider.use(person);
  const begun = [];
  for (let count = 0; count < 10; count += 1) begun.push(await untilCallback(app, 'corp'));
  const ends = await Promise.all(begun.map(({ jar, callback }) => visit(jar, callback)));
  assert.deepEqual(
    ends.map(refusalOf),
    ends.map(() => null),
  );
  assert.equal((await app.runtime.userStore.findByEmail(person.email, app.tenantId)).length, 1);
});

test('single sign-on: the last administrator keeps the role, and the audit log says so', async (t) => {
  const app = await newApp(t);
  const provider = await startFaultyProvider(t);
  const roles = [{ value: 'boss', role: 'ADMIN' as const }];
  await defineProvider(app, { issuer: provider.issuer, roleClaim: 'groups', roleMapping: roles });
  provider.faults = { idToken: { groups: ['boss'] } };
  const first = await signIn(app, 'corp');
  const { user } = await whoIsIn(app, first.jar);
  provider.faults = { idToken: { groups: [] } };
  const again = await signIn(app, 'corp');
  assert.equal((await whoIsIn(app, again.jar)).user.role, 'ADMIN');
  const { items } = await app.runtime.audit.entries(
    { ...app.caller, role: 'ADMIN' },
    { action: 'user.role_kept', limit: 5, offset: 0 },
  );
  assert.deepEqual(items[0]?.details, { role: 'ADMIN', claimed: 'VIEWER', provider: 'corp' });
  await newUser(app, { role: 'ADMIN' });
  assert.equal((await whoIsIn(app, (await signIn(app, 'corp')).jar)).user.role, 'VIEWER');
  assert.equal(user.role, 'ADMIN');
});

test('identity providers: go with their tenant, as do identities and sessions', async (t) => {
  const app = await newApp(t);
  const provider = await startFaultyProvider(t);
  await app.runtime.tenants.create({ name: 'acme' });
  const { id: tenantId } = await app.runtime.tenants.get('acme');
  const acme = { ...app, tenantId };
  await defineProvider(acme, { issuer: provider.issuer });
  const { jar, end } = await signIn(acme, 'corp');
  assert.equal(refusalOf(end), null);
  const { erased } = await app.runtime.erasure.erase({ tenant: 'acme' });
  assert.deepEqual([erased.identityProviders, erased.users], [1, 1]);
  assert.equal((await whoIsIn(app, jar)).statusCode, 401);
  const begun = await visit(new CookieJar(), `${app.url}/api/v1/portal/login/sso/${tenantId}/corp/start`);
  assert.equal(new URL(begun.location).searchParams.get('refused'), 'unknown_provider');
});
