import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type TestApp, testApp } from '../../support/app.ts';
import { startFaultyProvider } from '../../support/identity/faulty-provider.ts';
import { idJagClaims, redeem, signed } from '../../support/identity/id-jag.ts';
import { defineProvider } from '../../support/identity/workspace.ts';
import { allow, authorize, callMcp, exchange, REDIRECT } from '../../support/oauth.ts';
import { newPerson, withCookie } from '../../support/people.ts';
import { tlsFile } from '../../support/tls.ts';

/* Clients whose id is the https address of their metadata (Client ID Metadata Documents). */

const NETWORKS = ['127.0.0.0/8', '::1/128'];

/** A host that publishes documents, and how often each was fetched. */
async function host(t: TestContext, answer: (path: string, base: string) => RequestListener | object | null) {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, readFileSync(tlsFile('first.pem'), 'utf8')]);
  t.after(() => setDefaultCACertificates(trusted));
  const fetched = new Map<string, number>();
  const options = { cert: readFileSync(tlsFile('first.pem')), key: readFileSync(tlsFile('first.key')) };
  const server = createServer(options, (request, response) => {
    const path = request.url ?? '';
    fetched.set(path, (fetched.get(path) ?? 0) + 1);
    const given = answer(path, base);
    if (typeof given === 'function') return given(request, response);
    response.writeHead(given === null ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(given));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const base = `https://localhost:${(server.address() as AddressInfo).port}`;
  return { base, fetched };
}

const documentAt = (path: string, base: string) => ({
  client_id: base + path,
  client_name: 'Claude',
  redirect_uris: [REDIRECT, 'https://claude.example.com/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  ...{ client_uri: '', logo_uri: null, contacts: [], scope: null, token_endpoint_auth_method: null },
});

test('Client documents: an application with one connects, and its host is shown', async (t) => {
  const { base, fetched } = await host(t, documentAt);
  const app = await testApp(t, { identityNetworks: NETWORKS });
  const person = await newPerson(app);
  const clientId = `${base}/client.json`;
  const begun = await authorize(app, { clientId });
  assert.equal(begun.response.status, 303);
  const path = `/api/v1/portal/authorizations/${begun.id}`;
  const { body } = await withCookie(app, person.token)('GET', path);
  assert.deepEqual(body.client, { id: clientId, name: 'Claude', kind: 'document', host: new URL(base).host });
  const code = (await allow(app, person, begun, { scopes: ['mcp:read'] })).searchParams.get('code')!;
  const { body: tokens } = await exchange(app, begun, code);
  assert.equal((await callMcp(app, tokens.access_token)).status, 200);
  assert.equal(fetched.get('/client.json'), 1, 'once for all of it');
  const { items } = await app.runtime.grants.listAll(null, { limit: 10, offset: 0 });
  assert.deepEqual(
    items.map(({ client }) => client.host),
    [new URL(base).host],
  );
  await app.runtime.oauthClients.remove(clientId);
  assert.equal((await callMcp(app, tokens.access_token)).status, 401, 'the operator removed the application');
});

test('Client documents: an application with one sends identity assertions', async (t) => {
  const { base } = await host(t, documentAt);
  const app = await testApp(t, { identityNetworks: NETWORKS });
  const issuer = await startFaultyProvider(t);
  await defineProvider(app, { issuer: issuer.issuer, mcp: true });
  const clientId = `${base}/client.json`;
  const assertion = await signed(issuer, idJagClaims(app, issuer.issuer, clientId));
  const { status, body } = await redeem(app, clientId, assertion);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((await callMcp(app, body.access_token)).status, 200);
  const { items } = await app.runtime.grants.listAll(null, { limit: 10, offset: 0 });
  assert.deepEqual(
    items.map(({ client, identityProvider }) => [client.kind, client.host, identityProvider]),
    [['document', new URL(base).host, 'corp']],
  );
});

test('Client documents: a wrong one is refused, and not fetched again and again', async (t) => {
  const wrong: Record<string, (path: string, base: string) => RequestListener | object | null> = {
    '/missing': () => null,
    '/other-id': (path, base) => ({ ...documentAt(path, base), client_id: `${base}/another` }),
    '/secret': (path, base) => ({ ...documentAt(path, base), token_endpoint_auth_method: 'client_secret_post' }),
    '/redirect': () => (_request, response) => response.writeHead(302, { location: '/client.json' }).end(),
    '/no-json': () => (_request, response) => response.end('<p>'),
    '/large': (path, base) => ({ ...documentAt(path, base), filler: 'x'.repeat(6_000) }),
    '/endless': () => (_request, response) => {
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000, 'x')));
      };
      response.on('drain', pour);
      pour();
    },
    '/dangerous': (path, base) => ({ ...documentAt(path, base), redirect_uris: ['http://evil.example.com/x'] }),
  };
  const { base, fetched } = await host(t, (path, at) => wrong[path]!(path, at));
  const app = await testApp(t, { identityNetworks: NETWORKS });
  for (const path of Object.keys(wrong)) {
    for (let count = 0; count < 10; count += 1) {
      const { response } = await authorize(app, { clientId: base + path });
      assert.equal(response.status, 400, path);
    }
    assert.ok((fetched.get(path) ?? 0) <= 4, `${path}: ${fetched.get(path)} fetches`);
  }
});

test('Client documents: private addresses and this server itself are never asked', async (t) => {
  const { base, fetched } = await host(t, documentAt);
  const status = async (app: TestApp, clientId: string) => (await authorize(app, { clientId })).response.status;
  const guarded = await testApp(t);
  for (const clientId of [
    `${base}/client.json`,
    'https://169.254.169.254/latest',
    'https://[::1]/x',
    'https://10.0.0.1/x',
  ]) {
    assert.equal(await status(guarded, clientId), 400, clientId);
  }
  assert.equal(fetched.size, 0);
  const app = await testApp(t, { identityNetworks: NETWORKS, publicUrl: base });
  assert.equal(await status(app, `${base}/client.json`), 400, 'the own address');
  assert.equal(fetched.size, 0);
});
