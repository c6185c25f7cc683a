import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { skipOnServers, type TestApp, temporaryDirectory, testApp } from '../../../support/app.ts';
import { HOSTS, openConnectors, tablesOf } from '../../../support/connectors.ts';
import { applyConnector, call, json, petsAt, startApi, type TestApi } from '../../../support/outside-api.ts';
import { eventually } from '../../../support/process.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';
import { applyTokenApi, CLIENT_SECRET, startTokenApi } from '../../../support/token-endpoint.ts';

const SECRETS = { mine: 'secret-of-mine/1+2==', yours: 'secret-of-yours-a1b2' };
const GET = { resource: 'getPet', data: { petId: 1 } };

interface Guarded {
  app: TestApp;
  api: TestApi;
  dataDir: string;
  /** Advances the clock past the cache's time to live. */
  pass(): void;
}

/** A server with a connector that allows two credentials; `mine` is the default. */
async function guarded(t: TestContext, changes: object = {}): Promise<Guarded> {
  const dataDir = temporaryDirectory(t);
  let passed = 0;
  const app = await testApp(t, { dataDir }, { ...realEffects, now: () => realEffects.now() + passed });
  const api = await startApi(t);
  await app.runtime.tenants.create({ name: 'other' });
  for (const tenant of ['default', 'other']) {
    const { id } = await app.runtime.tenants.get(tenant);
    for (const [name, secret] of Object.entries(SECRETS)) {
      await app.runtime.credentials.set(id, { name, secret: `${secret}-${tenant}`, hosts: HOSTS }, null);
    }
    await applyConnector(app, guardedPets(api.url, changes), tenant);
  }
  const pass = () => {
    passed += 1_000;
  };
  return { app, api, dataDir, pass };
}

function guardedPets(url: string, changes: object = {}): object {
  return petsAt(url, {
    environments: { production: { baseUrl: `${url}/v1`, secret: { credential: 'mine' } } },
    ...{ auth: { type: 'bearer' }, credentials: Object.keys(SECRETS), ...changes },
  });
}

const named = (credentials: string) => ({ ...GET, options: { credentials } });

test('POST /connectors: each tenant and each call has its own secret', async (t) => {
  const { app, api } = await guarded(t);
  const headers = { 'x-api-key': await app.newKey({ tenant: 'other' }) };
  await call(app, GET);
  await call(app, named('yours'));
  await call(app, named('yours'), 'pets', headers);
  assert.deepEqual(
    api.asked.map((one) => one.headers.authorization),
    [`Bearer ${SECRETS.mine}-default`, `Bearer ${SECRETS.yours}-default`, `Bearer ${SECRETS.yours}-other`],
  );
});

test('POST /connectors: a call is the last use of its credential, of its tenant alone', async (t) => {
  const { app } = await guarded(t);
  const usedOf = async (tenant: string) => {
    const { id } = await app.runtime.tenants.get(tenant);
    return (await app.runtime.credentials.list(id)).map(({ name, lastUsedAt }) => [name, lastUsedAt !== null]);
  };
  const unused = Object.keys(SECRETS).map((name) => [name, false]);
  assert.deepEqual(await usedOf('default'), unused);
  assert.equal((await call(app, GET)).status, 200);
  assert.deepEqual(await usedOf('default'), [
    ['mine', true],
    ['yours', false],
  ]);
  assert.deepEqual(await usedOf('other'), unused);
});

test('POST /connectors: a tampered secret is 503 and names only the credential', { skip: skipOnServers }, async (t) => {
  const { app, api, dataDir, pass } = await guarded(t);
  assert.equal((await call(app, GET)).status, 200);
  const tables = tablesOf(t, dataDir);
  const rows = tables.prepare('SELECT tenant_id AS tenant, name, sealed FROM credentials').all() as {
    tenant: string;
    name: string;
    sealed: string;
  }[];
  const sealedOf = (name: string, isOwn: boolean) =>
    rows.find((row) => row.name === name && (row.tenant === app.tenantId) === isOwn)!.sealed;
  const own = sealedOf('mine', true);
  const put = (sealed: string) => {
    tables
      .prepare('UPDATE credentials SET sealed = ? WHERE tenant_id = ? AND name = ?')
      .run(sealed, app.tenantId, 'mine');
    pass();
  };
  const wrong = {
    'of another name': sealedOf('yours', true),
    'of another tenant': sealedOf('mine', false),
    'in clear': SECRETS.yours,
  };
  for (const [what, sealed] of Object.entries(wrong)) {
    put(sealed);
    const { status, body } = await call(app, GET);
    assert.deepEqual([status, body.success], [503, false], what);
    assert.equal(
      body.error,
      'Credential "mine" cannot be used: the stored secret was changed where it is stored, or belongs to something else. Set it again: `credentials set mine`.',
      what,
    );
    assert.deepEqual([body.metadata.attempts, body.metadata.retrySafe], [0, true], what);
    assert.equal((await call(app, named('yours'))).status, 200, 'the others are as they were');
  }
  put(own);
  assert.equal((await call(app, GET)).status, 200);
  assert.ok(api.asked.every(({ headers }) => !headers.authorization!.includes('other')));
});

