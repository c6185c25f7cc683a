import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../src/core/base/shared/caller.ts';
import { newStoreSchema } from '../../../src/core/knowledge/schema.ts';
import { type VectorStoreParts, VectorStoreService } from '../../../src/core/knowledge/vector-stores.ts';

const CALLER = { tenantId: 'one', agentId: null, scopes: ['*'], timezone: 'UTC' } as unknown as Caller;

test('VectorStoreService: a tenant makes at most 1,000 stores', async () => {
  const made: string[] = [];
  const storeOf = (name: string) => ({
    name,
    embedder: 'none',
    dimensions: null,
    documents: 0,
    chunks: 0,
    createdAt: 0,
  });
  const parts = {
    store: {
      listStores: async () => Array.from({ length: 999 + made.length }, (_, index) => storeOf(`store-${index}`)),
      createStore: async (_tenantId: string, { name }: { name: string }) => made.push(name) > 0,
      findStore: async (_tenantId: string, name: string) => storeOf(name),
      storeSizes: async () => ({}),
    },
    embedders: { configured: 'none', of: () => null },
    effects: { now: () => 0 },
    audit: { record: async () => undefined },
  } as unknown as VectorStoreParts;
  const service = new VectorStoreService(parts);
  assert.equal((await service.create(CALLER, 'last')).name, 'last');
  await assert.rejects(service.create(CALLER, 'more'), /at most 1,000 vector stores/);
  assert.deepEqual(made, ['last']);
});

test('new vector store: a name that no path can hold is refused', () => {
  for (const name of ['.', '..']) assert.equal(newStoreSchema.safeParse({ name }).success, false, name);
  for (const name of ['...', '.a', 'a.']) assert.equal(newStoreSchema.safeParse({ name }).success, true, name);
});
