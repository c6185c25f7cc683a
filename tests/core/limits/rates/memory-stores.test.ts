import assert from 'node:assert/strict';
import { MemoryEventCounts } from '../../../../src/core/limits/quotas/event-counts.ts';
import { RecentFailures } from '../../../../src/core/limits/rates/failures.ts';
import { MemoryPendingStore } from '../../../../src/core/limits/rates/pending.ts';
import { testEventCounts } from '../../../contracts/event-counts.ts';
import { testFailures } from '../../../contracts/failures.ts';
import { testPendingStore } from '../../../contracts/pending-store.ts';
import { rareTest } from '../../../support/rare.ts';

testPendingStore({
  name: 'memory',
  open: async () => {
    const clock = { now: 0 };
    const store = new MemoryPendingStore(() => clock.now);
    const pass = async (ms: number) => {
      clock.now += ms;
    };
    return { stores: [store], pass };
  },
});

rareTest('MemoryPendingStore: holds ten thousand entries, whoever makes them', async () => {
  const store = new MemoryPendingStore(() => 0);
  const put = (index: number) =>
    store.put('login', `${index}`, { owner: `owner ${index}`, value: index, lifetimeMs: 100 }, 1);
  for (let index = 0; index <= 10_000; index++) await put(index);
  const kept = await Promise.all(['0', '1', '10000'].map((key) => store.get('login', key)));
  assert.deepEqual(kept, [null, 1, 10_000]);
});

testFailures({
  name: 'memory',
  open: async () => {
    const clock = { now: 0 };
    const failures = new RecentFailures(() => clock.now++);
    return [failures, failures];
  },
});

testEventCounts({
  name: 'memory',
  open: async () => {
    const counts = new MemoryEventCounts(() => 0);
    return [counts, counts];
  },
});
