import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canAlert } from '../../portal/src/pages/alerts/card.ts';
import {
  bucketInWords,
  bucketOf,
  conditionInWords,
  durationInWords,
  urgentFirst,
} from '../../portal/src/pages/alerts/words.ts';

test('Alerts: the urgent ones come first, those that are switched off last', () => {
  const all = [
    ['ok', true],
    ['alerting', false],
    ['no_data', true],
    ['failing', true],
    ['alerting', true],
  ] as const;
  const sorted = urgentFirst(all.map(([state, enabled]) => ({ state, enabled })));
  assert.deepEqual(
    sorted.map(({ state, enabled }) => `${state} ${enabled}`),
    ['alerting true', 'failing true', 'no_data true', 'ok true', 'alerting false'],
  );
});

test('Alerts: conditions, buckets and durations in words', () => {
  const words = (condition: object) => conditionInWords(condition as never, (value) => `${value} €`);
  assert.equal(words({ type: 'threshold', operator: 'lt', value: 1, clear: 2 }), 'Below 1 €, until it is back at 2 €');
  assert.equal(words({ type: 'threshold', operator: 'gte', value: 1, clear: 1 }), 'At or above 1 €');
  assert.equal(
    words({ type: 'change', operator: 'lte', ratio: -0.2 }),
    'Change against the period before at or below −20%',
  );
  const start = '2026-03-02T00:00:00+01:00';
  const shown = (['hour', 'day', 'week', 'month', undefined] as const).map((unit) =>
    bucketInWords(start, unit, 'en-GB'),
  );
  assert.deepEqual(shown, ['2 Mar 2026, 00:00', '2 Mar 2026', 'week of 2 Mar 2026', 'March 2026', '2 Mar 2026']);
  assert.equal(bucketInWords('2026-03-02T11:00:00+01:00', undefined, 'en-GB'), '2 Mar 2026, 11:00');
  assert.deepEqual([bucketOf({}), bucketOf({ cardId: 'a' })], ['day', undefined]);
  assert.deepEqual([3_600, 5_400, 7_200].map(durationInWords), ['1 hour', '90 minutes', '2 hours']);
});

test('Alerts: cards with one number or one line can be checked', () => {
  const can = (cardType: string, config: object) => canAlert({ cardType, config } as never);
  assert.ok(can('number', {}) && can('line', { dateGrouping: 'week' }));
  assert.ok(!can('line', { groupBy: 'plan' }) && !can('table', {}) && !can('pie', {}));
});
