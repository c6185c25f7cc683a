import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventFilter } from '../../../../src/core/analytics/events/filter-schema.ts';
import { predicatesOf } from '../../../../src/core/analytics/events/predicates.ts';

const AT = { now: Date.parse('2026-11-25T02:30:00Z'), timezone: 'UTC' };

function testOf(operator: string, value: unknown) {
  const [predicate] = predicatesOf([{ propertyKey: 'timestamp', operator, value } as EventFilter], 'filters', AT);
  return predicate!.test;
}

/** Texts of one meaning, and its start and end. */
const SPANS: [values: string[], from: string, to: string][] = [
  [['yesterday', '2026-11-24', '2026/11/24', '1 day ago'], '2026-11-24', '2026-11-25'],
  [['last_month', '2026-10', 'october 2026'], '2026-10-01', '2026-11-01'],
  [['mtd', 'month to date'], '2026-11-01', '2026-11-25T02:30:00Z'],
  [['last 7 days', 'past week'], '2026-11-18', '2026-11-25T02:30:00Z'],
];

test('predicatesOf: gte and lte include a day or a period, gt and lt exclude it', () => {
  for (const [values, from, to] of SPANS) {
    for (const value of values) {
      const compared = (operator: string, instant: string) => ({
        kind: 'compare',
        operator,
        value: Date.parse(instant),
      });
      assert.deepEqual(testOf('gte', value), compared('gte', from), value);
      assert.deepEqual(testOf('lt', value), compared('lt', from), value);
      assert.deepEqual(testOf('lte', value), compared('lt', to), value);
      assert.deepEqual(testOf('gt', value), compared('gte', to), value);
    }
  }
});

test('predicatesOf: equality with a day or a period is refused', () => {
  for (const span of SPANS.flatMap(([values]) => values)) {
    for (const operator of ['eq', 'neq', 'in', 'notIn']) {
      const value = operator === 'in' || operator === 'notIn' ? ['now', span] : span;
      assert.throws(() => testOf(operator, value), {
        code: 'invalid',
        message: 'filters[0].value: a day or a period is compared with gt, gte, lt or lte',
      });
    }
  }
});

test('predicatesOf: every operator compares instants as they are', () => {
  const instants: [string, string][] = [
    ['2026-11-20T12:00', '2026-11-20T12:00:00Z'],
    ['-7d', '2026-11-18'],
    ['7 days', '2026-11-18'],
    ['-24h', '2026-11-24T02:30:00Z'],
    ['now', '2026-11-25T02:30:00Z'],
  ];
  for (const [text, iso] of instants) {
    const value = Date.parse(iso);
    for (const operator of ['gt', 'gte', 'lt', 'lte']) {
      assert.deepEqual(testOf(operator, text), { kind: 'compare', operator, value }, text);
    }
    for (const operator of ['eq', 'neq']) assert.deepEqual(testOf(operator, text), { kind: 'oneOf', values: [value] });
    assert.deepEqual(testOf('in', [text, 'now']), { kind: 'oneOf', values: [value, AT.now] });
  }
});
