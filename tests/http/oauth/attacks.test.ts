import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type TestApp, testApp } from '../../support/app.ts';
import * as oauth from '../../support/oauth.ts';
import { changeUser, newPerson, withCookie } from '../../support/people.ts';
import { tenantsOfThisFile } from '../../support/shared.ts';

const newApp = tenantsOfThisFile({ rateLimit: 0 });

/* The attacks of RFC 9700 and of the security page of MCP, each with what stops it here. */

test('Attack: open redirect: an unregistered address gets no redirect, but a page', async (t) => {
  const app = await newApp(t);
  const { body } = await oauth.registerClient(app, { redirect_uris: ['https://host.example.com/callback'] });
  for (const redirectUri of [
    'https://evil.example.com/callback',
    'https://host.example.com/callback/../evil',
    'https://host.example.com/callback?next=evil',
    'https://host.example.com.evil.example.com/callback',
    'https://host.example.com@evil.example.com/callback',
    'http://host.example.com/callback',
    'javascript:alert(1)',
  ]) {
    const { response, location } = await oauth.authorize(app, { clientId: body.client_id, redirectUri });
    assert.deepEqual([response.status, location], [400, ''], redirectUri);
    assert.match(await response.text(), /The application was not connected/);
    assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  }
});

test('Attack: loopback redirects differ in the port alone', async (t) => {
  const app = await newApp(t);
  const { body } = await oauth.registerClient(app, { redirect_uris: ['http://127.0.0.1/callback'] });
  const status = async (redirectUri: string) =>
    (await oauth.authorize(app, { clientId: body.client_id, redirectUri })).response.status;
  assert.equal(await status('http://127.0.0.1:51234/callback'), 303);
  assert.equal(await status('http://127.0.0.1:51234/other'), 400);
  assert.equal(await status('http://127.0.0.2:51234/callback'), 400);
});

test('Attack: dangerous redirect addresses are not registered', async (t) => {
  const app = await newApp(t);
  for (const uri of [
    'http://evil.example.com/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://host.example.com/#fragment',
    'not an address',
  ]) {
    const { status, body } = await oauth.registerClient(app, { redirect_uris: [uri] });
    assert.equal(status, 400, uri);
    assert.match(body.error, /invalid_redirect_uri|invalid_client_metadata/, uri);
  }
  for (const redirect_uris of [[], undefined, 'https://x.example.com', Array(21).fill('https://x.example.com'), [7]]) {
    const { status } = await oauth.registerClient(app, { redirect_uris });
    assert.equal(status, 400, JSON.stringify(redirect_uris));
  }
});

test('Attack: PKCE downgrade: no challenge, plain, a missing or wrong verifier', async (t) => {
  const app = await newApp(t);
  const { body } = await oauth.registerClient(app);
  for (const parameters of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge_method: undefined },
  ]) {
    const { response, location } = await oauth.authorize(app, { clientId: body.client_id, parameters });
    assert.deepEqual([response.status, location], [400, '']);
    assert.match(await response.text(), /code_challenge|PKCE/);
  }
  const begun = await oauth.authorize(app, { clientId: body.client_id });
  const code = (await oauth.allow(app, await newPerson(app), begun, { scopes: ['mcp:read'] })).searchParams.get(
    'code',
  )!;
  const wrong = await oauth.exchange(app, { ...begun, verifier: 'x'.repeat(43) }, code);
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_grant']);
  const without = {
    grant_type: 'authorization_code',
    code,
    client_id: begun.clientId,
    redirect_uri: begun.redirectUri,
  };
  assert.equal((await oauth.tokenRequest(app, without)).status, 400);
});

test('Attack: code injection: a code is bound to its client and redirect address', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app);
  const attacker = (await oauth.registerClient(app)).body.client_id;
  const codeOf = async (begun: oauth.Begun) =>
    (await oauth.allow(app, person, begun, { scopes: ['mcp:read'] })).searchParams.get('code')!;
  const begun = await oauth.authorize(app);
  const stolen = await oauth.exchange(app, { ...begun, clientId: attacker }, await codeOf(begun));
  assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant']);
  const second = await oauth.authorize(app);
  const redirected = { ...second, redirectUri: 'http://localhost:7778/callback' };
  assert.equal((await oauth.exchange(app, redirected, await codeOf(second))).status, 400);
});

