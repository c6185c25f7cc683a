import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CredentialStore, StoredCredential } from '../../src/core/agents/connectors/store.ts';
import { openStores, type StateBackend } from './backend.ts';
import { testNamedStore } from './named-store.ts';

let counter = 0;

export function storedCredential(members: Partial<StoredCredential> = {}): StoredCredential {
  counter += 1;
  return {
    name: `credential-${String(counter).padStart(6, '0')}`,
    username: null,
    sealed: `v1.AAAAAAAA.${counter}`,
    hosts: [],
    createdBy: null,
    createdAt: counter,
    updatedAt: counter,
    lastUsedAt: null,
    ...members,
  };
}

export function testCredentialStore(backend: StateBackend<{ store: CredentialStore }>): void {
  const { name } = backend;
  testNamedStore(backend, {
    port: 'CredentialStore',
    async put(store, tenantId, items) {
      let result = 'put';
      for (const one of items) result = await store.put(tenantId, one);
      return result;
    },
    create: (name) => storedCredential(name === undefined ? {} : { name }),
    nameOf: ({ name }) => name,
    full: storedCredential({
      username: `José "q" \\ '; DROP TABLE credentials;-- 😀`,
      hosts: ['api.example.com', '[::1]'],
      createdBy: 'ana',
    }),
    ordered: ['B', 'a', 'a.1', 'b', 'c'],
  });

  test(`CredentialStore (${name}): putting the same name replaces, but keeps the creation`, async (t) => {
    const { store } = await openStores(backend, t);
    const made = { createdBy: 'ana', createdAt: 10 };
    const old = storedCredential({ name: 'same', username: 'old', hosts: ['a'], ...made });
    const other = storedCredential({ name: 'other' });
    const changed = storedCredential({ name: 'same', createdBy: 'bob', createdAt: 20, updatedAt: 20 });
    for (const one of [old, other, changed]) await store.put('one', one);
    assert.deepEqual(await store.find('one', 'same'), { ...changed, ...made });
    assert.deepEqual(await store.list('one'), [other, { ...changed, ...made }]);
  });

  test(`CredentialStore (${name}): of those that create the same name at once, one does`, async (t) => {
    const { store } = await openStores(backend, t);
    const made = ['ana', 'bob', 'eve'].map((createdBy) => storedCredential({ name: 'same', createdBy }));
    const results = await Promise.all(made.map((one) => store.create('one', one)));
    assert.deepEqual(results.toSorted(), ['duplicate', 'duplicate', 'put']);
    assert.deepEqual(await store.list('one'), [made[results.indexOf('put')]]);
    assert.equal(await store.create('two', made[0]!), 'put');
    assert.equal(await store.create('nobody', made[0]!), 'unknown tenant');
  });

  test(`CredentialStore (${name}): a use is recorded, and outlives another secret`, async (t) => {
    const { store } = await openStores(backend, t);
    const mine = storedCredential({ name: 'same' });
    for (const tenantId of ['one', 'two']) await store.put(tenantId, mine);
    await store.touch('one', 'same', 50);
    await store.touch('one', 'nothing', 60);
    await store.put('one', { ...mine, sealed: 'v1.AAAAAAAA.other' });
    const used = async (tenantId: string) => (await store.find(tenantId, 'same'))?.lastUsedAt;
    assert.deepEqual([await used('one'), await used('two')], [50, null]);
  });
}
