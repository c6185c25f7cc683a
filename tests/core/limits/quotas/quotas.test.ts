import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RuntimeEvent } from '../../../../src/core/base/audit/runtime-event.ts';
import { toDollars, toNanos } from '../../../../src/core/limits/quotas/kinds.ts';
import { QuotaNotices, type QuotaState } from '../../../../src/core/limits/quotas/notices.ts';
import { daysUntil, windowOf } from '../../../../src/core/limits/quotas/windows.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;

const iso = (unit: 'day' | 'month', at: string, timezone: string) => {
  const { start, end } = windowOf(unit, Date.parse(at), timezone);
  return [start, end].map((time) => new Date(time).toISOString().slice(0, 16));
};

test('windowOf: days and months begin at midnight of the time zone', () => {
  assert.deepEqual(iso('day', '2026-11-23T23:59:59.999Z', 'UTC'), ['2026-11-23T00:00', '2026-11-24T00:00']);
  assert.deepEqual(iso('day', '2026-11-23T02:00:00Z', 'America/Sao_Paulo'), ['2026-11-22T03:00', '2026-11-23T03:00']);
  assert.deepEqual(iso('month', '2026-12-31T18:15:00Z', 'Asia/Kathmandu'), ['2026-12-31T18:15', '2027-01-31T18:15']);
});

test('windowOf: a day has 23 or 25 hours when clocks change', () => {
  assert.deepEqual(iso('day', '2026-03-29T12:00:00Z', 'Europe/Berlin'), ['2026-03-28T23:00', '2026-03-29T22:00']);
  assert.deepEqual(iso('day', '2026-10-25T12:00:00Z', 'Europe/Berlin'), ['2026-10-24T22:00', '2026-10-25T23:00']);
  assert.deepEqual(iso('day', '2018-11-04T12:00:00Z', 'America/Sao_Paulo'), ['2018-11-04T03:00', '2018-11-05T02:00']);
  assert.deepEqual(iso('day', '2011-12-31T00:00:00Z', 'Pacific/Apia'), ['2011-12-30T10:00', '2011-12-31T10:00']);
});

test('windowOf: windows cover all time without gaps in every zone', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const instants = fc.date({ min: new Date('2015-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  const units = fc.constantFrom('day' as const, 'month' as const);
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, units, (zone, date, unit) => {
      const at = date.getTime();
      const window = windowOf(unit, at, zone);
      assert.ok(window.start <= at && at < window.end);
      assert.deepEqual(windowOf(unit, window.start, zone), window);
      assert.deepEqual(windowOf(unit, window.end - 1, zone), window);
      assert.equal(windowOf(unit, window.end, zone).start, window.end);
      assert.equal(window.start % QUARTER_MS, 0);
      const hours = (window.end - window.start) / HOUR_MS;
      assert.ok(unit === 'day' ? hours >= 20 && hours <= 28 : hours >= 27 * 24 && hours <= 32 * 24, `${hours}`);
    }),
    { numRuns: 2_000 },
  );
});

test('daysUntil: the last days without gaps; a date that a zone left out is none', () => {
  const apia = daysUntil(Date.parse('2011-12-31T12:00:00Z'), 'Pacific/Apia', 4);
  assert.deepEqual(
    apia.map(({ date }) => date),
    ['2011-12-28', '2011-12-29', '2011-12-31', '2012-01-01'],
  );
  const berlin = daysUntil(Date.parse('2026-10-26T00:00:00Z'), 'Europe/Berlin', 90);
  assert.equal(berlin.length, 90);
  for (const [index, { end }] of berlin.slice(0, -1).entries()) assert.equal(berlin[index + 1]!.start, end);
  assert.deepEqual([berlin[0]!.date, berlin.at(-1)!.date], ['2026-07-29', '2026-10-26']);
});

test('toNanos: decimal dollars are exact, and fractions are rounded up', () => {
  assert.deepEqual([0, 0.1, 0.3, 1.005, 0.000000001, 0.0000000011].map(toNanos), [
    ...[0, 100_000_000, 300_000_000, 1_005_000_000, 1, 2],
  ]);
});

test('toDollars: every whole number of nano-dollars survives a round trip', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (nanos) => {
      assert.equal(toNanos(toDollars(nanos)), nanos);
    }),
  );
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (dollars) => {
      assert.ok(toDollars(toNanos(dollars)) >= dollars - 1e-12);
    }),
  );
});

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