test('Attack: a request begun in one browser and allowed in another gives no code', async (t) => {
  const app = await newApp(t);
  const victim = await newPerson(app);
  const begunByAttacker = await oauth.authorize(app);
  const path = `/api/v1/portal/authorizations/${begunByAttacker.id}/allow`;
  const allowed = await withCookie(app, victim.token)('POST', path, { scopes: ['mcp:read'] });
  const ofVictim = await oauth.goOn(allowed.body.continueAt, allowed.headers.getSetCookie());
  assert.equal(ofVictim.status, 403, 'the victim lacks the cookie of the browser in which it began');
  const ofAttacker = await oauth.goOn(allowed.body.continueAt, begunByAttacker.cookies);
  assert.equal(ofAttacker.status, 400, 'the attacker lacks the cookie of the browser in which it was allowed');
  assert.equal(ofAttacker.headers.get('location'), null);
  const elsewhere = allowed.body.continueAt.replace(begunByAttacker.id, 'another-id');
  assert.equal(
    (await oauth.goOn(elsewhere, begunByAttacker.cookies)).status,
    403,
    'the library reads the cookie alone',
  );
  const forged = ['ar_approval=forged', ...begunByAttacker.cookies];
  assert.equal((await oauth.goOn(allowed.body.continueAt, forged)).status, 400);
  const { body } = await victim.request('GET', '/api/v1/portal/grants');
  assert.deepEqual(body.grants, [], 'no application is connected');
});

test('Attack: session fixation: the authorization server keeps no session of its own', async (t) => {
  const app = await newApp(t);
  const begun = await oauth.authorize(app);
  assert.deepEqual(
    begun.cookies.map((cookie) => cookie.split('=')[0]),
    ['ar_oauth_resume'],
  );
  const path = `/api/v1/portal/authorizations/${begun.id}/allow`;
  const allowed = await withCookie(app, (await newPerson(app)).token)('POST', path, { scopes: ['mcp:read'] });
  const back = await oauth.goOn(allowed.body.continueAt, [...begun.cookies, ...allowed.headers.getSetCookie()]);
  assert.equal(back.status, 303);
  assert.deepEqual(
    back.headers.getSetCookie().map((cookie) => cookie.split('=')[0]),
    ['ar_oauth_resume'],
  );
  const second = await oauth.authorize(app, { clientId: begun.clientId });
  assert.match(second.location, /\/authorize\//, 'a person is asked again, though the application is allowed');
});

test('Attack: consent without a person: by prompt=none, another site or an API key', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app);
  const { body } = await oauth.registerClient(app);
  const silent = await oauth.authorize(app, { clientId: body.client_id, parameters: { prompt: 'none' } });
  assert.deepEqual([silent.response.status, silent.location], [400, '']);
  const { id } = await oauth.authorize(app, { clientId: body.client_id });
  const path = `/api/v1/portal/authorizations/${id}/allow`;
  const answer = { scopes: ['mcp:read'] };
  const send = withCookie(app, person.token);
  assert.equal((await send('POST', path, answer, { 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await send('POST', path, answer, { 'x-requested-with': '' })).status, 403);
  assert.equal((await app.request('POST', path, answer)).status, 403, 'an API key');
});

test('Attack: clickjacking: the page of consent cannot be framed', async (t) => {
  const app = await newApp(t);
  const { location } = await oauth.authorize(app);
  const page = await fetch(location, { headers: { accept: 'text/html' } });
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
});

test('Attack: token passthrough: a token is valid for what it was issued for alone', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app);
  const feed = '/api/v1/runtime/v1/observability/events/feed';
  const ofMcp = await oauth.connect(app, person, { scope: 'mcp:read events:read' });
  const refused = await ofMcp.request('GET', feed);
  assert.equal(refused.status, 401);
  assert.match(refused.body.message, /was issued for http:\S+\/mcp, not for http:\S+\/api/);
  const ofApi = await oauth.connect(app, person, { resource: `${app.url}/api`, scope: 'mcp:read events:read' });
  assert.equal((await ofApi.request('GET', feed)).status, 200);
  assert.equal((await oauth.callMcp(app, ofApi.tokens.access_token)).status, 401);
  const { response } = await oauth.authorize(app, { resource: 'https://other.example.com/mcp' });
  assert.equal(response.status, 400);
  assert.match(await response.text(), /resource must be one of/);
  const another = await fetch(`http://localhost:${new URL(app.url).port}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ofMcp.tokens.access_token}` },
  });
  assert.equal(another.status, 401, 'another name of this server is another resource');
});

