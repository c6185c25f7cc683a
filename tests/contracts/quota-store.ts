import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuotaStore } from '../../src/core/limits/quotas/store.ts';
import type { StoreBackend } from './backend.ts';

export function testQuotaStore({ name, open }: StoreBackend<QuotaStore>): void {
  test(`QuotaStore (${name}): quotas are replaced as a whole; empty ones are removed`, async (t) => {
    const store = await open(t);
    await store.put('one', null, { events: 5, 'cost-per-day': 1.5 }, 1);
    await store.put('one', 'key', { 'tokens-per-day': 7 }, 1);
    assert.deepEqual(await store.limits('one'), {
      tenant: { events: 5, 'cost-per-day': 1.5 },
      keys: new Map([['key', { 'tokens-per-day': 7 }]]),
    });
    await store.put('one', null, { documents: 9 }, 2);
    await store.put('one', 'key', {}, 2);
    assert.deepEqual(await store.limits('one'), { tenant: { documents: 9 }, keys: new Map() });
    assert.deepEqual(await store.limits('two'), { tenant: {}, keys: new Map() });
  });
}
