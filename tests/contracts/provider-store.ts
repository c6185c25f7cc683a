import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderStore, StoredModelProvider } from '../../src/core/agents/providers/store.ts';
import { openStores, type StateBackend } from './backend.ts';
import { testNamedStore, testPutOfSeveral } from './named-store.ts';

let counter = 0;

function provider(members: Partial<StoredModelProvider> = {}): StoredModelProvider {
  counter += 1;
  const name = members.name ?? `provider-${String(counter).padStart(6, '0')}`;
  return {
    name,
    definition: {
      version: 1,
      name,
      provider: 'custom',
      baseUrl: `http://localhost:${counter}/v1`,
      defaults: {},
      capabilities: {},
      fallbacks: [],
      allowPrivateNetwork: true,
      allowPrivateImages: false,
      strict: false,
    },
    createdAt: counter,
    updatedAt: counter,
    ...members,
  };
}

export function testProviderStore(backend: StateBackend<{ store: ProviderStore }>): void {
  const { name } = backend;
  testNamedStore(backend, {
    port: 'ProviderStore',
    put: (store, tenantId, items) => store.put(tenantId, items),
    create: (name) => provider(name === undefined ? {} : { name }),
    nameOf: ({ name }) => name,
    full: provider({
      definition: {
        ...provider().definition,
        provider: 'bedrock',
        apiKey: { sealed: 'v1.AAAAAAAA."q"\\\'; --' },
        headers: { 'x-a': { sealed: 'v1.b' }, 'X-B': { env: 'B' } },
        region: 'eu-central-1',
        defaults: { temperature: 0.25, stop: ['\u2028', '😀'], instructions: "Robert'); DROP TABLE providers;--" },
        capabilities: { stop: 0, maxOutputTokens: null, serverTools: [] },
        fallbacks: [{ provider: 'openai', model: 'm' }],
        timeout: 0.01,
      },
    }),
    ordered: ['B', 'a', 'a.1', 'b', 'c'],
  });
  testPutOfSeveral(backend, 'ProviderStore', () => provider());

  test(`ProviderStore (${name}): putting the same name replaces, but keeps the creation`, async (t) => {
    const { store } = await openStores(backend, t);
    const old = provider({ name: 'same', createdAt: 10, updatedAt: 10 });
    const other = provider({ name: 'other' });
    const changed = provider({ name: 'same', createdAt: 20, updatedAt: 20 });
    await store.put('one', [old, other]);
    await store.put('one', [changed]);
    assert.deepEqual(await store.find('one', 'same'), { ...changed, createdAt: 10 });
    assert.deepEqual(await store.find('one', 'other'), other, 'the others stay');
    assert.equal((await store.list('one')).length, 2);
  });

  test(`ProviderStore (${name}): replace stores only over the definition that was seen`, async (t) => {
    const { store } = await openStores(backend, t);
    const first = provider({ name: 'same', createdAt: 10, updatedAt: 10 });
    assert.equal(await store.replace('one', first, null), 'put');
    assert.equal(await store.replace('one', provider({ name: 'same' }), null), 'stale', 'there is one already');
    const second = provider({ name: 'same', createdAt: 10, updatedAt: 20 });
    assert.equal(await store.replace('two', second, first), 'stale', 'that of another tenant');
    const both = await Promise.all([1, 2].map(() => store.replace('one', second, first)));
    assert.deepEqual(both.toSorted(), ['put', 'stale']);
    assert.deepEqual(await store.find('one', 'same'), second);
    assert.equal(await store.replace('one', provider({ name: 'gone' }), second), 'stale', 'removed in the meantime');
    assert.equal(await store.replace('nobody', first, null), 'unknown tenant');
    assert.deepEqual(await store.list('two'), []);
  });

  test(`ProviderStore (${name}): times of changes always increase`, async (t) => {
    const { store } = await openStores(backend, t);
    await store.put('one', [provider({ name: 'same', updatedAt: 50 })]);
    await store.put('one', [provider({ name: 'same', updatedAt: 5 })]);
    assert.equal((await store.find('one', 'same'))?.updatedAt, 51);
  });
}
