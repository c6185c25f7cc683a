import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { authorize, callMcp, goOn, LIST_TOOLS, registerClient } from '../../support/oauth.ts';
import { newPerson, withCookie } from '../../support/people.ts';
import { tenantsOfThisFile } from '../../support/shared.ts';

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
  assert.deepEqual(body.grant_types_supported, ['authorization_code', 'refresh_token']);
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
