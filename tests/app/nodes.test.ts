import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { keyIdOf } from '../../src/core/base/sealing/sealing.ts';
import { CHAT } from '../contracts/execution-chats.ts';
import { execution } from '../contracts/execution-store.ts';
import { EVENTS, type TestApp, temporaryDirectory, testApp } from '../support/app.ts';
import { accepted, ask, jobOf, storePath } from '../support/knowledge.ts';
import { hasNodes, newPlace, serverSettings, sharedClickhouse } from '../support/postgres-state.ts';
import { eventually } from '../support/process.ts';

test('nodes: one that starts beside another one does it no harm', { skip: !hasNodes }, async (t) => {
  const shared = await serverSettings(newPlace());
  const one = await testApp(t, { ...shared, dataDir: temporaryDirectory(t) });
  const { tenantId } = one;
  const chat = execution({ idFromCaller: false, status: 'running', chat: CHAT });
  await one.runtime.executionStore.recordChats([{ tenantId, execution: chat, isKnown: false }]);
  const at = Date.now();
  await one.runtime.budgetStore.reserve({ id: chat.id, tenantId, keyId: null, at, tokens: 5, nanos: 5 }, []);

  const other = await testApp(t, { ...shared, dataDir: temporaryDirectory(t) });
  assert.equal((await other.runtime.executionStore.find(tenantId, chat.id))?.execution.status, 'running');
  const { reserved } = await other.runtime.budgetStore.spending(tenantId, null, at, at + 1);
  assert.equal(reserved.tokens, 5);
  const keys = await Promise.all([one, other].map(({ runtime }) => runtime.sealingKeys.active()));
  assert.equal(keyIdOf(keys[0]!), keyIdOf(keys[1]!));
  const held = await Promise.all([one, other].map(({ runtime }) => runtime.maintenance.held('retention', 3_600_000)));
  assert.deepEqual(held.toSorted(), [false, true]);

  const { id } = await one.runtime.tenants.create({ name: 'other' });
  const key = await one.newKey({ tenant: 'other' });
  const feed = () => other.request('GET', `${EVENTS}/feed`, undefined, { 'x-api-key': key });
  assert.equal((await feed()).status, 200);
  await one.runtime.tenantStore.markErasing(id);
  assert.equal((await feed()).status, 401, 'at every node at once');
  await one.runtime.tenantStore.unmarkErasing(id);
  await other.runtime.tenants.find(id);
  assert.equal((await feed()).status, 200);
});

test('nodes: what a node leaves that ends is taken back by the next', { skip: !hasNodes }, async (t) => {
  const shared = await serverSettings(newPlace());
  const one = await testApp(t, { ...shared, dataDir: temporaryDirectory(t) });
  const { tenantId } = one;
  const chat = execution({ idFromCaller: false, status: 'running', chat: CHAT });
  await one.runtime.executionStore.recordChats([{ tenantId, execution: chat, isKnown: false }]);
  await one.runtime.runner.close();
  const other = await testApp(t, { ...shared, dataDir: temporaryDirectory(t) });
  const found = await other.runtime.executionStore.find(tenantId, chat.id);
  assert.deepEqual([found?.execution.status, found?.execution.chat?.error?.kind], ['failed', 'internal']);
});

test('nodes: one with another secret key than the others does not start', { skip: !hasNodes }, async (t) => {
  const shared = await serverSettings(newPlace());
  await testApp(t, { ...shared, dataDir: temporaryDirectory(t) });
  const other = { ...shared, secretKey: 'a secret key of another installation', dataDir: temporaryDirectory(t) };
  await assert.rejects(testApp(t, other), /protected by another AGENT_RUNTIME_SECRET_KEY than this one/);
});

const options = { skip: !hasNodes };

async function nodes(t: TestContext, count: number): Promise<TestApp[]> {
  const shared = await serverSettings(newPlace());
  const apps: TestApp[] = [];
  for (let node = 0; node < count; node += 1) {
    apps.push(await testApp(t, { ...shared, dataDir: temporaryDirectory(t) }));
  }
  return apps;
}

