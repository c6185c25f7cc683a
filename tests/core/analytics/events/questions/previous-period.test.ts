import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitKpi, MAX_ANSWER_BYTES } from '../../../../../src/core/analytics/events/questions/fit.ts';
import { planKpi } from '../../../../../src/core/analytics/events/questions/plan.ts';
import type { KpiQuestion } from '../../../../../src/core/analytics/events/questions/question.ts';
import { bucketsBetween, formatUtc } from '../../../../../src/core/base/time/time.ts';
import { CLOCK_CHANGES, DAY, HOUR } from '../../../../reference/datasets.ts';
import { periodBefore } from '../../../../reference/selection.ts';

interface Range {
  dateFrom: string;
  dateTo?: string;
  timezone: string;
}

function beginOf(range: Range, now = '2030-01-01'): string {
  const question = { eventName: 'order', aggregation: 'count', compareTo: 'previous_period', ...range };
  const context = { agentId: null, timezone: 'UTC', now: Date.parse(now) };
  const { previous } = planKpi(question as KpiQuestion, context);
  return formatUtc(previous!.selection.from!);
}

test('previousPeriod: whole local days have as many before them, where clocks change', () => {
  const rows: [timezone: string, dateFrom: string, dateTo: string | undefined, begin: string][] = [
    ['America/New_York', '2024-03-04', '2024-03-10', '2024-02-26T05:00:00.000Z'],
    ['America/New_York', '2024-10-28', '2024-11-03', '2024-10-21T04:00:00.000Z'],
    ['America/New_York', '2024-03-11', '2024-03-17', '2024-03-04T05:00:00.000Z'],
    ['America/New_York', '2024-03-10', '2024-03-10', '2024-03-09T05:00:00.000Z'],
    ['America/New_York', '2024-03', undefined, '2024-01-30T05:00:00.000Z'],
    ['Europe/Lisbon', '2024-10-28', '2024-11-03', '2024-10-20T23:00:00.000Z'],
    ['Australia/Lord_Howe', '2024-04-07', '2024-04-07', '2024-04-05T13:00:00.000Z'],
    // The 4th of November has no midnight and begins at 01:00.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-10', '2018-10-28T03:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-05', '2018-11-05', '2018-11-04T03:00:00.000Z'],
    // The 30th of December was skipped.
    ['Pacific/Apia', '2011-12-31', '2011-12-31', '2011-12-29T10:00:00.000Z'],
  ];
  for (const [timezone, dateFrom, dateTo, begin] of rows) {
    assert.equal(beginOf({ timezone, dateFrom, ...(dateTo ? { dateTo } : {}) }), begin, `${timezone} ${dateFrom}`);
  }
});

test('previousPeriod: other ranges have the elapsed length before them', () => {
  const timezone = 'America/New_York';
  const [dateFrom, now] = ['2024-03-10', '2024-03-10T16:00:00Z'];
  assert.equal(beginOf({ timezone, dateFrom }, now), '2024-03-09T18:00:00.000Z', 'until now');
  assert.equal(beginOf({ timezone, dateFrom, dateTo: '2024-03-10' }, now), '2024-03-09T18:00:00.000Z', 'a day so far');
  const noon = { dateFrom: '2024-03-09T12:00', dateTo: '2024-03-10T12:00' };
  assert.equal(beginOf({ timezone, ...noon }), '2024-03-08T18:00:00.000Z', '23 hours');
  assert.equal(beginOf({ timezone, dateFrom: '2024-03-11' }, '2024-03-11T04:00:00Z'), '2024-03-11T04:00:00.000Z');
});

test('previousPeriod: as the reference around clock changes', () => {
  const { record, integer, constantFrom, boolean } = fc;
  const asked = record({
    change: constantFrom(...CLOCK_CHANGES),
    days: integer({ min: -20, max: 20 }),
    length: integer({ min: 1, max: 40 }),
    isWhole: boolean(),
  });
  const sameBegin = fc.property(asked, ({ change: [timezone, at], days, length, isWhole }) => {
    const starts = bucketsBetween(
      'day',
      { from: Date.parse(at) + days * DAY, to: Date.parse(at) + (days + length + 1) * DAY, timezone },
      100,
    ).map(({ label }) => Date.parse(label));
    const [from, to] = [starts[0]!, starts.at(-1)! + (isWhole ? 0 : HOUR)];
    const now = to + DAY;
    const range = { timezone, dateFrom: formatUtc(from), dateTo: formatUtc(to) };
    const expected = periodBefore({ from, to, timezone }, { now });
    assert.equal(beginOf(range, formatUtc(now)), formatUtc(expected.from!));
  });
  fc.assert(sameBegin, { numRuns: 500 });
});

test('Answers: no more of a series is measured than fits', () => {
  let measured = 0;
  const point = { bucket: '2026-03-01T00:00:00+00:00', value: 1 };
  const series = Array.from({ length: 20_000 }, () => ({
    toJSON: () => {
      measured += 1;
      return point;
    },
  }));
  const answer = fitKpi({ value: 1, series, basis: {}, notes: [] } as unknown as Parameters<typeof fitKpi>[0]);
  const kept = answer.series!.length;
  assert.ok(kept > 300 && kept < 1_000, `${kept} points`);
  assert.ok(Buffer.byteLength(JSON.stringify({ ...answer, series: Array(kept).fill(point) })) <= MAX_ANSWER_BYTES);
  // Once to learn that not all fit, once beside the sentence that says so.
  assert.ok(measured <= 2 * kept + 50, `${measured} of 20,000 points were measured for ${kept}`);
});
