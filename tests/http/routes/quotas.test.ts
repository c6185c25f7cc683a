import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseKey } from '../../../src/core/access/auth/secrets.ts';
import type { QuotaChanges } from '../../../src/core/limits/quotas/schema.ts';
import { EVENTS, type TestApp, type TestResponse, testApp } from '../../support/app.ts';
import { ended, send, storePath } from '../../support/knowledge.ts';
import { newPerson, PORTAL } from '../../support/people.ts';
import { eventually } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';

const USAGE = '/api/v1/runtime/v1/usage';

async function limitedApp(t: TestContext, limits: QuotaChanges): Promise<TestApp> {
  const app = await testApp(t, { rateLimit: 0 });
  await app.runtime.quotas.changeTenant({ id: app.tenantId }, limits);
  return app;
}

const batchOf = (count: number, members: object = {}) =>
  Array.from({ length: count }, () => ({ eventName: 'bought', ...members }));

async function usageOf({ request }: TestApp, name: string) {
  const { body } = await request('GET', USAGE);
  return body.tenant.quotas.find(({ quota }: { quota: string }) => quota === name);
}

function assertRefused(answer: Pick<TestResponse, 'status' | 'body'>, quota: string): void {
  assert.equal(answer.status, 429, JSON.stringify(answer.body));
  assert.ok(answer.body.message.startsWith(`The quota ${quota} of the tenant`), answer.body.message);
}

test('event quota: an exceeding batch is refused whole, erasure frees quota', async (t) => {
  const app = await limitedApp(t, { events: 100 });
  const send = (events: object[], query = '') => app.request('POST', `${EVENTS}${query}`, { events });
  assert.equal((await send(batchOf(60))).status, 202);
  assert.equal((await send(batchOf(30, { threadId: 't-1' }))).status, 202);
  for (const query of ['', '?partial=true']) {
    const refused = await send(batchOf(11), query);
    assertRefused(refused, 'events');
    assert.match(refused.body.message, /90 of 100 events .* may take 11/);
    assert.equal(refused.headers.get('retry-after'), null, 'time does not help');
  }
  assert.deepEqual(await usageOf(app, 'events'), {
    ...{ quota: 'events', unit: 'events', limit: 100, used: 90, reserved: 0, remaining: 10 },
    ...{ windowStart: null, windowEnd: null },
  });
  assert.equal((await send(batchOf(10))).status, 202);
  assertRefused(await send(batchOf(1)), 'events');
  const named = { tenant: 'default', threadId: 't-1' };
  await app.runtime.erasure.erase(named);
  await eventually('events are counted again', async () => (await send(batchOf(30))).status === 202, 5_000);
  await app.runtime.eventStore.settle();
  for (const eventName of ['runtime.quota_warning', 'runtime.quota_reached']) {
    const { body } = await app.request('POST', `${EVENTS}/query`, { eventName, agentId: 'default' });
    assert.deepEqual([body.total, body.rows[0].quota, body.rows[0].limit], [1, 'events', 100], eventName);
  }
});

test('document quota: an exceeding file is refused, a deletion frees quota', async (t) => {
  const app = await limitedApp(t, { documents: 1_000 });
  const file = (name: string, size: number) => ({ name: `${name}.txt`, content: name.repeat(size).slice(0, size) });
  const first = await send(app, file('first ', 700));
  assert.equal(first.status, 202);
  assertRefused(await send(app, file('second ', 301)), 'documents');
  assert.equal((await usageOf(app, 'documents')).used, 700);
  const { documentId } = await ended(app, first.body.jobId);
  assert.equal((await send(app, file('third ', 300))).status, 202);
  assertRefused(await send(app, file('fourth ', 1)), 'documents');
  await app.request('DELETE', `${storePath('manuals')}/documents/${documentId}`);
  assert.equal((await usageOf(app, 'documents')).used, 300);
  assert.equal((await send(app, file('fifth ', 700))).status, 202);
});

test('request quota: REST and MCP share it, with Retry-After', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  assert.equal((await app.request('GET', USAGE)).status, 200);
  await app.runtime.quotas.changeTenant({ id: app.tenantId }, { 'requests-per-minute': 3 });
  const another = await app.newKey();
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const overMcp = () => app.request('POST', '/mcp', list, { accept: 'application/json, text/event-stream' });
  const statuses = [await overMcp(), await app.request('GET', USAGE), await overMcp()].map(({ status }) => status);
  assert.deepEqual(statuses, [200, 200, 200]);
  for (const refused of [await overMcp(), await app.request('GET', USAGE, undefined, { 'x-api-key': another })]) {
    assertRefused(refused, 'requests-per-minute');
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  }
});

rareTest('POST /portal/keys: a burst per user, 100 per user and 1,000 per tenant', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const viewer = await newPerson(app, { role: 'VIEWER' });
  const make = (person: typeof viewer) =>
    person.request('POST', `${PORTAL}/keys`, { label: 'x', scopes: ['events:read'] });
  const statuses: number[] = [];
  for (let count = 0; count < 60; count++) statuses.push((await make(viewer)).status);
  const made = statuses.filter((status) => status === 201).length;
  assert.ok(made >= 30 && made < 40, `${made} of 60`);
  const refused = await make(viewer);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);

  const busy = await newPerson(app, { role: 'USER' });
  const { timezone: _, ...key } = (await app.runtime.keyStore.find(parseKey(app.key)!.id))!;
  const store = (createdBy: string | null, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        app.runtime.keyStore.create({ ...key, id: `${createdBy ?? 'operator'}-${index}`, createdBy }),
      ),
    );
  await store(busy.user.id, 99);
  assert.equal((await make(busy)).status, 201);
  const many = await make(busy);
  assert.equal(many.status, 409);
  assert.match(many.body.message, /You have 100 active API keys.*Revoke/);
  const admin = await newPerson(app, { role: 'ADMIN' });
  assert.equal((await make(admin)).status, 201);
  await store(null, 1_000);
  assert.match((await make(admin)).body.message, /The tenant has 1000 active API keys/);
  await app.newKey();
});

test('rate limit: invalid keys get 429, valid ones from the address pass', async (t) => {
  const app = await testApp(t);
  const wrong = `ar_${'a'.repeat(12)}_${'b'.repeat(43)}`;
  const statuses = new Map<number, number>();
  let last: TestResponse | undefined;
  for (let count = 0; count < 300; count++) {
    last = await app.request('GET', USAGE, undefined, { 'x-api-key': wrong });
    statuses.set(last.status, (statuses.get(last.status) ?? 0) + 1);
    if (count % 50 === 0) assert.equal((await app.request('GET', USAGE)).status, 200);
  }
  assert.deepEqual([...statuses.keys()].sort(), [401, 429]);
  assert.ok(statuses.get(401)! >= 100 && statuses.get(401)! < 150, `${statuses.get(401)} of 300`);
  assert.ok(Number(last!.headers.get('retry-after')) >= 1);
  assert.equal((await app.request('GET', USAGE)).status, 200);
});
