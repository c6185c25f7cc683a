import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuntimeEvent } from '../../../../src/core/base/audit/runtime-event.ts';
import { QuotaNotices, type QuotaState } from '../../../../src/core/limits/quotas/notices.ts';

const STATE: QuotaState = {
  ...{ tenantId: 'one', timezone: 'UTC', keyId: null },
  ...{ quota: 'cost-per-day', limit: 10, used: 0 },
};

function noticesOf() {
  const events: RuntimeEvent[] = [];
  const clock = { now: Date.parse('2026-11-23T12:00:00Z') };
  const outbox = { isFull: false };
  const notices = new QuotaNotices({
    record: (_, event) => {
      if (!outbox.isFull) events.push(event);
      return !outbox.isFull;
    },
    effects: { now: () => clock.now },
  });
  const note = (members: Partial<QuotaState>) => {
    const before = events.length;
    notices.note({ ...STATE, ...members });
    return events.slice(before).map(({ eventName }) => eventName.replace('runtime.quota_', ''));
  };
  return { note, events, clock, outbox };
}

test('QuotaNotices: one warning at 80 % and one event at 100 % per window', () => {
  const { note, events, clock } = noticesOf();
  assert.deepEqual(note({ used: 7.99 }), []);
  assert.deepEqual(note({ used: 8 }), ['warning']);
  assert.deepEqual(note({ used: 9 }), []);
  assert.deepEqual(note({ used: 10 }), ['reached']);
  assert.deepEqual(note({ used: 11 }), []);
  assert.deepEqual(events[1]!.properties, {
    ...{ quota: 'cost-per-day', unit: 'USD', limit: 10, used: 10, window: 'day' },
    ...{ windowStart: '2026-11-23T00:00:00.000Z', windowEnd: '2026-11-24T00:00:00.000Z' },
  });
  clock.now += 86_400_000;
  assert.deepEqual(note({ used: 10 }), ['warning', 'reached']);
  assert.deepEqual(note({ used: 10, keyId: 'key' }), ['warning', 'reached'], 'of a key');
  assert.equal((events.at(-1)!.properties as { keyId: string }).keyId, 'key');
});

test('QuotaNotices: a refusal from 80 % on counts as reaching the quota', () => {
  const { note } = noticesOf();
  assert.deepEqual(note({ used: 1, refusedAt: 7 }), []);
  assert.deepEqual(note({ used: 1, refusedAt: 8 }), ['warning', 'reached']);
});

test('QuotaNotices: an event that found no room is recorded next time under its id', () => {
  const { note, events, outbox } = noticesOf();
  outbox.isFull = true;
  assert.deepEqual(note({ used: 8 }), []);
  outbox.isFull = false;
  assert.deepEqual(note({ used: 8 }), ['warning']);
  assert.deepEqual(
    events.map(({ id }) => id),
    ['runtime.quota_warning:one:cost-per-day:10:2026-11-23T00:00:00.000Z'],
  );
});
