import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS, temporaryDirectory, testApp } from '../support/app.ts';
import { newPerson, PORTAL } from '../support/people.ts';
import { hasNodes, newPlace, serverSettings } from '../support/postgres-state.ts';

test('nodes: an operator sees both of them, sizes of databases, and no backup', { skip: !hasNodes }, async (t) => {
  const shared = await serverSettings(newPlace());
  const one = await testApp(t, { ...shared, rateLimit: 0, dataDir: temporaryDirectory(t) });
  const other = await testApp(t, { ...shared, rateLimit: 0, dataDir: temporaryDirectory(t) });
  await one.request('POST', EVENTS, { events: [{ eventName: 'order' }] });
  await one.runtime.eventStore.settle();
  const operator = await newPerson(one, { role: 'SUPER_ADMIN' });

  const system = (await operator.request('GET', `${PORTAL}/system`)).body;
  assert.equal(system.data.kind, 'nodes');
  const versions = new Map(system.versions.map((of: { name: string; version: string }) => [of.name, of.version]));
  for (const name of ['PostgreSQL', 'ClickHouse']) assert.match(String(versions.get(name)), /^\d+\./, name);
  const nodes = system.nodes as { id: string; isThis: boolean }[];
  assert.deepEqual(
    nodes.map(({ id }) => id).toSorted(),
    [one, other].map(({ runtime }) => runtime.runner.id).toSorted(),
  );
  assert.equal(nodes.find(({ isThis }) => isThis)?.id, one.runtime.runner.id);

  const storage = (await operator.request('GET', `${PORTAL}/storage`)).body;
  const sizes = Object.fromEntries(storage.stores.map((of: { store: string }) => [of.store, of]));
  assert.deepEqual([storage.kind, storage.place, storage.disk], ['nodes', null, null]);
  assert.equal(sizes.events.count, 1);
  assert.ok(sizes.state.bytes > 0);
  assert.deepEqual([sizes.vectors.bytes, sizes.uploads.bytes], [null, null]);
  for (const store of ['vectors', 'uploads', 'logs']) assert.ok(sizes[store].note.length > 10, store);

  const backup = await operator.request('POST', `${PORTAL}/backup`, { passphrase: 'a passphrase' });
  assert.equal(backup.status, 409);
  assert.match(backup.body.message, /docs\/scale\.md/);
  assert.match((await operator.request('GET', `${PORTAL}/backup`)).body.refusal, /their own tools/);
});
