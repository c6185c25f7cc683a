import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Temporal } from 'temporal-polyfill';
import {
  bucketsBetween,
  checkTimezone,
  formatUtc,
  startOfBucket,
  zoneOffsets,
} from '../../../../src/core/base/time/time.ts';
import { bucketOf } from '../../../reference/calendar.ts';
import { CLOCK_CHANGES, HOUR } from '../../../reference/datasets.ts';

const LOS_ANGELES = 'America/Los_Angeles';

test('checkTimezone: knows IANA names, and refuses offsets and other names', () => {
  assert.throws(() => checkTimezone('Mars/Olympus'), /timezone: .*IANA/);
  assert.equal(checkTimezone('europe/lisbon'), 'Europe/Lisbon');
  assert.throws(() => checkTimezone('+02:00'), /timezone: .*IANA/);
});

test('bucketsBetween: days start at local midnight across DST, without gaps', () => {
  const buckets = bucketsBetween(
    'day',
    { from: Date.parse('2024-03-09T08:00:00Z'), to: Date.parse('2024-03-12T07:00:00Z'), timezone: LOS_ANGELES },
    100,
  );
  assert.deepEqual(
    buckets.map((bucket) => bucket.label),
    ['2024-03-09T00:00:00-08:00', '2024-03-10T00:00:00-08:00', '2024-03-11T00:00:00-07:00'],
  );
});

test('bucketsBetween: a repeated hour is two buckets, a skipped hour is none', () => {
  const labels = (from: string, to: string) =>
    bucketsBetween('hour', { from: Date.parse(from), to: Date.parse(to), timezone: LOS_ANGELES }, 100).map(
      (bucket) => bucket.label,
    );
  assert.deepEqual(labels('2024-11-03T07:00:00Z', '2024-11-03T11:00:00Z'), [
    '2024-11-03T00:00:00-07:00',
    '2024-11-03T01:00:00-07:00',
    '2024-11-03T01:00:00-08:00',
    '2024-11-03T02:00:00-08:00',
  ]);
  assert.deepEqual(labels('2024-03-10T09:00:00Z', '2024-03-10T11:00:00Z'), [
    '2024-03-10T01:00:00-08:00',
    '2024-03-10T03:00:00-07:00',
  ]);
});

test("bucketsBetween: hours of a quarter-hour offset start on the zone's own hours", () => {
  const [first] = bucketsBetween(
    'hour',
    { from: Date.parse('2024-01-01T00:00:00Z'), to: Date.parse('2024-01-01T00:10:00Z'), timezone: 'Asia/Kathmandu' },
    10,
  );
  assert.equal(first?.label, '2024-01-01T05:00:00+05:45');
});

test('bucketsBetween: weeks begin on Monday, quarters in their first month', () => {
  const first = (unit: 'week' | 'quarter') =>
    bucketsBetween(
      unit,
      { from: Date.parse('2024-03-10T12:00:00Z'), to: Date.parse('2024-03-10T13:00:00Z'), timezone: 'UTC' },
      9,
    )[0]?.label;
  assert.equal(first('week'), '2024-03-04T00:00:00+00:00');
  assert.equal(first('quarter'), '2024-01-01T00:00:00+00:00');
});

test('bucketsBetween: a range that ends when clocks change has no hour of afterwards', () => {
  const to = Date.parse('2024-10-05T15:30:00Z');
  const buckets = bucketsBetween('hour', { from: to - 1, to, timezone: 'Australia/Lord_Howe' }, 9);
  assert.deepEqual(buckets, [{ key: to - HOUR, label: '2024-10-06T01:00:00+10:30' }]);
});

/** Zones whose clocks changed at midnight, by half an hour, by minutes, over the date line, or never. */
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Asia/Tehran', 'Africa/Cairo', 'Asia/Amman', 'Australia/Lord_Howe'],
  ...['Pacific/Apia', 'Africa/Nairobi', 'America/St_Johns', 'Asia/Kathmandu', 'America/Sao_Paulo'],
];

test('bucketsBetween: starts and labels are those of Temporal where clocks change', () => {
  for (const timezone of ZONES) {
    // Before, offsets had seconds, which labels do not show.
    for (let year = 1973; year < 2040; year += 4) {
      const from = Date.UTC(year, year % 12, 1 + (year % 28), year % 24, 17);
      for (const [unit, days] of [
        ['hour', 30],
        ['day', 400],
        ['month', 900],
        ['year', 2_000],
      ] as const) {
        const buckets = bucketsBetween(unit, { from, to: from + days * 24 * HOUR, timezone }, 1_000);
        for (const { key, label } of buckets.filter((_, at) => at % 9 === 0 || unit !== 'hour')) {
          const day = Temporal.Instant.fromEpochMilliseconds(key).toZonedDateTimeISO('UTC').toPlainDate();
          const start = unit === 'hour' ? null : day.toZonedDateTime(timezone);
          const at = start ?? Temporal.Instant.from(label).toZonedDateTimeISO(timezone);
          assert.equal(label, at.toString({ timeZoneName: 'never', smallestUnit: 'second' }));
          if (start === null) assert.ok(at.minute === 0 || at.epochMilliseconds > key, label);
        }
      }
    }
  }
});

test('bucketsBetween: too many buckets are refused with advice', () => {
  const year = { from: Date.parse('2023-01-01T00:00:00Z'), to: Date.parse('2024-01-01T00:00:00Z'), timezone: 'UTC' };
  assert.throws(() => bucketsBetween('hour', year, 1_000), /dateGrouping: .*1000 buckets by hour; use day or narrow/);
});

test('zoneOffsets: lists each offset with the instant at which it ends', () => {
  const offsets = zoneOffsets(LOS_ANGELES, Date.parse('2024-01-01T00:00:00Z'), Date.parse('2025-01-01T00:00:00Z'));
  assert.deepEqual(
    offsets.map(({ until, offset }) => [until === null ? null : formatUtc(until), offset / 3_600_000]),
    [
      ['2024-03-10T10:00:00.000Z', -8],
      ['2024-11-03T09:00:00.000Z', -7],
      [null, -8],
    ],
  );
});

test('startOfBucket: is the first instant of the bucket, also where clocks change', () => {
  for (const [timezone, change] of CLOCK_CHANGES) {
    for (const unit of ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const) {
      for (const distance of [-30, -1, 0, 1, 30].map((hours) => hours * HOUR)) {
        const instant = Date.parse(change) + distance + 1;
        const start = startOfBucket(instant, unit, timezone).at;
        const about = `${unit} in ${timezone} at ${new Date(instant).toISOString()}`;
        assert.ok(start <= instant, about);
        assert.equal(bucketOf(unit, timezone, start), bucketOf(unit, timezone, instant), about);
        assert.notEqual(bucketOf(unit, timezone, start - 1), bucketOf(unit, timezone, instant), about);
      }
    }
  }
});
