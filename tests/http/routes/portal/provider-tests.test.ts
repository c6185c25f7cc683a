import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLog } from '../../../../src/logging/log.ts';
import { testApp } from '../../../support/app.ts';
import { chatApp, EXECUTIONS } from '../../../support/chat.ts';
import { newPerson, PORTAL } from '../../../support/people.ts';
import { auditedProviders } from '../../../support/providers.ts';
import type { Outcome } from '../../../support/upstream/outcomes.ts';
import { fakeUpstream } from '../../../support/upstream/server.ts';
import { assertError, assertNames } from '../users/support.ts';

const PROVIDERS = `${PORTAL}/providers`;
const KEY = 'sk-the-key-of-the-test';

async function tested(t: TestContext, definition: object = {}) {
  const app = await chatApp(t, { rateLimit: 0 }, { apiKey: KEY, ...definition });
  const admin = await newPerson(app, { role: 'ADMIN' });
  const ask = async (outcome?: Outcome, model = 'llama3.2') => {
    if (outcome) app.upstream.script(outcome);
    return admin.request('POST', `${PROVIDERS}/local/test`, { model });
  };
  return { app, admin, ask };
}

test('POST /portal/providers/:name/test: a good key works, and the test says its cost', async (t) => {
  const definition = {
    price: { inputPerMillion: 1, outputPerMillion: 2 },
    defaults: { instructions: 'Be long.', temperature: 1 },
  };
  const { app, ask } = await tested(t, definition);
  const { status, body } = await ask();
  assert.equal(status, 200, JSON.stringify(body));
  const { executionId, latencyMs, ...result } = body;
  assert.deepEqual(result, {
    ...{ works: true, reason: null, message: 'It works.' },
    ...{ provider: 'custom', providerName: 'local', model: 'llama3.2' },
    usage: { inputTokens: 12, outputTokens: 5 },
    cost: 0.000022,
  });
  assert.ok(latencyMs >= 0);
  const [{ body: sent, headers }] = app.upstream.requests as [(typeof app.upstream.requests)[number]];
  assert.deepEqual([sent.max_tokens, sent.temperature, sent.messages.length], [16, undefined, 1]);
  assert.equal(headers.authorization, `Bearer ${KEY}`);
  const execution = (await app.request('GET', `${EXECUTIONS}/${executionId}`)).body;
  assert.deepEqual(
    [execution.status, execution.chat.projectId, execution.chat.cost],
    ['completed', 'provider-test', 0.000022],
  );
  const [, line] = await auditedProviders(app.runtime, app.tenantId);
  assert.deepEqual(line, {
    action: 'provider.tested',
    target: 'local',
    details: { provider: 'custom', model: 'llama3.2', outcome: 'works', cost: 0.000022 },
  });
});

test('POST /portal/providers/:name/test: what failed is said in words, without the key', async (t) => {
  const { app, admin, ask } = await tested(t);
  const cases: [Outcome, string, RegExp][] = [
    [{ fault: { type: 'refusedKey' } }, 'key', /^local does not accept the key/],
    [{ fault: { type: 'status', status: 401, message: `Wrong key ${KEY}` } }, 'key', /\[secret\]/],
    [{ fault: { type: 'status', status: 404 } }, 'model', /^local does not know the model llama3\.2/],
    [
      { fault: { type: 'status', status: 400, message: 'Unknown model: llama3.2' } },
      'model',
      /does not know the model/,
    ],
    [{ fault: { type: 'status', status: 400 } }, 'refused', /^local refuses the request\. It answered 400/],
    [{ fault: { type: 'status', status: 429, retry: { seconds: 60 } } }, 'quota', /the quota of the key is spent/],
    [{ fault: { type: 'html' } }, 'broken', /did not send a whole answer/],
  ];
  for (const [outcome, reason, message] of cases) {
    const { status, body } = await ask(outcome);
    assert.deepEqual([status, body.works, body.reason], [200, false, reason], JSON.stringify(body));
    assert.match(body.message, message);
    assert.ok(!JSON.stringify(body).includes(KEY));
  }
  app.upstream.crash();
  const { body } = await ask();
  assert.deepEqual([body.works, body.reason], [false, 'network'], JSON.stringify(body));
  assert.match(body.message, /cannot be reached \(ECONNREFUSED\)\. Check the base URL/);
  const log = await admin.request('GET', `${PORTAL}/audit-log`);
  assert.ok(!JSON.stringify(log.body).includes(KEY));
});

