import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { test } from 'node:test';
import { routes } from '../../src/http/app.ts';
import { EVENTS, type TestApp } from '../support/app.ts';
import { connect, LIST_TOOLS } from '../support/oauth.ts';
import { newPerson, OWN_PAGE } from '../support/people.ts';
import { rawRequest } from '../support/raw.ts';
import { appOfThisFile, scopeOfThisFile } from '../support/shared.ts';

/* Credentials that fail never fall through to another way in: the credential that is named first decides, alone. */

const sharedApp = appOfThisFile({ rateLimit: 0 });

type Headers = Record<string, string | string[]>;

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
scopeOfThisFile().after(() => agent.destroy());

const send = ({ url }: TestApp, method: string, path: string, headers: Headers, body?: string) =>
  rawRequest(url, method, path, { headers, agent, ...(body === undefined ? {} : { body }) });

const changed = (text: string) => text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a');

let known: ReturnType<typeof makeCredentials> | undefined;
const credentials = () => {
  known ??= makeCredentials();
  return known;
};

/** Each credential with the tenant that it opens; null: none. */
async function makeCredentials() {
  const app = await sharedApp();
  const { name: tenant } = await app.runtime.tenants.create({ name: 'beta' });
  const ofBeta = await app.newKey({ tenant });
  const revoked = await app.newKey();
  await app.runtime.keys.revoke(revoked.split('_')[1]!, null);
  const alpha = await newPerson(app, { role: 'ADMIN' });
  const beta = await newPerson(app, { role: 'ADMIN', tenant });
  const { tokens } = await connect(app, beta, { resource: `${app.url}/api`, scope: 'events:read' });
  await app.ingest([{ eventName: 'of alpha' }]);
  await app.ingest([{ eventName: 'of beta' }], ofBeta);
  const keys: [text: string, tenant: string | null][] = [
    [app.key, 'alpha'],
    [ofBeta, 'beta'],
    [changed(app.key), null],
    [revoked, null],
    ['nonsense', null],
  ];
  const bearers: [text: string, tenant: string | null][] = [
    ...keys,
    [alpha.token, 'alpha'],
    [beta.token, 'beta'],
    [changed(alpha.token), null],
    [tokens.access_token, 'beta'],
    [changed(tokens.access_token), null],
  ];
  const malformed = [
    'Bearer',
    'Bearer ',
    'Bearer a b',
    `Bearer "${app.key}"x y`,
    `Bearer ${app.key}, Bearer ${ofBeta}`,
  ];
  const foreign = ['Basic eDp5', `Basic ${btoa(`${app.key}:`)}`, `Digest ${app.key}`, app.key, `Token ${app.key}`];
  const cookies = [undefined, `ar_session=${alpha.token}`, `ar_session=${changed(alpha.token)}`];
  return { app, ofBeta, alpha, beta, keys, bearers, malformed, foreign, cookies };
}

/** Whose events the answer shows; a number: the status of a refusal. */
async function askedBy(app: TestApp, headers: Headers): Promise<string | number> {
  const { status, text } = await send(app, 'GET', `${EVENTS}/feed`, headers);
  if (status !== 200) return status;
  return /of (alpha|beta)/.exec(text)?.[1] ?? 'nobody';
}

