import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EventQuota } from '../../../../src/core/analytics/events/event-quota.ts';
import type { PlanResult } from '../../../../src/core/analytics/events/query-plan.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';
import { MemoryEventCounts } from '../../../../src/core/limits/quotas/event-counts.ts';

const CALLER = { tenantId: 'one', timezone: 'UTC' } as Caller;
const NO_PLAN = { matched: 0, firstAt: null, lastAt: null } as unknown as PlanResult;

/** A quota over a store that counts what it was given; counting takes as long as the test says. */
function quotaOf(limit: number, before = 0) {
  const stored = { count: before, counts: 0 };
  const clock = { now: 0 };
  const counting = { wait: Promise.resolve() };
  const quota = new EventQuota({
    settings: { ofTenant: async () => ({ tenant: { events: limit }, keys: new Map() }) },
    store: {
      settle: async () => undefined,
      query: async () => {
        stored.counts += 1;
        const seen = stored.count;
        await counting.wait;
        return { ...NO_PLAN, rows: [[seen]], total: 1 };
      },
    },
    notices: { note: () => undefined },
    counts: new MemoryEventCounts(() => clock.now),
  });
  return { quota, stored, clock, counting };
}

test('EventQuota: events are counted once, then added up', async () => {
  const { quota, stored } = quotaOf(1_000, 100);
  for (let batch = 0; batch < 9; batch++) {
    const admitted = await quota.admit(CALLER, 100);
    stored.count += 100;
    admitted.end(100);
  }
  assert.equal(stored.counts, 1);
  await assert.rejects(quota.admit(CALLER, 1), { code: 'rate_limited', retryAfter: undefined });
});

test('EventQuota: events are counted again before a refusal, at most once a second', async () => {
  const { quota, stored, clock } = quotaOf(100, 100);
  for (let tries = 0; tries < 10; tries++) await assert.rejects(quota.admit(CALLER, 1));
  assert.equal(stored.counts, 1);
  stored.count = 50;
  clock.now = 1_000;
  (await quota.admit(CALLER, 50)).end(0);
  assert.equal(stored.counts, 2);
});

test('EventQuota: events stored during a count are added to it', async () => {
  const { quota, stored, clock, counting } = quotaOf(100, 90);
  const slow = await quota.admit(CALLER, 10);
  clock.now = 1_000;
  const finished = Promise.withResolvers<void>();
  counting.wait = finished.promise;
  const refused = assert.rejects(quota.admit(CALLER, 1), { code: 'rate_limited' });
  // The count has been taken by now, without these.
  await Promise.resolve();
  stored.count += 10;
  slow.end(10);
  finished.resolve();
  await refused;
  clock.now = 2_000;
  await assert.rejects(quota.admit(CALLER, 1), { message: /100 of 100 events/ });
});

test('EventQuota: parallel, failed and duplicate batches never exceed the limit', async () => {
  const batch = fc.record({ size: fc.integer({ min: 1, max: 40 }), kept: fc.double({ min: 0, max: 1, noNaN: true }) });
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 30 }), fc.integer({ min: 0, max: 50 }), async (batches, before) => {
      const { quota, stored } = quotaOf(200, before);
      await Promise.all(
        batches.map(async ({ size, kept }) => {
          const admitted = await quota.admit(CALLER, size).catch(() => null);
          if (!admitted) return;
          await new Promise((resolve) => setImmediate(resolve));
          const added = Math.floor(size * kept);
          stored.count += added;
          admitted.end(added);
        }),
      );
      assert.ok(stored.count <= 200);
    }),
    { numRuns: 50 },
  );
});
