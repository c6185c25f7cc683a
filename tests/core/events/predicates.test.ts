import assert from 'node:assert/strict';
import { test } from 'node:test';
import { predicatesOf } from '../../../src/core/events/predicates.ts';
import type { EventFilter } from '../../../src/core/events/schema.ts';

const AT = { now: Date.parse('2026-11-25T02:30:00Z'), timezone: 'UTC' };

function testOf(operator: string, value: unknown) {
  const [predicate] = predicatesOf([{ propertyKey: 'timestamp', operator, value } as EventFilter], 'filters', AT);
  return predicate!.test;
}

test('predicatesOf: gte and lt compare a timestamp with the start of a whole period', () => {
  const start = Date.parse('2026-10-01');
  for (const value of ['last_month', '2026-10', 'october 2026']) {
    for (const operator of ['gte', 'lt']) {
      assert.deepEqual(testOf(operator, value), { kind: 'compare', operator, value: start });
    }
  }
});

test('predicatesOf: other operators refuse a whole period', () => {
  for (const operator of ['eq', 'neq', 'gt', 'lte', 'in', 'notIn']) {
    const value = operator === 'in' || operator === 'notIn' ? ['today', 'last_month'] : 'last_month';
    assert.throws(() => testOf(operator, value), {
      code: 'invalid',
      message: 'filters[0].value: a whole period is compared with gte or lt; or use dateFrom and dateTo',
    });
  }
});

test('predicatesOf: instants, days and rolling ranges compare by their start', () => {
  assert.deepEqual(testOf('lte', 'mtd'), { kind: 'compare', operator: 'lte', value: Date.parse('2026-11-01') });
  assert.deepEqual(testOf('gt', 'last 7 days'), { kind: 'compare', operator: 'gt', value: Date.parse('2026-11-18') });
  assert.deepEqual(testOf('in', ['yesterday', 'now']), { kind: 'oneOf', values: [Date.parse('2026-11-24'), AT.now] });
});
