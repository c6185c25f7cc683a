import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { zoneOffsets } from '../../../../../src/core/base/time/time.ts';
import { DATE_GROUPINGS } from '../../../../../src/core/base/time/units.ts';
import { bucketStarts } from '../../../../../src/storage/events/duckdb/kept/buckets.ts';
import { bucketOf } from '../../../../reference/calendar.ts';

const DAY = 86_400_000;
/** Clocks changed at midnight in Brazil, and change by half an hour on Lord Howe Island. */
const ZONES = ['UTC', 'Europe/Lisbon', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'];
const YEAR_2018 = Date.parse('2018-01-01T00:00:00Z');

const range = fc.record({
  unit: fc.constantFrom(...DATE_GROUPINGS),
  zone: fc.constantFrom(...ZONES),
  from: fc.integer({ min: YEAR_2018 - 3_000 * DAY, max: YEAR_2018 + 3_000 * DAY }),
  length: fc.integer({ min: 1, max: 400 * DAY }),
  shares: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 2, maxLength: 20 }),
});

test('bucketStarts: each instant has the key of its bucket', () => {
  const property = fc.property(range, ({ unit, zone, from, length, shares }) => {
    const to = from + length;
    const { starts, places, keys } = bucketStarts(
      { unit, offsets: zoneOffsets(zone, from, to) },
      { from, to },
      20_000,
    )!;
    const names = new Map<number, string>();
    for (const instant of shares.map((share) => from + Math.floor(share * length))) {
      const key = keys[places[starts.findIndex((start) => start > instant) - 1]!]!;
      const name = bucketOf(unit, zone, instant);
      if (unit !== 'hour') assert.equal(String(key), name);
      assert.equal(names.get(key) ?? name, name);
      names.set(key, name);
      assert.ok(unit !== 'hour' || (instant - key >= 0 && instant - key < 2 * 3_600_000));
    }
    assert.equal(new Set(names.values()).size, names.size);
  });
  fc.assert(property, { numRuns: 300 });
});

test('bucketStarts: gives none beyond a number of buckets', () => {
  const utc = { unit: 'hour' as const, offsets: zoneOffsets('UTC', 0, DAY) };
  assert.equal(bucketStarts(utc, { from: 0, to: DAY }, 24)?.keys.length, 24);
  assert.equal(bucketStarts(utc, { from: 0, to: DAY + 1 }, 24), null);
});
