import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { allow, authorize, callMcp, goOn, LIST_TOOLS, REDIRECT, registerClient } from '../../support/oauth.ts';
import { newPerson, withCookie } from '../../support/people.ts';
import { appOfThisFile, tenantsOfThisFile } from '../../support/shared.ts';

const sharedApp = appOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1' });

/** Members of RFC 7591 and of OpenID Connect's registration; none of them is needed. */
const OPTIONAL = [
  ...['client_name', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'initiate_login_uri', 'sector_identifier_uri'],
  ...['grant_types', 'response_types', 'response_modes', 'contacts', 'default_acr_values', 'post_logout_redirect_uris'],
  ...['scope', 'jwks', 'jwks_uri', 'software_id', 'software_version', 'software_statement', 'application_type'],
  ...['token_endpoint_auth_method', 'token_endpoint_auth_signing_alg', 'id_token_signed_response_alg', 'subject_type'],
  ...['default_max_age', 'require_auth_time', 'client_id', 'client_secret', 'client_secret_expires_at', 'x_unknown'],
];

test('Registration: optional members that are null or empty count as left out', async () => {
  const app = await sharedApp();
  const empty = [null, '', ' ', [], {}, [null], ['']];
  for (const value of empty) {
    for (const metadata of [
      ...OPTIONAL.map((name) => ({ [name]: value })),
      Object.fromEntries(OPTIONAL.map((name) => [name, value])),
    ]) {
      const { status, body } = await registerClient(app, metadata);
      const sent = JSON.stringify(metadata);
      assert.equal(status, 201, `${sent}: ${JSON.stringify(body)}`);
      assert.deepEqual([body.redirect_uris, body.response_types], [[REDIRECT], ['code']], sent);
      // The default of RFC 7591 is a secret.
      const isPublic = !('token_endpoint_auth_method' in metadata);
      assert.equal(body.client_secret === undefined, isPublic, sent);
      assert.equal(body.token_endpoint_auth_method, isPublic ? 'none' : 'client_secret_basic', sent);
    }
  }
  const { body } = await registerClient(app, Object.fromEntries(OPTIONAL.map((name) => [name, null])));
  const { status, body: tokens } = await app.request(
    'POST',
    '/oauth/token',
    'grant_type=authorization_code&code=x&redirect_uri=x',
    {
      'x-api-key': '',
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${body.client_id}:${body.client_secret}`).toString('base64')}`,
    },
  );
  assert.deepEqual([status, tokens.error], [400, 'invalid_grant'], 'the secret works');
});

test('Registration: needed members stay needed, and wrong ones wrong', async () => {
  const app = await sharedApp();
  for (const metadata of [
    ...[null, '', [], [null], [REDIRECT, '']].map((redirect_uris) => ({ redirect_uris })),
    { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } },
    { token_endpoint_auth_method: 'magic' },
  ]) {
    assert.equal((await registerClient(app, metadata)).status, 400, JSON.stringify(metadata));
  }
});

test('Registration: metadata is stored up to 8 KB', async () => {
  const app = await sharedApp();
  const uris = (count: number) =>
    Array.from({ length: count }, (_, one) => `https://x.example.com/${one}${'y'.repeat(900)}`);
  assert.equal((await registerClient(app, { redirect_uris: uris(7) })).status, 201);
  const { status, body } = await registerClient(app, { redirect_uris: uris(9) });
  assert.deepEqual([status, body.error], [400, 'invalid_client_metadata']);
  assert.match(body.error_description, /8 KB/);
});

