import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { call, json } from '../../../support/outside-api.ts';
import { eventually } from '../../../support/process.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';
import { applyTokenApi, CLIENT_SECRET, startTokenApi } from '../../../support/token-endpoint.ts';

const newApp = tenantsOfThisFile();

const GET = { resource: 'getPet', data: { petId: 1 } };

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
