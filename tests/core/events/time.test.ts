import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bucketsBetween,
  checkTimezone,
  formatUtc,
  resolveDate,
  resolveDateEnd,
  zoneOffsets,
} from '../../../src/core/events/time.ts';

const LOS_ANGELES = 'America/Los_Angeles';
/** Half past ten in the morning in Los Angeles, the day after its clocks went forward. */
const NOW = Date.parse('2024-03-11T17:30:00Z');

function at(text: string, timezone = LOS_ANGELES): string {
  return formatUtc(resolveDate(text, 'dateFrom', { now: NOW, timezone }));
}

test('resolveDate: hours count back exactly, days to local midnight across DST', () => {
  assert.equal(at('-24h'), '2024-03-10T17:30:00.000Z');
  assert.equal(at('-90min'), '2024-03-11T16:00:00.000Z');
  assert.equal(at('-1d'), '2024-03-10T08:00:00.000Z');
  assert.equal(at('-2d'), '2024-03-09T08:00:00.000Z');
  assert.equal(at('-0d'), '2024-03-11T07:00:00.000Z');
  assert.equal(at('-1w'), '2024-03-04T08:00:00.000Z');
  assert.equal(at('-1mo'), '2024-02-11T08:00:00.000Z');
  assert.equal(at('-1y'), '2023-03-11T08:00:00.000Z');
});

test('resolveDate: named days and periods begin at local midnight', () => {
  assert.equal(at('today'), '2024-03-11T07:00:00.000Z');
  assert.equal(at('yesterday'), '2024-03-10T08:00:00.000Z');
  assert.equal(at('mtd'), '2024-03-01T08:00:00.000Z');
  assert.equal(at('qtd'), '2024-01-01T08:00:00.000Z');
  assert.equal(at('ytd'), '2024-01-01T08:00:00.000Z');
});

test('resolveDate: a time without an offset is local to the zone of the query', () => {
  assert.equal(at('2024-07-01T12:00:00'), '2024-07-01T19:00:00.000Z');
  assert.equal(at('2024-07-01T12:00'), '2024-07-01T19:00:00.000Z');
  assert.equal(at('2024-07-01T12:00:00Z'), '2024-07-01T12:00:00.000Z');
  assert.equal(at('2024-07-01T12:00:00+05:30'), '2024-07-01T06:30:00.000Z');
  assert.equal(at('2024-07-01'), '2024-07-01T07:00:00.000Z');
});

test('resolveDateEnd: a date without a time ends with its day', () => {
  const end = (text: string) => formatUtc(resolveDateEnd(text, 'dateTo', { now: NOW, timezone: LOS_ANGELES }));
  assert.equal(end('2024-03-10'), '2024-03-11T07:00:00.000Z', 'a day of 23 hours');
  assert.equal(end('today'), '2024-03-12T07:00:00.000Z');
  assert.equal(end('-7d'), '2024-03-04T08:00:00.000Z');
  assert.equal(end('2024-03-10T00:00:00'), '2024-03-10T08:00:00.000Z');
});

test('resolveDate, checkTimezone: a bad value is refused with the accepted forms', () => {
  for (const text of [
    'soon',
    '-30m',
    '2024-02-30',
    '2024-13-01',
    '-1.5h',
    '20240101',
    '2024-01-01T25:00:00',
    '-99999y',
  ]) {
    assert.throws(() => at(text), /dateFrom: .*is not a date; use ISO 8601/, text);
  }
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