test('OAuth resource: a slash at its end and upper-case letters change nothing', async () => {
  const app = await sharedApp();
  const person = await newPerson(app);
  for (const path of ['/mcp', '/api'] as const) {
    const canonical = `${app.url}${path}`;
    const written = [canonical, `${canonical}/`, `${canonical}//`, canonical.replace('http', 'HTTP')];
    for (const resource of written) {
      const begun = await authorize(app, { resource });
      const code = (await allow(app, person, begun, { scopes: ['mcp:read'] })).searchParams.get('code')!;
      const send = (parameters: Record<string, string>) =>
        app.request('POST', '/oauth/token', String(new URLSearchParams({ client_id: begun.clientId, ...parameters })), {
          'x-api-key': '',
          'content-type': 'application/x-www-form-urlencoded',
        });
      const { clientId: _, verifier: code_verifier, redirectUri: redirect_uri } = begun;
      const other = written[(written.indexOf(resource) + 1) % written.length]!;
      const first = await send({
        grant_type: 'authorization_code',
        code,
        redirect_uri,
        code_verifier,
        resource: other,
      });
      assert.equal(first.status, 200, `${resource}, then ${other}: ${JSON.stringify(first.body)}`);
      const refresh_token = first.body.refresh_token;
      const { body } = await send({ grant_type: 'refresh_token', refresh_token, resource });
      for (const tokens of [first.body, body]) {
        const answer = await callMcp(app, tokens.access_token);
        assert.equal(answer.status, path === '/mcp' ? 200 : 401, JSON.stringify(answer.body));
        assert.equal((await app.runtime.oauthStore.findToken(tokens.access_token))?.content.aud, canonical);
      }
      const elsewhere = await send({
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
        resource: `${app.url}/`,
      });
      assert.deepEqual([elsewhere.status, elsewhere.body.error], [400, 'invalid_target']);
    }
  }
  const { response } = await authorize(app, { resource: `${app.url}/mcp/other/` });
  assert.equal(response.status, 400);
});

test('OAuth response modes: form_post is neither offered nor taken', async () => {
  const app = await sharedApp();
  const paths = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  for (const path of paths) {
    assert.deepEqual((await app.request('GET', path)).body.response_modes_supported, ['query', 'fragment']);
  }
  for (const [mode, status] of [
    ['query', 303],
    ['fragment', 303],
    ['form_post', 400],
    ['form_post.jwt', 400],
  ] as const) {
    const { response } = await authorize(app, { parameters: { response_mode: mode } });
    assert.equal(response.status, status, mode);
  }
  const { status, body } = await registerClient(app, { response_modes: ['form_post'] });
  assert.deepEqual([status, body.response_modes], [201, undefined]);
});

const newApp = tenantsOfThisFile();
const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

const json = async (address: string, headers: Record<string, string> = {}) => {
  const response = await fetch(address, { headers });
  // biome-ignore lint/suspicious/noExplicitAny: metadata of every shape
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
};