test('Attack: mix-up: every answer names its issuer', async (t) => {
  const app = await newApp(t);
  const begun = await oauth.authorize(app);
  const address = await oauth.allow(app, await newPerson(app), begun, { scopes: ['mcp:read'] });
  assert.equal(address.searchParams.get('iss'), app.url);
  const { clientId, redirectUri } = await configured(app);
  const { location } = await oauth.authorize(app, { clientId, redirectUri, parameters: { response_type: 'token' } });
  assert.equal(inFragment(location, 'iss'), app.url);
});

test('Attack: open redirector: without an answer of a person, errors are shown here', async (t) => {
  const app = await newApp(t);
  const { body } = await oauth.registerClient(app, { redirect_uris: ['https://evil.example.com/phish'] });
  const asked = { clientId: body.client_id, redirectUri: 'https://evil.example.com/phish' };
  for (const parameters of [
    { prompt: 'none' },
    { code_challenge: undefined },
    { resource: 'https://x.example.com' },
    { response_type: 'token' },
    { prompt: 'none', response_mode: 'form_post' },
    { max_age: 'x' },
  ]) {
    const { response, location } = await oauth.authorize(app, { ...asked, parameters });
    assert.deepEqual([response.status, location], [400, ''], JSON.stringify(parameters));
    assert.doesNotMatch(await response.text(), /evil\.example/);
  }
  const trusted = await configured(app);
  const { location } = await oauth.authorize(app, { ...trusted, parameters: { prompt: 'none' } });
  assert.match(location, /^https:\/\/agent\.example\.com\/callback\?error=/, 'the operator knows this address');
});

test('Attack: a request in other letter case, or a long one, does not stop the server', async (t) => {
  const app = await newApp(t);
  for (const path of [
    '/.Well-Known/OAuth-Authorization-Server',
    '/.well-known/openid-configuration/a/b',
    '/OAuth/Authorize',
  ]) {
    assert.ok((await fetch(app.url + path)).status < 500, path);
  }
  const { response } = await oauth.authorize(app, { parameters: { state: 'x'.repeat(5_000) } });
  assert.equal(response.status, 400);
  assert.equal((await fetch(`${app.url}/healthz`)).status, 200);
});

test('Attack: key sets and assertions of clients are bounded', async (t) => {
  const app = await newApp(t);
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const signing = { token_endpoint_auth_method: 'private_key_jwt' };
  const many = await oauth.registerClient(app, { ...signing, jwks: { keys: Array(11).fill(jwk) } });
  assert.match(many.body.error_description, /jwks must hold at most 10 keys/);
  const { body } = await oauth.registerClient(app, { ...signing, jwks: { keys: [jwk] } });
  const ask = async (seconds: number) => {
    const assertion = new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(body.client_id)
      .setSubject(body.client_id)
      .setAudience(app.url)
      .setExpirationTime(Math.floor(Date.now() / 1_000) + seconds);
    return oauth.tokenRequest(app, {
      grant_type: 'refresh_token',
      refresh_token: 'unknown',
      client_id: body.client_id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion.sign(privateKey),
    });
  };
  assert.equal((await ask(60)).body.error, 'invalid_grant', 'the client is known by its key');
  assert.equal((await ask(86_400)).body.error, 'invalid_client');
});