test('POST /connectors: missing sealing keys affect calls with credentials only', {
  skip: skipOnServers,
}, async (t) => {
  const api = await startApi(t);
  const before = await openConnectors(t, { AGENT_RUNTIME_SECRET_KEY: 'the first of two secrets of this test' });
  await before.credentials.set(before.tenantId, { name: 'mine', secret: SECRETS.mine, hosts: HOSTS }, null);
  await before.connectors.apply(before.tenantId, guardedPets(api.url), null);
  const { dataDir } = before;
  const app = await testApp(t, { dataDir, secretKey: 'the second of two secrets of this test' });
  const { status, body } = await call(app, GET);
  assert.equal(status, 503);
  assert.match(
    body.error,
    /^Credential "mine" cannot be used: the stored secret was sealed with another .*`credentials set mine`\.$/,
  );
  await applyConnector(app, petsAt(api.url, { slug: 'open', name: 'Open' }));
  assert.equal((await call(app, GET, 'open')).status, 200);
  await app.runtime.sealing.rotate({ abandonLost: true });
  await app.runtime.credentials.set(app.tenantId, { name: 'mine', secret: SECRETS.mine, hosts: HOSTS }, null);
  assert.equal((await call(app, GET)).status, 200);
});

test('POST /connectors: messages name no credentials of other tenants', async (t) => {
  const { app, api } = await guarded(t);
  const refused = await call(app, named('theirs'));
  assert.equal(refused.status, 400);
  assert.match(
    refused.body.error,
    /^options\.credentials: "theirs" may not be used with "pets"; it allows "mine", "yours"$/,
  );
  await applyConnector(app, guardedPets(api.url, { credentials: ['mine', 'unset'] }));
  const unset = await call(app, named('unset'));
  assert.equal(unset.status, 503);
  assert.match(unset.body.error, /^Credential "unset" is not stored; `credentials set unset` stores it/);
});

test('POST /connectors: a credential is sent to its hosts only', async (t) => {
  const { app, api } = await guarded(t);
  const set = (name: 'mine' | 'yours', hosts: string[]) =>
    app.runtime.credentials.set(app.tenantId, { name, secret: SECRETS[name], hosts }, null);
  await set('mine', ['api.example.com', '10.1.2.3']);
  await set('yours', ['api.example.com']);
  const ofDefinition = await call(app, GET);
  assert.deepEqual([ofDefinition.status, ofDefinition.body.metadata.retrySafe], [503, true]);
  assert.match(ofDefinition.body.error, /^Credential "mine" may not be sent to the host; `credentials set mine` says /);
  const ofCall = await call(app, named('yours'));
  assert.equal(ofCall.status, 400);
  assert.match(ofCall.body.error, /^options\.credentials: "yours" may not be sent to the host; /);
  for (const { body } of [ofDefinition, ofCall]) assert.doesNotMatch(JSON.stringify(body), /127\.0\.0\.1|10\.1\.2\.3/);
  assert.equal(api.asked.length, 0);
  await set('mine', ['127.0.0.1']);
  assert.equal((await call(app, GET)).status, 200);
});

test('POST /connectors: an echoed secret is redacted in answers, errors and events', async (t) => {
  const { app } = await guarded(t);
  const secret = `${SECRETS.mine}-default`;
  const forms = [
    secret,
    JSON.stringify({ authorization: `Bearer ${secret}` }),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ];
  let count = 0;
  const api = await startApi(t, (_asked, response) => {
    const echo = forms[count % forms.length]!;
    const isText = count % 3 === 2;
    const status = [200, 422, 200][count % 3]!;
    if (isText) return response.writeHead(status, { 'content-type': 'application/octet-stream' }).end(echo);
    return json(response, status, { message: `you said ${echo}` });
  });
  await applyConnector(app, guardedPets(api.url));
  for (; count < forms.length * 3; count += 1) {
    const { body } = await call(app, GET);
    const text = JSON.stringify(body);
    for (const form of [...forms, 'secret-of-mine']) assert.ok(!text.includes(form), `${count}: ${text}`);
    const { base64 = '' } = (body.data ?? {}) as { base64?: string };
    assert.ok(!Buffer.from(base64, 'base64').toString().includes('secret-of-mine'), text);
  }
});

const newApp = tenantsOfThisFile();

