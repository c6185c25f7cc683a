import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyIdOf } from '../../src/core/base/sealing/sealing.ts';
import { CHAT } from '../contracts/execution-chats.ts';
import { execution } from '../contracts/execution-store.ts';
import { EVENTS, temporaryDirectory, testApp } from '../support/app.ts';
import { hasNodes, newPlace, serverSettings } from '../support/postgres-state.ts';

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
