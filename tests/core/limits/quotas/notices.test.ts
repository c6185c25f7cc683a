import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredEvent } from '../../../../src/core/analytics/events/store.ts';
import { QuotaNotices, type QuotaState } from '../../../../src/core/limits/quotas/notices.ts';

const STATE: QuotaState = {
  ...{ tenantId: 'one', timezone: 'UTC', keyId: null },
  ...{ quota: 'cost-per-day', limit: 10, used: 0 },
};

function noticesOf() {
  const events: StoredEvent[] = [];
  const errors: unknown[] = [];
  const clock = { now: Date.parse('2026-11-23T12:00:00Z') };
  const disk = { isFull: false };
  const notices = new QuotaNotices({
    events: {
      append: async (_, appended) => {
        if (disk.isFull) throw new Error('full');
        events.push(...appended);
        return { duplicates: 0, receipt: '' };
      },
    },
    tenants: { isBlocked: () => false },
    effects: { now: () => clock.now, newId: () => 'id' },
    onError: (error) => errors.push(error),
  });
  const note = async (members: Partial<QuotaState>) => {
    const before = events.length;
    notices.note({ ...STATE, ...members });
    await notices.settled();
    return events.slice(before).map(({ eventName }) => eventName.replace('runtime.quota_', ''));
  };
  return { note, events, errors, clock, disk };
}

test('QuotaNotices: one warning at 80 % and one event at 100 % per window', async () => {
  const { note, events, clock } = noticesOf();
  assert.deepEqual(await note({ used: 7.99 }), []);
  assert.deepEqual(await note({ used: 8 }), ['warning']);
  assert.deepEqual(await note({ used: 9 }), []);
  assert.deepEqual(await note({ used: 10 }), ['reached']);
  assert.deepEqual(await note({ used: 11 }), []);
  const { agentId, properties } = events[1]!;
  assert.deepEqual(JSON.parse(properties), {
    ...{ quota: 'cost-per-day', unit: 'USD', limit: 10, used: 10, window: 'day' },
    ...{ windowStart: '2026-11-23T00:00:00.000Z', windowEnd: '2026-11-24T00:00:00.000Z' },
  });
  assert.equal(agentId, 'default');
  clock.now += 86_400_000;
  assert.deepEqual(await note({ used: 10 }), ['warning', 'reached']);
  assert.deepEqual(await note({ used: 10, keyId: 'key' }), ['warning', 'reached'], 'of a key');
  assert.equal(JSON.parse(events.at(-1)!.properties).keyId, 'key');
});

test('QuotaNotices: a refusal from 80 % on counts as reaching the quota', async () => {
  const { note } = noticesOf();
  assert.deepEqual(await note({ used: 1, refusedAt: 7 }), []);
  assert.deepEqual(await note({ used: 1, refusedAt: 8 }), ['warning', 'reached']);
});

test('QuotaNotices: a failed event is recorded next time under the same id', async () => {
  const { note, events, errors, disk } = noticesOf();
  disk.isFull = true;
  assert.deepEqual(await note({ used: 8 }), []);
  assert.equal(errors.length, 1);
  disk.isFull = false;
  assert.deepEqual(await note({ used: 8 }), ['warning']);
  assert.deepEqual(
    events.map(({ id, idFromCaller }) => [id, idFromCaller]),
    [['runtime.quota_warning:one:cost-per-day:10:2026-11-23T00:00:00.000Z', true]],
  );
});