test('OAuth metadata: behind a proxy and a path, every address is the public one', async (t) => {
  const base = 'https://example.com/tools/runtime';
  const app = await testApp(t, { publicUrl: `${base}/` });
  for (const path of [RESOURCE, `${RESOURCE}/mcp`, `${RESOURCE}/tools/runtime/mcp`]) {
    const { body } = await json(app.url + path);
    assert.deepEqual([body.resource, body.authorization_servers], [`${base}/mcp`, [base]], path);
  }
  assert.equal((await json(`${app.url}${RESOURCE}/api`)).body.resource, `${base}/api`);
  for (const path of [SERVER, OPENID, `${SERVER}/tools/runtime`, `${OPENID}/tools/runtime`]) {
    const { body } = await json(app.url + path);
    assert.equal(body.issuer, base, path);
    for (const [name, value] of Object.entries(body)) {
      if (name.endsWith('_endpoint'))
        assert.match(String(value), /^https:\/\/example\.com\/tools\/runtime\/oauth\//, name);
    }
  }
  const challenge = (await callMcp(app, 'none')).headers.get('www-authenticate');
  assert.match(
    challenge ?? '',
    /resource_metadata="https:\/\/example\.com\/tools\/runtime\/\.well-known\/oauth-protected-resource\/mcp"/,
  );
});

test('OAuth cookies: are Secure where the public address is https', async (t) => {
  const app = await testApp(t, { publicUrl: 'https://example.com' });
  const { body: client } = await registerClient(app);
  const begun = await authorize(app, { clientId: client.client_id, resource: 'https://example.com/mcp' });
  const path = `/api/v1/portal/authorizations/${begun.id}/allow`;
  const allowed = await withCookie(app, (await newPerson(app)).token)('POST', path, { scopes: ['mcp:read'] });
  const back = await goOn(allowed.body.continueAt.replace('https://example.com', app.url), [
    ...begun.cookies,
    ...allowed.headers.getSetCookie(),
  ]);
  assert.equal(back.status, 303);
  const cookies = [begun.cookies, allowed.headers.getSetCookie(), back.headers.getSetCookie()].flat();
  assert.equal(cookies.length, 3);
  for (const cookie of cookies) assert.match(cookie, /; ?secure/i);
});

test('OAuth metadata: names what hosts look for', async (t) => {
  const app = await newApp(t);
  const { body, headers } = await json(app.url + SERVER, { origin: 'https://inspector.example.com' });
  assert.equal(body.client_id_metadata_document_supported, true);
  assert.ok(body.token_endpoint_auth_methods_supported.includes('none'));
  assert.deepEqual(body.code_challenge_methods_supported, ['S256']);
  const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  assert.deepEqual(body.grant_types_supported, ['authorization_code', 'refresh_token', jwtBearer]);
  // Whom the server trusts is not told.
  assert.deepEqual(body.authorization_grant_profiles_supported, ['urn:ietf:params:oauth:grant-profile:id-jag']);
  assert.equal(body.registration_endpoint, `${app.url}/oauth/register`);
  assert.equal(body.authorization_response_iss_parameter_supported, true);
  assert.ok(body.scopes_supported.includes('mcp:read'));
  assert.equal(headers.get('access-control-allow-origin'), 'https://inspector.example.com');
  const resource = await json(`${app.url}${RESOURCE}/mcp`);
  assert.equal(resource.headers.get('access-control-allow-origin'), '*');
  assert.deepEqual(resource.body.scopes_supported, ['mcp:read', 'knowledge:read']);
});

test('OAuth metadata: without a public address, each loopback name is an issuer', async (t) => {
  const app = await newApp(t);
  const { port } = new URL(app.url);
  const { body } = await json(`http://localhost:${port}${SERVER}`);
  assert.equal(body.issuer, `http://localhost:${port}`);
  assert.equal((await json(app.url + SERVER)).body.issuer, app.url);
});

test('OAuth metadata: off where tokens would cross a network unencrypted', async (t) => {
  const app = await testApp(t, { publicUrl: 'http://runtime.internal:3000' });
  for (const path of [RESOURCE, `${RESOURCE}/mcp`, SERVER, OPENID]) {
    const { status, body } = await json(app.url + path);
    assert.equal(status, 404, path);
    assert.match(body.message, /OAuth is off here: it needs https or a loopback address/);
  }
  const register = await app.request('POST', '/oauth/register', { redirect_uris: ['https://x.example.com'] });
  assert.equal(register.status, 404);
  const refused = await app.request('POST', '/mcp', LIST_TOOLS, { 'x-api-key': '' });
  assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="agent-runtime"');
  assert.equal(
    (await app.request('POST', '/mcp', LIST_TOOLS, { accept: 'application/json, text/event-stream' })).status,
    200,
  );
});

test('OAuth metadata: other methods are refused, preflights answered', async (t) => {
  const app = await newApp(t);
  for (const [method, path, allow] of [
    ['POST', `${RESOURCE}/mcp`, 'GET, HEAD'],
    ['GET', '/oauth/token', 'POST'],
    ['PUT', '/oauth/register', 'POST'],
    ['POST', '/oauth/authorize', 'GET, HEAD'],
  ] as const) {
    const response = await app.request(method, path);
    assert.deepEqual([response.status, response.headers.get('allow')], [405, allow], path);
  }
  const preflight = await fetch(`${app.url}${RESOURCE}/mcp`, { method: 'OPTIONS' });
  assert.equal(preflight.status, 204);
});
