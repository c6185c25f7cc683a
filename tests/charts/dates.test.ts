import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketsOf, Dates } from '../../src/charts/dates.ts';
import { timeLabels } from '../../src/charts/time-labels.ts';

const english = new Dates('en', 'Europe/Berlin');
const GLYPH = 6;

test('bucketsOf: the unit follows from the spacing, across a change of the clock', () => {
  const units = {
    hour: ['2026-03-29T01:00:00+01:00', '2026-03-29T03:00:00+02:00', '2026-03-29T04:00:00+02:00'],
    day: ['2026-03-28T00:00:00+01:00', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
    week: ['2026-03-23T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
    month: ['2026-01-01T00:00:00+01:00', '2026-02-01T00:00:00+01:00', '2026-03-01T00:00:00+01:00'],
    quarter: ['2026-01-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00'],
    year: ['2025-01-01T00:00:00+01:00', '2026-01-01T00:00:00+01:00'],
  };
  for (const [unit, labels] of Object.entries(units)) assert.equal(bucketsOf(labels, null).unit, unit);
  assert.equal(bucketsOf(['2026-03-29T00:00:00+01:00'], null).unit, 'day');
  assert.equal(bucketsOf(['2026-03-29T07:00:00+01:00'], null).unit, 'hour');
});

test('Dates: a bucket has its local date, in the language', () => {
  const { times } = bucketsOf(['2026-03-01T00:00:00+14:00'], null);
  assert.equal(english.full(times[0]!, 'day'), 'Mar 1, 2026');
  assert.equal(english.full(times[0]!, 'month'), 'March 2026');
  assert.equal(english.full(times[0]!, 'quarter'), 'Q1 2026');
  assert.equal(new Dates('de', 'UTC').full(times[0]!, 'day'), '1. März 2026');
});

test('Dates: a range ends with its last day in the zone; a short one has hours', () => {
  const range = (from: string | null, to: string | null) => english.range({ from, to }).replaceAll(/\s/g, ' ');
  assert.equal(range('2026-02-25T23:00:00.000Z', '2026-03-11T23:00:00.000Z'), 'Feb 26 – Mar 11, 2026');
  assert.equal(range('2026-03-10T23:00:00.000Z', '2026-03-11T23:00:00.000Z'), 'Mar 11, 2026');
  assert.equal(range('2026-03-11T08:00:00.000Z', '2026-03-11T10:00:00.000Z'), 'Mar 11, 2026, 9:00 – 10:59 AM');
  assert.equal(range(null, '2026-03-11T23:00:00.000Z'), 'until Mar 11, 2026');
  assert.equal(range(null, null), 'all time');
  assert.equal(new Dates('en', 'No/Where').range({ from: null, to: '2026-03-11T00:00:00Z' }), 'until Mar 10, 2026');
});

test('timeLabels: are at round times, and fewer on a narrow axis', () => {
  const labels = (count: number, step: number, width: number) => {
    const start = Date.parse('2026-01-29T00:00:00Z');
    const texts = Array.from({ length: count }, (_, index) =>
      new Date(start + index * step).toISOString().slice(0, 19),
    );
    return timeLabels(bucketsOf(texts, null), english, width, (text) => text.length * GLYPH).map(({ text }) =>
      text.replaceAll(/\s/g, ' '),
    );
  };
  const [hour, day] = [3_600_000, 86_400_000];
  assert.deepEqual(labels(30, hour, 400), ['Jan 29', '6 AM', '12 PM', '6 PM', 'Jan 30']);
  assert.deepEqual(labels(5, day, 600), ['Jan 29', 'Jan 30', 'Jan 31', 'Feb 1', 'Feb 2']);
  assert.deepEqual(labels(14, day, 200), ['Jan 29', 'Feb 2', 'Feb 6', 'Feb 10']);
  assert.deepEqual(labels(120, day, 240), ['Feb', 'Mar', 'Apr', 'May']);
  assert.deepEqual(labels(3_660, day, 420).slice(0, 3), ['2027', '2028', '2029']);
});

test('Dates: a whole day is one in zones of half hours, too; part of a day has times', () => {
  const day = { from: '2026-10-31T18:30:00.000Z', to: '2026-11-01T18:30:00.000Z' };
  assert.equal(new Dates('en', 'Asia/Kolkata').range(day), 'Nov 1, 2026');
  assert.match(new Dates('en', 'UTC').range(day), /6:30.PM.*6:29.PM/);
});
