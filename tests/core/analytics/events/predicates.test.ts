import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { AGGREGATIONS, DATE_GROUPINGS } from '../../../../src/core/analytics/events/fields.ts';
import { predicatesOf } from '../../../../src/core/analytics/events/predicates.ts';
import { aggregateEventsSchema, eventsQuerySchema } from '../../../../src/core/analytics/events/schema.ts';
import { type EventFilter, eventFilterSchema } from '../../../../src/core/base/filters/filter-schema.ts';
import {
  AGGREGATION_SPELLINGS,
  COMPARISON_SPELLINGS,
  GROUPING_SPELLINGS,
  OPERATOR_SPELLINGS,
  ORDER_SPELLINGS,
  spelled,
} from '../../../../src/core/base/filters/spellings.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';

const AT = { now: Date.parse('2026-11-25T02:30:00Z'), timezone: 'UTC' };

function testOf(operator: string, value: unknown) {
  const [predicate] = predicatesOf([{ propertyKey: 'timestamp', operator, value } as EventFilter], 'filters', AT);
  return predicate!.test;
}

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

const colour = spelled(['dark_red', 'blue'], { crimson: 'dark_red', 'sky blue': 'blue' });

function filterOf(operator: unknown, value: unknown): EventFilter {
  return parse(eventFilterSchema, { propertyKey: 'plan', operator, value });
}

function refused(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof RuntimeError);
    return error.messages;
  }
  assert.fail('accepted');
}

test('spelled: a value in any case, with any separators, and by its other names', () => {
  for (const text of ['dark_red', 'darkRed', 'DARK-RED', 'Dark Red', ' dark__red ', 'Crimson']) {
    assert.equal(parse(colour, text), 'dark_red', text);
  }
  for (const text of ['blue', 'BLUE', 'sky_blue', 'skyBlue']) assert.equal(parse(colour, text), 'blue', text);
});

test('spelled: anything else is refused with the values alone', () => {
  for (const value of ['red', 'dark', '', ' ', '_', 'constructor', '__proto__', 'toString', 7, null, ['blue'], {}]) {
    assert.deepEqual(
      refused(() => parse(z.strictObject({ colour }), { colour: [value] })),
      ['colour: must be one of dark_red, blue'],
    );
  }
  for (const value of ['red', '_', '__proto__', 7, ['blue'], {}]) {
    assert.deepEqual(
      refused(() => parse(z.strictObject({ colour }), { colour: value })),
      ['colour: must be one of dark_red, blue'],
    );
  }
});

test('spelled: its JSON Schema lists the values alone', () => {
  assert.deepEqual(z.toJSONSchema(colour, { io: 'input' }).enum, ['dark_red', 'blue']);
});

test('spelled: a value of the enumeration is never another one by its other name', () => {
  const all: [readonly string[], Record<string, string>][] = [
    [[...AGGREGATIONS, 'rate'], AGGREGATION_SPELLINGS],
    [DATE_GROUPINGS, GROUPING_SPELLINGS],
    [['previous_period'], COMPARISON_SPELLINGS],
    [['asc', 'desc'], ORDER_SPELLINGS],
  ];
  for (const [values, others] of all) {
    const schema = spelled(values, others);
    for (const value of values) assert.equal(parse(schema, value), value);
    for (const [name, value] of Object.entries(others)) {
      assert.ok(values.includes(value), `${name}: ${value}`);
      assert.equal(parse(schema, name.toUpperCase()), value, name);
    }
  }
});

test('eventFilterSchema: operators by their signs and other names', () => {
  const lists = new Set(['in', 'notIn']);
  for (const [name, operator] of Object.entries({ ...OPERATOR_SPELLINGS, not_in: 'notIn', CONTAINS: 'contains' })) {
    const value = lists.has(operator) ? ['pro'] : 'pro';
    const isPresence = operator === 'exists' || operator === 'notExists';
    const expected = { propertyKey: 'plan', operator, ...(isPresence ? {} : { value }) };
    assert.deepEqual(filterOf(name, isPresence ? undefined : value), expected, name);
  }
  for (const operator of ['like', 'is', 'not', '=>', '!', '', null, 7]) {
    assert.match(
      refused(() => filterOf(operator, 'pro'))[0]!,
      /^operator: (must be one of eq, neq|is required)/,
      String(operator),
    );
  }
});

test('eventFilterSchema: exists with true keeps, with false it means notExists', () => {
  const cases: [operator: string, value: unknown, meant: string][] = [
    ['exists', undefined, 'exists'],
    ['exists', null, 'exists'],
    ['exists', true, 'exists'],
    ['exists', false, 'notExists'],
    ['notExists', undefined, 'notExists'],
    ['notExists', true, 'notExists'],
    ['notExists', false, 'exists'],
    ['is_null', true, 'notExists'],
    ['is_null', false, 'exists'],
    ['is_set', false, 'notExists'],
    ['exists', 'true', 'exists'],
    ['exists', 'false', 'notExists'],
  ];
  for (const [operator, value, meant] of cases) {
    assert.deepEqual(filterOf(operator, value), { propertyKey: 'plan', operator: meant }, `${operator} ${value}`);
  }
  for (const value of ['pro', 1, 0, '', ['pro']]) {
    assert.match(
      refused(() => filterOf('exists', value))[0]!,
      /^value: must be left out, true or false for exists/,
      String(value),
    );
  }
});

test('eventFilterSchema: what needs a value is refused without one', () => {
  for (const [operator, value] of [
    ['=', null],
    ['=', []],
    ['=', ['pro']],
    ['nin', 'pro'],
    ['nin', []],
    ['nin', null],
  ]) {
    assert.match(
      refused(() => filterOf(operator, value))[0]!,
      /^value: must be (one|an array)/,
      `${operator} ${value}`,
    );
  }
});

test('queries: aggregations, groupings, comparisons and orders in other spellings', () => {
  const count = { eventName: 'sale', aggregation: 'count' };
  const { aggregation, dateGrouping, compareTo } = parse(aggregateEventsSchema, {
    ...{ ...count, aggregation: 'Count Distinct', propertyKey: 'plan' },
    ...{ dateGrouping: 'MONTHLY', compareTo: 'Previous Period' },
  });
  assert.deepEqual([aggregation, dateGrouping, compareTo], ['distinct_count', 'month', 'previous_period']);
  assert.equal(parse(aggregateEventsSchema, { ...count, aggregation: 'RATE' }).aggregation, 'rate');
  const { sortOrder, metrics } = parse(eventsQuerySchema, {
    ...{ eventName: 'sale', sortOrder: 'Descending' },
    metrics: [{ aggregation: 'p50', propertyKey: 'amount', alias: 'n' }],
  });
  assert.deepEqual([sortOrder, metrics?.[0]?.aggregation], ['desc', 'median']);
  for (const wrong of [{ aggregation: 'p75' }, { dateGrouping: 'biweekly' }, { compareTo: 'previous_year' }]) {
    const [name] = Object.keys(wrong);
    assert.match(
      refused(() => parse(aggregateEventsSchema, { ...count, ...wrong }))[0]!,
      new RegExp(`^${name}: must be one of`),
    );
  }
});