test('Attack: rights end with the password that was valid when they were given', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app);
  const { clientId, tokens } = await oauth.connect(app, person);
  await changeUser(app, person.user.id, { sessionVersion: Date.now() });
  const refused = await oauth.callMcp(app, tokens.access_token);
  assert.equal(refused.status, 401);
  assert.match(refused.body.message, /its user has a new password/);
  assert.equal((await oauth.refresh(app, clientId, tokens.refresh_token)).status, 400);
  const { items } = await app.runtime.grants.listAll(app.tenantId, { limit: 10, offset: 0 });
  assert.deepEqual(items, []);
});

test('Attack: without a public address, other machines cannot pretend to be this one', async (t) => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal);
  if (!outside) return t.skip('this machine has no address but loopback');
  const app = await testApp(t, { host: '0.0.0.0' });
  const { port } = new URL(app.url);
  const status = (address: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const path = '/.well-known/oauth-authorization-server';
      const sent = request({ host: address, port, path, headers: { host: 'localhost' } }, ({ statusCode }) =>
        resolve(statusCode),
      );
      sent.on('error', reject).end();
    });
  assert.equal(await status('127.0.0.1'), 200);
  assert.equal(await status(outside.address), 404);
});

test('Attack: tokens in addresses, implicit flow, password flow: all refused', async (t) => {
  const app = await newApp(t);
  const { tokens, clientId } = await oauth.connect(app, await newPerson(app));
  const inQuery = await app.request('GET', `/api/v1/runtime/v1/usage?access_token=${tokens.access_token}`, undefined, {
    'x-api-key': '',
  });
  assert.equal(inQuery.status, 401);
  const asKey = await app.request('POST', '/mcp', oauth.LIST_TOOLS, { 'x-api-key': tokens.access_token });
  assert.equal(asKey.status, 401);
  for (const grant_type of [
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
  ]) {
    const { body } = await oauth.tokenRequest(app, { grant_type, client_id: clientId, username: 'x', password: 'y' });
    assert.equal(body.error, 'unsupported_grant_type', grant_type);
  }
  const trusted = await configured(app);
  for (const response_type of ['token', 'id_token', 'code token']) {
    const { location } = await oauth.authorize(app, { ...trusted, parameters: { response_type } });
    assert.equal(inFragment(location, 'error'), 'unsupported_response_type', response_type);
  }
});

test('Attack: a flood of registrations from one address is slowed', async (t) => {
  const app = await testApp(t);
  const answers = await Promise.all(Array.from({ length: 40 }, () => oauth.registerClient(app)));
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 10);
  assert.ok(Number(refused[0]?.headers.get('retry-after')) > 0);
  assert.equal((await app.runtime.oauthClients.list({ limit: 1, offset: 0 })).total, 30);
});

test('Attack: control and direction characters cannot disguise the name of a client', async (t) => {
  const app = await newApp(t);
  const { body } = await oauth.registerClient(app, { client_name: '\u202egro.edualc\u0000\nVerified by admin' });
  assert.equal(body.client_name, 'gro.edualcVerified by admin');
  const long = await oauth.registerClient(app, { client_name: 'x'.repeat(5_000) });
  assert.equal(long.body.client_name.length, 100);
});

test('Attack: the page of an error shows what it is told as text alone', async (t) => {
  const app = await newApp(t);
  const { response } = await oauth.authorize(app, { clientId: '<script>alert(1)</script>' });
  const page = await response.text();
  assert.doesNotMatch(page, /<script/);
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
});

/** An application of the operator. */
async function configured(app: TestApp): Promise<{ clientId: string; redirectUri: string }> {
  const redirectUri = 'https://agent.example.com/callback';
  const { clientId } = await app.runtime.oauthClients.configure({ name: 'Agent', redirectUris: [redirectUri] });
  return { clientId, redirectUri };
}

/** Where answers to requests for the implicit flow go. */
function inFragment(location: string, name: string): string | null {
  return new URLSearchParams(new URL(location).hash.slice(1)).get(name);
}
