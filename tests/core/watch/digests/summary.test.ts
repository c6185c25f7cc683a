import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RenderedCard } from '../../../../src/core/analytics/dashboards/render.ts';
import type { DateGrouping } from '../../../../src/core/analytics/events/fields.ts';
import { bucketsBetween } from '../../../../src/core/base/time/time.ts';
import { digestSummaryOf } from '../../../../src/core/watch/digests/message.ts';

const AT = Date.parse('2026-03-30T09:30:00Z');

function shownBucket(unit: DateGrouping, from: string, to: string | null, timezone = 'UTC'): string {
  const range = { from: Date.parse(from), to: to === null ? AT : Date.parse(to), timezone };
  const series = bucketsBetween(unit, range, 1_000).map(({ label }) => ({ bucket: label, value: 1 }));
  const basis = { to, timezone };
  const card = { card: { id: 'c', title: 'Orders', cardType: 'line' }, data: { series }, basis };
  const { text } = digestSummaryOf(card as unknown as RenderedCard, { at: AT, before: undefined });
  return text.replace('1 in the bucket from ', '');
}

test('summaryOf: a series shows the last bucket that is over, however its range ends', () => {
  const rows: [unit: DateGrouping, from: string, to: string | null, shown: string][] = [
    ['day', '2026-03-01', null, '2026-03-29'],
    ['day', '2026-03-01', '2026-03-30T09:30:00Z', '2026-03-29'],
    ['day', '2026-03-01', '2026-03-31', '2026-03-29'],
    ['day', '2026-03-01', '2026-04-10', '2026-03-29'],
    ['day', '2026-03-01', '2026-03-30', '2026-03-29'],
    ['day', '2026-03-01', '2026-03-30T08:00:00Z', '2026-03-29'],
    ['hour', '2026-03-29', '2026-03-30T09:30:01Z', '2026-03-30 08:00'],
    ['week', '2026-01-05', '2026-03-30', '2026-03-23'],
    ['month', '2025-10-01', '2026-03-30', '2026-02-01'],
    ['month', '2025-10-01', '2026-03-01', '2026-02-01'],
    ['quarter', '2025-01-01', '2026-03-30', '2025-10-01'],
    ['day', '2026-03-30', null, 'no data'],
    ['day', '2026-03-29', '2026-03-30', '2026-03-29'],
  ];
  for (const [unit, from, to, shown] of rows) assert.equal(shownBucket(unit, from, to), shown, `${unit} to ${to}`);
  // The 29th has 23 hours, and the weeks around it differ by one.
  assert.equal(shownBucket('day', '2026-03-27T23:00:00Z', '2026-03-29T22:00:00Z', 'Europe/Berlin'), '2026-03-29');
  assert.equal(shownBucket('week', '2026-03-15T23:00:00Z', '2026-03-29T22:00:00Z', 'Europe/Berlin'), '2026-03-23');
});