function orders(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    eventName: 'order.placed',
    agentId: 'support',
    id: `order-${index}`,
    properties: { total: index, city: index % 2 ? 'São Paulo' : 'Recife' },
  }));
}

const feed = (app: TestApp, key: string) =>
  app.request('GET', `${EVENTS}/feed?eventName=order.placed&limit=100`, undefined, { 'x-api-key': key });

test('shared nodes: what one accepts the other answers, with the key of one', options, async (t) => {
  const [one, other] = (await nodes(t, 2)) as [TestApp, TestApp];
  const sent = await Promise.all(
    [one, other].map((app) => app.request('POST', EVENTS, { events: orders(50) }, { 'x-api-key': one.key })),
  );
  assert.deepEqual(
    sent.map(({ status }) => status),
    [202, 202],
  );
  assert.equal(sent[0]!.body.accepted + sent[1]!.body.accepted, 50, 'each id once');
  for (const { body } of sent) assert.equal(await other.runtime.eventStore.waitFor(body.receipt, 10_000), true);
  const answers = await Promise.all([one, other].map((app) => feed(app, one.key)));
  assert.equal(answers[0]!.body.events.length, 50);
  assert.deepEqual(answers[0]!.body, answers[1]!.body);
});

test('shared nodes: a file sent to one is read by any and found at all', options, async (t) => {
  const [one, other] = (await nodes(t, 2)) as [TestApp, TestApp];
  const jobId = await accepted(one, { name: 'manual.txt', content: 'The pump stands in the northern hall.' });
  const there = { url: other.url, key: one.key };
  await eventually('the job is done', async () => (await jobOf(there, jobId)).status === 'completed' || null, 20_000);
  const { body } = await ask(there, 'POST', `${storePath('manuals')}/search`, { query: 'pump' });
  assert.equal(body.results[0].text, 'The pump stands in the northern hall.');
});

test('shared nodes: without ClickHouse events are accepted and questions are 503', options, async (t) => {
  const clickhouse = await sharedClickhouse();
  const [app] = (await nodes(t, 1)) as [TestApp];
  await app.ingest(orders(1));
  await clickhouse.stop();
  try {
    const sent = await app.request('POST', EVENTS, { events: orders(3) });
    assert.deepEqual([sent.status, sent.body.accepted, sent.body.duplicates], [202, 2, 1]);
    assert.equal((await feed(app, app.key)).status, 503);
    const ready = await app.request('GET', '/readyz');
    assert.deepEqual(ready.body, { status: 'ready', dependencies: { PostgreSQL: 'ok', ClickHouse: 'unavailable' } });
  } finally {
    await clickhouse.start();
  }
  await eventually('all are visible', async () => (await feed(app, app.key)).body.events?.length === 3 || null, 20_000);
  assert.equal((await app.request('GET', '/readyz')).body.dependencies.ClickHouse, 'ok');
});

test('shared nodes: /metrics says who moves events, and how the database is used', options, async (t) => {
  const apps = await nodes(t, 2);
  await apps[0]!.ingest(orders(1));
  const texts = await Promise.all(apps.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  const moving = /^agent_runtime_leases_held{task="moving events"} 1$/m;
  assert.equal(texts.filter((text) => moving.test(text)).length, 1, 'one node moves events');
  for (const text of texts) {
    assert.match(text, /^agent_runtime_backlog_age_seconds \d+(\.\d+)?$/m);
    assert.match(text, /^agent_runtime_database_connections{state="waiting"} \d+$/m);
    assert.doesNotMatch(text, /^agent_runtime_learned_columns /m);
  }
});

test('shared nodes: a node without one of the three URLs does not start', options, async (t) => {
  const { uploadsUrl: _, ...shared } = await serverSettings(newPlace());
  await assert.rejects(testApp(t, shared), /Also set AGENT_RUNTIME_UPLOADS_URL: nodes need /);
});