test('POST /connectors: concurrent calls share one OAuth token', async (t) => {
  const [app, tokens] = [await newApp(t), await startTokenApi(t)];
  const auth = { scopes: ['pets:read', 'pets:write'], audience: 'https://pets.example.com' };
  await applyTokenApi(app, tokens, { auth, maxConcurrent: 50 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(app, GET)));
  assert.ok(answers.every(({ status, body }) => status === 200 && body.data.as === 1));
  await call(app, GET);
  assert.deepEqual([tokens.endpoint.asked.length, tokens.api.asked.length], [1, 51]);
  const [{ method, url, headers, body }] = tokens.endpoint.asked as [(typeof tokens.endpoint.asked)[0]];
  assert.deepEqual([method, url, headers['content-type']], ['POST', '/token', 'application/x-www-form-urlencoded']);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
    grant_type: 'client_credentials',
    scope: 'pets:read pets:write',
    audience: 'https://pets.example.com',
  });
  const basic = Buffer.from(headers.authorization!.replace(/^Basic /, ''), 'base64').toString();
  assert.equal(basic, 'the+shop:client+s3cret%3Aof%2Fthe%2Bshop');
});

test('POST /connectors: a refused token is replaced once, also for POST', async (t) => {
  const [app, tokens] = [await newApp(t), await startTokenApi(t)];
  await applyTokenApi(app, tokens);
  await call(app, GET);
  tokens.revoke();
  const { status, body } = await call(app, { resource: 'addPet', data: { name: 'Rex' } });
  assert.deepEqual([status, body.data.as, body.metadata.attempts], [200, 2, 2]);
  tokens.answerWith((_, response) => json(response, 200, { access_token: 'token-0', expires_in: 3_600 }));
  tokens.revoke();
  const asked = tokens.endpoint.asked.length;
  const refused = await call(app, GET);
  assert.deepEqual([refused.status, refused.body.metadata.status, refused.body.metadata.attempts], [502, 401, 2]);
  assert.equal(tokens.endpoint.asked.length, asked + 1);
  assert.doesNotMatch(JSON.stringify(refused.body), /token-\d/);
});

test('POST /connectors: a failing token endpoint is 502 without the secret', async (t) => {
  let passed = 0;
  const app = await testApp(t, {}, { ...realEffects, now: () => realEffects.now() + passed });
  const tokens = await startTokenApi(t);
  await applyTokenApi(app, tokens);
  const errorBody = { error: 'invalid_client', error_description: `no such client: ${CLIENT_SECRET}` };
  const failures: [string, Parameters<typeof tokens.answerWith>[0], RegExp][] = [
    [
      '401',
      (_, response) => json(response, 401, errorBody),
      /answered with status 401: invalid_client \(no such client: \*\*\*\)\.$/,
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(307, { location: `${tokens.api.url}/v1` }).end(),
      /answered with status 307\.$/,
    ],
    ['nothing', (_, response) => response.destroy(), /broke the connection off/],
  ];
  for (const [what, answer, words] of failures) {
    tokens.answerWith(answer);
    passed += 1_001;
    const asked = tokens.endpoint.asked.length;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(app, { resource: 'addPet', data: { name: 'Rex' } })),
    );
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.success, body.metadata.retrySafe], [502, false, true], what);
      assert.match(body.error, words, what);
      assert.doesNotMatch(body.error, /s3cret|127\.0\.0\.1/, what);
    }
    assert.equal(tokens.endpoint.asked.length, asked + 1, `${what}: asked once for all ten`);
  }
  assert.equal(tokens.api.asked.length, 0);
  tokens.answerWith(null);
  passed += 1_001;
  assert.equal((await call(app, GET)).status, 200, 'and no circuit of the API is open');
});

test('POST /connectors: a slow token endpoint ends at the timeout of the call', async (t) => {
  const [app, tokens] = [await newApp(t), await startTokenApi(t)];
  await applyTokenApi(app, tokens);
  const waiting: (() => void)[] = [];
  tokens.answerWith((_, response) => void waiting.push(() => json(response, 200, { access_token: 'token-7' })));
  const late = await call(app, { ...GET, options: { timeout: 100 } });
  assert.equal(late.status, 504);
  assert.match(late.body.error, /did not answer within 100 ms/);
  const added = await call(app, { resource: 'addPet', data: { name: 'Rex' }, options: { timeout: 100 } });
  const { attempts, retrySafe } = added.body.metadata;
  assert.deepEqual([added.status, attempts, retrySafe], [504, 0, true], 'the API was not asked');
  const remaining = call(app, GET);
  await eventually('the request goes on', async () => waiting.length === 1, 5_000);
  waiting[0]!();
  assert.deepEqual([(await remaining).body.data.as, tokens.endpoint.asked.length, tokens.api.asked.length], [7, 1, 1]);
});

test('POST /connectors: tenants with the same client do not share a token', async (t) => {
  const [app, tokens] = [await newApp(t), await startTokenApi(t)];
  await app.runtime.tenants.create({ name: 'other' });
  await applyTokenApi(app, tokens);
  await applyTokenApi(app, tokens, { tenant: 'other' });
  const headers = { 'x-api-key': await app.newKey({ tenant: 'other' }) };
  for (let count = 0; count < 2; count += 1) {
    assert.equal((await call(app, GET)).body.data.as, 1);
    assert.equal((await call(app, GET, 'pets', headers)).body.data.as, 2);
  }
  assert.equal(tokens.endpoint.asked.length, 2);
});
