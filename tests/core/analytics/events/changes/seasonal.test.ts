import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  anomaliesFrom,
  bucketsBeforeAnomaly,
  lastAnomaly,
  type SeriesPoint,
} from '../../../../../src/core/analytics/events/changes/seasonal.ts';
import { bucketsBetween } from '../../../../../src/core/base/time/time.ts';

function series(
  unit: 'hour' | 'day',
  timezone: string,
  [from, to]: [string, string],
  shown: (bucket: string, index: number) => number | null,
): SeriesPoint[] {
  const range = { from: Date.parse(from), to: Date.parse(to), timezone };
  return bucketsBetween(unit, range, 5_000).map(({ label }, index) => ({
    bucket: label,
    value: shown(label, index),
  }));
}

test('lastAnomaly: office hours are usual before and after clocks change', () => {
  // In Berlin clocks go back on the 25th of October.
  const busy = (bucket: string, index: number) => {
    const hour = Number(bucket.slice(11, 13));
    const isWeekend = [0, 6].includes(new Date(`${bucket.slice(0, 10)}T00:00:00Z`).getUTCDay());
    return (hour >= 8 && hour < 17 && !isWeekend ? 1_000 : 20) + ((index * 37) % 11);
  };
  const points = series('hour', 'Europe/Berlin', ['2026-09-01T00:00:00Z', '2026-11-20T00:00:00Z'], busy);
  const start = points.findIndex(({ bucket }) => bucket.startsWith('2026-10-24'));
  const confused = anomaliesFrom(points, start, 'hour').filter(
    ({ value, expected }) => Math.abs(value - expected) > 100,
  );
  assert.deepEqual(confused, []);
  const at = points.findIndex(({ bucket }) => bucket.startsWith('2026-10-27T10'));
  const night = { ...points[at]!, value: 25 };
  const found = lastAnomaly([...points.slice(at - bucketsBeforeAnomaly('hour'), at), night], 'hour');
  assert.equal(found?.value, 25);
  assert.ok(found.expected >= 1_000);
});

test('lastAnomaly: a peak after zeros is one, a single event is not', () => {
  const days: [string, string] = ['2026-09-07T00:00:00Z', '2026-11-03T00:00:00Z'];
  const before = (shown: (index: number) => number) =>
    series('day', 'UTC', days, (_, index) => shown(index)).slice(0, -1);
  const last = (points: SeriesPoint[], value: number) => {
    const all = [...points, { bucket: '2026-11-02T00:00:00+00:00', value }];
    return lastAnomaly(all, 'day')?.value ?? null;
  };
  const [flat, sparse] = [before(() => 0), before((index) => (index % 10 === 0 ? 2 : 0))];
  assert.equal(last(flat, 500), 500);
  assert.equal(last(flat, 1), null);
  assert.equal(last(flat, 0), null);
  assert.equal(last(sparse, 500), 500);
  assert.equal(last(sparse, 2), null);
  const shares = before(() => 0.5);
  assert.equal(last(shares, 0.1), 0.1);
  assert.equal(last(shares, 0.5), null);
});

test('lastAnomaly: needs three of the same buckets, and skips those without a value', () => {
  const week = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      bucket: `${new Date(Date.UTC(2026, 0, 5 + 7 * index)).toISOString().slice(0, 10)}T00:00:00+00:00`,
      value: index === count - 1 ? 900 : 10 + (index % 2),
    }));
  assert.equal(lastAnomaly(week(3), 'week'), null);
  assert.equal(lastAnomaly(week(6), 'week')?.expected, 10);
  assert.equal(
    lastAnomaly(
      week(6).map((point, index) => (index < 3 ? { ...point, value: null } : point)),
      'week',
    ),
    null,
  );
  assert.equal(lastAnomaly([], 'week'), null);
});
