import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredConnector } from '../../../../src/core/agents/connectors/store.ts';
import { SqlConnectorStore } from '../../../../src/storage/state/sql/connectors.ts';
import { administratorOf, auditedConnectors, connector, HOSTS, openConnectors } from '../../../support/connectors.ts';
import { messagesOf } from '../../../support/providers.ts';

test('ConnectorService: outcomes of apply, and their audit lines', async (t) => {
  const { connectors, tenantId, state } = await openConnectors(t);
  const ana = administratorOf(tenantId);
  const apply = async (input: unknown, by = ana) =>
    (await connectors.apply(tenantId, input, by)).map(({ outcome }) => outcome);
  const result = { slug: 'pets', outcome: 'created', missingCredentials: [] };
  assert.deepEqual(await connectors.apply(tenantId, connector(), null), [result]);
  assert.deepEqual(await apply(connector()), ['unchanged']);
  assert.deepEqual(await apply([connector({ slug: 'other' }), connector()]), ['created', 'unchanged']);
  const odd = { schemas: { A: { const: -0 } } };
  for (const change of [{ name: 'P' }, { timeoutMs: 1 }, odd, { description: 'x' }]) {
    assert.deepEqual(await apply(connector(change)), ['changed'], JSON.stringify(change));
    assert.deepEqual(await apply(connector(change)), ['unchanged'], JSON.stringify(change));
  }
  await connectors.remove(tenantId, 'pets', ana);
  const line = (by: string, target: string, outcome: string) => ({
    ...{ by, action: 'connector.applied', target, details: { outcome } },
  });
  assert.deepEqual(await auditedConnectors(state, tenantId), [
    line('operator', 'pets', 'created'),
    line('ana@example.com', 'other', 'created'),
    ...Array.from({ length: 4 }, () => line('ana@example.com', 'pets', 'changed')),
    { by: 'ana@example.com', action: 'connector.removed', target: 'pets', details: {} },
  ]);
});

test('ConnectorService: preview reports outcomes and changes nothing', async (t) => {
  const { connectors, tenantId, state } = await openConnectors(t);
  await connectors.apply(tenantId, connector({ slug: 'other', name: 'pets' }), null);
  const preview = async (input: unknown) => (await connectors.preview(tenantId, input)).map(({ outcome }) => outcome);
  assert.deepEqual(await preview(connector()), ['created'], 'another that is named so is another');
  assert.deepEqual(await preview(connector({ slug: 'other', name: 'pets' })), ['unchanged']);
  assert.deepEqual(await preview(connector({ slug: 'other' })), ['changed']);
  await assert.rejects(preview(connector({ timeoutMs: -1 })), /timeoutMs/);
  assert.equal((await connectors.list(tenantId)).length, 1);
  assert.equal((await auditedConnectors(state, tenantId)).length, 1);
});

test('ConnectorService: apply installs all definitions of a file or none', async (t) => {
  const { connectors, tenantId, state } = await openConnectors(t);
  await connectors.apply(tenantId, connector({ timeoutMs: 1 }), null);
  const input = [connector({ timeoutMs: 2 }), connector({ slug: 'new' }), connector({ slug: 'bad', timeoutMs: -1 })];
  assert.deepEqual(await messagesOf(() => connectors.apply(tenantId, input, null)), [
    'connector "bad": timeoutMs: must be at least 1',
  ]);
  assert.deepEqual(
    (await connectors.list(tenantId)).map(({ slug, timeoutMs }) => [slug, timeoutMs]),
    [['pets', 1]],
  );
  assert.equal((await auditedConnectors(state, tenantId)).length, 1);
});

test('ConnectorService: env references and private networks are for operators only', async (t) => {
  const { connectors, tenantId } = await openConnectors(t);
  const baseUrl = 'https://pets.example.com';
  const input = [
    connector({
      headers: { 'x-a': { env: 'A' }, 'x-b': 'plain' },
      environments: {
        staging: { baseUrl, secret: { env: 'B' } },
        production: { baseUrl, headers: { 'x-c': { env: 'C' } } },
      },
    }),
    connector({ slug: 'inside', allowPrivateNetworks: ['10.0.0.0/8'] }),
    connector({ slug: 'fine', credentials: ['c'], headers: { 'x-a': { credential: 'c' } } }),
  ];
  const remedy =
    "is only for the operator; leave it out, or have it applied on the server's command line with `connectors apply`";
  const byPortal = () => connectors.apply(tenantId, input, administratorOf(tenantId));
  const messages = [
    `connector "pets": headers.x-a.env: ${remedy}`,
    `connector "pets": environments.staging.secret.env: ${remedy}`,
    `connector "pets": environments.production.headers.x-c.env: ${remedy}`,
    `connector "inside": allowPrivateNetworks: ${remedy}`,
  ];
  assert.deepEqual(await messagesOf(byPortal), messages);
  const withKey = { ...administratorOf(tenantId), role: null };
  assert.deepEqual(await messagesOf(() => connectors.apply(tenantId, input, withKey)), messages, 'nor with a key');
  assert.deepEqual(await connectors.list(tenantId), []);
  await connectors.apply(tenantId, input, null);
  assert.deepEqual(await messagesOf(byPortal), messages, 'nor when it is there already');
  assert.equal((await connectors.apply(tenantId, input[2], administratorOf(tenantId)))[0]?.outcome, 'unchanged');
});