test('Credentials: of every pair, the first that is named decides or nothing does', async () => {
  const { app, alpha, keys, bearers, malformed, foreign, cookies } = await credentials();
  const tenantOf = (tenant: string | null) => tenant ?? 401;
  for (const cookie of cookies) {
    const page = cookie === undefined ? {} : { cookie, ...OWN_PAGE };
    const opens = cookie === `ar_session=${alpha.token}` ? 'alpha' : 401;
    const asked: Promise<void>[] = [];
    const expect = (headers: Headers, expected: string | number) => {
      const answered = askedBy(app, { ...page, ...headers });
      asked.push(answered.then((found) => assert.equal(found, expected, JSON.stringify([page, headers]))));
    };
    expect({}, opens);
    expect({ 'x-api-key': '' }, opens);
    for (const [text, tenant] of bearers) expect({ authorization: `Bearer ${text}` }, tenantOf(tenant));
    for (const text of ['', ...malformed, ...foreign]) expect({ authorization: text }, 401);
    for (const [key, ofKey] of keys) {
      expect({ 'x-api-key': key }, tenantOf(ofKey));
      expect({ 'x-api-key': [key, key] }, 401);
      for (const [text] of bearers) {
        const expected = text === key ? tenantOf(ofKey) : 401;
        expect({ 'x-api-key': key, authorization: `Bearer ${text}` }, expected);
        expect({ authorization: [`Bearer ${key}`, `Bearer ${text}`] }, 401);
        expect({ authorization: [`Bearer ${text}`, 'Basic eDp5'] }, 401);
      }
      for (const text of malformed) expect({ 'x-api-key': key, authorization: text }, 401);
      // A proxy in front of the server may add a header of its own.
      for (const text of ['', ...foreign]) expect({ 'x-api-key': key, authorization: text }, tenantOf(ofKey));
    }
    for (const [text] of bearers.slice(keys.length)) expect({ 'x-api-key': text }, 401);
    await Promise.all(asked);
  }
});

test('Credentials: no route lets a bad one in for a good one beside it', async () => {
  const { app, alpha, ofBeta } = await credentials();
  const cookie = { cookie: `ar_session=${alpha.token}`, ...OWN_PAGE };
  const attempts: Headers[] = [
    { ...cookie, 'x-api-key': changed(app.key) },
    { ...cookie, authorization: `Bearer ${changed(alpha.token)}` },
    { ...cookie, authorization: 'Basic eDp5' },
    { ...cookie, authorization: '' },
    { 'x-api-key': app.key, authorization: `Bearer ${changed(app.key)}` },
    { 'x-api-key': app.key, authorization: `Bearer ${ofBeta}` },
    { 'x-api-key': app.key, authorization: `Bearer ${alpha.token}` },
    { 'x-api-key': app.key, authorization: 'Bearer' },
    { 'x-api-key': changed(app.key), authorization: `Bearer ${alpha.token}` },
    { authorization: [`Bearer ${app.key}`, `Bearer ${ofBeta}`] },
    { authorization: [`Bearer ${alpha.token}`, `Bearer ${alpha.token}`] },
  ];
  const mcp = { method: 'post', path: '/mcp', access: 'mcp:read' };
  for (const { method, path, access } of [...routes, mcp]) {
    if (access === 'open') continue;
    const at = path.replace(/:\w+/g, '0190a5a0-0000-7000-8000-000000000000');
    const hasBody = method !== 'get' && method !== 'delete';
    const refused = attempts.map(async (headers) => {
      const body = hasBody ? JSON.stringify(LIST_TOOLS) : undefined;
      const typed = hasBody ? { ...headers, 'content-type': 'application/json' } : headers;
      const { status, text } = await send(app, method.toUpperCase(), at, typed, body);
      assert.equal(status, 401, `${method} ${path} with ${JSON.stringify(headers)}: ${text}`);
    });
    await Promise.all(refused);
  }
});

test('Credentials: a client of OAuth is not two at once', async () => {
  const app = await sharedApp();
  const redirectUris = ['https://gateway.example.com/callback'];
  const gateway = await app.runtime.oauthClients.configure({ name: 'Gateway', redirectUris, introspection: true });
  const { clientId, clientSecret } = gateway;
  const basic = (secret: string) => `Basic ${btoa(`${clientId}:${secret}`)}`;
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const inBody = `&client_id=${clientId}&client_secret=${clientSecret}`;
  for (const [headers, body, expected] of [
    [{ authorization: basic(clientSecret!) }, '', 200],
    [{ authorization: basic('wrong') }, inBody, 400],
    [{ authorization: basic('wrong') }, '', 401],
    [{ authorization: [basic('wrong'), basic(clientSecret!)] }, '', 401],
    [{ authorization: `Bearer ${app.key}` }, '', 401],
    [{ 'x-api-key': app.key }, '', 401],
    [{}, '', 400],
  ] as [Headers, string, number][]) {
    const { status } = await send(app, 'POST', '/oauth/introspect', { ...type, ...headers }, `token=x${body}`);
    assert.ok(
      status === expected || (expected !== 200 && (status === 400 || status === 401)),
      `${status} ${JSON.stringify(headers)}`,
    );
  }
});