test('POST /portal/providers/:name/test: the log has no key', async (t) => {
  const lines: string[] = [];
  const app = await testApp(t, { rateLimit: 0 }, undefined, createLog('trace', { write: (line) => lines.push(line) }));
  const upstream = await fakeUpstream(t);
  upstream.script({ fault: { type: 'status', status: 401, message: `Wrong key ${KEY}` } });
  const chief = await newPerson(app, { role: 'SUPER_ADMIN' });
  const definition = { provider: 'custom', baseUrl: upstream.baseUrl('custom'), allowPrivateNetwork: true };
  await chief.request('PUT', `${PROVIDERS}/local`, { ...definition, apiKey: KEY, headers: { 'x-a': KEY } });
  const { body } = await chief.request('POST', `${PROVIDERS}/local/test`, { model: 'm' });
  assert.equal(body.reason, 'key');
  assert.ok(lines.some((line) => line.includes('chat failed')));
  assert.ok(!lines.join('').includes(KEY));
});

test('POST /portal/providers/:name/test: a slow vendor is said to be slow, and left', async (t) => {
  const { app, ask } = await tested(t, { timeout: 0.2 });
  const { body } = await ask({ fault: { type: 'hang', after: 0 } });
  assert.deepEqual([body.works, body.reason], [false, 'timeout'], JSON.stringify(body));
  assert.match(body.message, /^local did not answer in time/);
  await app.upstream.whenAborted();
});

test('POST /portal/providers/:name/test: no fallback answers in its place', async (t) => {
  const { app, admin, ask } = await tested(t);
  const [local] = await app.runtime.providers.list(app.tenantId);
  const other = { name: 'other', provider: 'custom', baseUrl: local!.baseUrl, allowPrivateNetwork: true };
  const fallbacks = [{ provider: 'custom', providerName: 'other', model: 'm' }];
  await app.runtime.providers.apply(app.tenantId, [other, { ...other, name: 'local', apiKey: KEY, fallbacks }]);
  const { body } = await ask({ fault: { type: 'status', status: 401 } });
  assert.equal(body.reason, 'key');
  assert.equal(app.upstream.requests.length, 1);
  assertNames(await admin.request('POST', `${PROVIDERS}/local/test`, {}), 'model');
  assertError(await admin.request('POST', `${PROVIDERS}/nothing/test`, { model: 'm' }), 404, /no provider "nothing"/);
});

test('POST /portal/providers/:name/test: budgets of the tenant count it', async (t) => {
  const { app, ask } = await tested(t, { price: { inputPerMillion: 0, outputPerMillion: 1_000_000 } });
  await app.runtime.quotas.changeTenant({ id: app.tenantId }, { 'cost-per-day': 20 });
  assert.equal((await ask()).body.cost, 5);
  assertError(await ask(), 429, /cost-per-day|budget|quota/i);
  assert.equal(app.upstream.requests.length, 1);
});

test('POST /portal/providers/:name/test: 10 at once are allowed in a tenant', async (t) => {
  const { app, ask } = await tested(t);
  const answers = [];
  for (let count = 0; count < 11; count++) answers.push(await ask());
  assert.deepEqual(new Set(answers.slice(0, 10).map(({ status }) => status)), new Set([200]));
  assertError(answers[10]!, 429, /^Too many tests of providers: 10 at once, then 6 a minute/);
  assert.ok(Number(answers[10]!.headers.get('retry-after')) > 0);
  assert.equal(app.upstream.requests.length, 10);
});

test('POST /portal/providers/vendors/:vendor/test: without a key the variable is named', async (t) => {
  const { app, admin } = await tested(t);
  const { status, body } = await admin.request('POST', `${PROVIDERS}/vendors/openai/test`, {});
  assert.deepEqual([status, body.works, body.reason, body.model], [200, false, 'key', 'gpt-4.1-nano']);
  assert.match(body.message, /Set OPENAI_API_KEY/);
  assert.equal(body.executionId, null);
  await app.runtime.providers.apply(app.tenantId, { name: 'env', provider: 'openai', apiKey: { env: 'NOT_SET' } });
  const missing = await admin.request('POST', `${PROVIDERS}/env/test`);
  assert.equal(missing.body.reason, 'key');
  assert.match(missing.body.message, /apiKey: the environment variable NOT_SET is not set/);
  assertNames(await admin.request('POST', `${PROVIDERS}/vendors/custom/test`, {}), 'vendor');
});