test('ConnectorService: calls find by slug, then name; changes by slug only', async (t) => {
  const { connectors, tenantId } = await openConnectors(t);
  await connectors.apply(tenantId, [connector({ slug: 'a', name: 'b' }), connector({ slug: 'b', name: 'Bees' })], null);
  const slugOf = async (slugOrName: string) => (await connectors.configured({ tenantId }, slugOrName)).slug;
  assert.deepEqual([await slugOf('a'), await slugOf('b'), await slugOf('Bees')], ['a', 'b', 'b']);
  const refusal = {
    code: 'not_found',
    message: 'connector: there is no connector "Bees"; known: "a", "b"',
  };
  await assert.rejects(connectors.get(tenantId, 'Bees'), refusal);
  await assert.rejects(connectors.remove(tenantId, 'Bees', null), refusal);
});

test('ConnectorService: suggestions never name connectors of other tenants', async (t) => {
  const { connectors, tenantId, state } = await openConnectors(t);
  const other = await state.tenants.create({ name: 'other' });
  await connectors.apply(tenantId, [connector(), connector({ slug: 'crm', name: 'CRM' })], null);
  const messagesIn = (tenant: string) => messagesOf(() => connectors.configured({ tenantId: tenant }, 'pet'));
  assert.deepEqual(await messagesIn(tenantId), [
    'connector: there is no connector "pet"; nearest: "pets", "Pet store"',
  ]);
  assert.deepEqual(await messagesIn(other.id), [
    'connector: there is no connector "pet", nor any other; `connectors apply` installs them',
  ]);
});

test('ConnectorService: an unchanged connector is the same object', async (t) => {
  const { connectors, tenantId, pass, beside } = await openConnectors(t);
  const other = (await beside()).connectors;
  await connectors.apply(tenantId, connector(), null);
  const first = await connectors.configured({ tenantId }, 'pets');
  for (const step of [
    () => pass(400),
    () => pass(100_000),
    () => connectors.apply(tenantId, connector({ slug: 'other' }), null),
    () => connectors.apply(tenantId, connector(), null),
    () => other.apply(tenantId, connector({ slug: 'third' }), null).then(() => pass(500)),
    () => connectors.remove(tenantId, 'other', null),
  ]) {
    await step();
    assert.equal(await connectors.configured({ tenantId }, 'pets'), first, step.toString());
  }
  await connectors.apply(tenantId, connector({ timeoutMs: 7 }), null);
  const second = await connectors.configured({ tenantId }, 'pets');
  assert.deepEqual([second.definition.timeoutMs, second === first], [7, false]);
});

test('ConnectorService: changes of other processes show after half a second', async (t) => {
  const { connectors, tenantId, pass, beside } = await openConnectors(t);
  const other = (await beside()).connectors;
  const timeout = async () => (await connectors.configured({ tenantId }, 'pets')).definition.timeoutMs;
  const applyThere = (timeoutMs: number) => other.apply(tenantId, connector({ timeoutMs }), null);
  await assert.rejects(timeout(), { code: 'not_found' });
  await applyThere(1);
  assert.equal(await timeout(), 1, 'that there was none is not kept');
  await applyThere(2);
  pass(499);
  assert.equal(await timeout(), 1);
  pass(1);
  assert.equal(await timeout(), 2);
  await connectors.apply(tenantId, connector({ timeoutMs: 3 }), null);
  assert.equal(await timeout(), 3);
  pass(-3_600_000);
  await applyThere(4);
  assert.equal(await timeout(), 4, 'a clock that is set back keeps nothing alive');
  await other.remove(tenantId, 'pets', null);
  pass(500);
  await assert.rejects(timeout(), { code: 'not_found' });
  await applyThere(5);
  assert.equal(await timeout(), 5);
  await connectors.remove(tenantId, 'pets', null);
  await assert.rejects(timeout(), { code: 'not_found' });
});

test('ConnectorService: concurrent calls read the store once', async (t) => {
  const { connectors, tenantId } = await openConnectors(t);
  await connectors.apply(tenantId, connector(), null);
  const find = t.mock.method(SqlConnectorStore.prototype, 'find');
  const all = await Promise.all(Array.from({ length: 100 }, () => connectors.configured({ tenantId }, 'pets')));
  assert.deepEqual([new Set<StoredConnector>(all).size, find.mock.callCount()], [1, 1]);
});

test('ConnectorService: erasing a tenant removes its connectors and credentials only', async (t) => {
  const { connectors, credentials, tenantId, state } = await openConnectors(t);
  const { id } = await state.tenants.create({ name: 'other' });
  for (const tenant of [tenantId, id]) {
    await connectors.apply(tenant, [connector(), connector({ slug: 'b' })], null);
    await credentials.set(tenant, { name: 'main', secret: 's', hosts: HOSTS }, null);
  }
  const removed = await state.tenantStore.remove(id);
  assert.deepEqual([removed?.connectors, removed?.credentials], [2, 1]);
  assert.deepEqual([await connectors.list(id), await credentials.list(id)], [[], []]);
  assert.deepEqual([(await connectors.list(tenantId)).length, (await credentials.list(tenantId)).length], [2, 1]);
  await assert.rejects(connectors.apply(id, connector(), null), { code: 'not_found' });
  await assert.rejects(credentials.set(id, { name: 'main', secret: 's', hosts: HOSTS }, null), { code: 'not_found' });
});
