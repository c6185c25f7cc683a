import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { keyIdOf } from '../../src/core/base/sealing/sealing.ts';
import { findingsOfDatabases } from '../../src/doctor/databases.ts';
import { CHAT } from '../contracts/execution-chats.ts';
import { execution } from '../contracts/execution-store.ts';
import { EVENTS, temporaryDirectory, testApp } from '../support/app.ts';
import { hasNodes, hasPostgres, newPlace, serverSettings } from '../support/postgres-state.ts';
import { runProgram } from '../support/process.ts';

test('nodes: one that starts beside another one does it no harm', { skip: !hasNodes }, async (t) => {
  const shared = await serverSettings('nodes', newPlace());
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
  const shared = await serverSettings('nodes', newPlace());
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
  const shared = await serverSettings('nodes', newPlace());
  await testApp(t, { ...shared, dataDir: temporaryDirectory(t) });
  const other = { ...shared, secretKey: 'a secret key of another installation', dataDir: temporaryDirectory(t) };
  await assert.rejects(testApp(t, other), /protected by another AGENT_RUNTIME_SECRET_KEY than this one/);
});

test('PostgreSQL alone: a lost data directory is released for another one', { skip: !hasPostgres }, async (t) => {
  const shared = await serverSettings('postgres', newPlace());
  const ends: (() => unknown)[] = [];
  const scope = { after: (end: () => unknown) => ends.push(end) } as unknown as TestContext;
  const one = await testApp(scope, { ...shared, dataDir: temporaryDirectory(t) });
  assert.equal(await one.runtime.installation.release('files'), false, 'its server is alive');
  for (const end of ends.reverse()) await end();
  const dataDir = temporaryDirectory(t);
  await assert.rejects(
    testApp(t, { ...shared, dataDir }),
    /in another data directory.*agent-runtime release-directory/,
  );
  const settings = { ...loadConfig({ dataDir }), databaseUrl: shared.databaseUrl as string };
  const findings = await findingsOfDatabases(settings);
  const { message } = findings.find(({ check }) => check === 'Data directory of the database')!;
  assert.match(message, /agent-runtime release-directory/);
  const environment = {
    AGENT_RUNTIME_DATABASE_URL: shared.databaseUrl as string,
    AGENT_RUNTIME_SECRET_KEY: shared.secretKey as string,
  };
  const released = () => runProgram(t, ['release-directory', '--data-dir', dataDir], { environment });
  assert.equal((await released()).code, 0);
  assert.match((await released()).stderr, /no directory is recorded/);
  await testApp(t, { ...shared, dataDir });
});
