import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TICKETS } from './answer-support.ts';
import { workspace } from './support.ts';

const COUNT = { eventName: 'ticket_opened', aggregation: 'count' };
const SUM = { eventName: 'ticket_opened', aggregation: 'sum', propertyKey: 'minutes' };
const RATE = { eventName: 'ticket_opened', aggregation: 'rate' };
const ROWS = { eventName: 'ticket_opened', columns: ['minutes'], sortBy: 'minutes', dateTo: '2026-03-31' };
const TABLE = { eventName: 'ticket_opened', mode: 'aggregate' };
const PRO = { propertyKey: 'plan', operator: 'eq', value: 'pro' };
const METRIC = { aggregation: 'avg', propertyKey: 'minutes', alias: 'n' };
const where = (filter: object) => ({ filters: [filter] });

type Case = [given: object, meant: object];

/** Null, an empty array and an empty text in place of what is left out. */
const LEFT_OUT: Record<'aggregate_events' | 'query_events', Case[]> = {
  aggregate_events: [
    ...[
      'agentId',
      'filters',
      'dateFrom',
      'dateTo',
      'timezone',
      'dateGrouping',
      'group_by',
      'limit',
      'compareTo',
    ].flatMap((name): Case[] => [null, [], ''].map((absent) => [{ ...COUNT, [name]: absent }, COUNT])),
    ...['propertyKey', 'numerator', 'review', 'waitFor'].flatMap((name): Case[] =>
      [null, [], ''].map((absent) => [{ ...COUNT, [name]: absent }, COUNT]),
    ),
    [
      { ...RATE, numerator: { eventName: null, ...where(PRO) } },
      { ...RATE, numerator: where(PRO) },
    ],
    [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'exists', value: null }) }, exists('exists')],
  ],
  query_events: [
    ...['columns', 'sortBy', 'limit', 'offset', 'sortOrder', 'mode', 'groupBy', 'metrics', 'waitFor'].flatMap(
      (name): Case[] => [null, [], ''].map((absent) => [{ ...ROWS, [name]: absent }, without(ROWS, name)]),
    ),
    [{ ...TABLE, metrics: [] }, TABLE],
    [
      { ...TABLE, groupBy: [], metrics: [{ aggregation: 'count', propertyKey: null, alias: 'n' }] },
      { ...TABLE, metrics: [{ aggregation: 'count', alias: 'n' }] },
    ],
  ],
};

/** Texts in place of numbers, arrays and objects. */
const WRITTEN: typeof LEFT_OUT = {
  aggregate_events: [
    [
      { ...COUNT, group_by: 'plan', limit: '2' },
      { ...COUNT, group_by: 'plan', limit: 2 },
    ],
    [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'exists', value: 'true' }) }, exists('exists')],
    [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'exists', value: 'false' }) }, exists('notExists')],
    [
      { ...COUNT, ...where({ propertyKey: 'plan', operator: 'in', value: '["pro","free"]' }) },
      { ...COUNT, ...where({ propertyKey: 'plan', operator: 'in', value: ['pro', 'free'] }) },
    ],
    [
      { ...COUNT, group_by: '["plan"]' },
      { ...COUNT, group_by: ['plan'] },
    ],
    [{ ...COUNT, group_by: '[]' }, COUNT],
    [
      { ...COUNT, filters: JSON.stringify([PRO]) },
      { ...COUNT, filters: [PRO] },
    ],
    [
      { ...COUNT, filters: [JSON.stringify(PRO)] },
      { ...COUNT, filters: [PRO] },
    ],
    [{ ...COUNT, filters: '[]' }, COUNT],
    [
      { ...COUNT, group_by: 'plan,resolved' },
      { ...COUNT, group_by: ['plan', 'resolved'] },
    ],
    [
      { ...COUNT, group_by: '["plan","resolved"]' },
      { ...COUNT, group_by: ['plan', 'resolved'] },
    ],
    [
      { ...RATE, numerator: JSON.stringify(where(PRO)) },
      { ...RATE, numerator: where(PRO) },
    ],
    [
      { ...RATE, numerator: JSON.stringify({ filters: JSON.stringify([PRO]) }) },
      { ...RATE, numerator: where(PRO) },
    ],
  ],
  query_events: [
    [
      { ...ROWS, limit: '2', offset: '1' },
      { ...ROWS, limit: 2, offset: 1 },
    ],
    [{ ...ROWS, columns: '["minutes"]' }, ROWS],
    [
      { ...TABLE, metrics: JSON.stringify([METRIC]) },
      { ...TABLE, metrics: [METRIC] },
    ],
    [
      { ...TABLE, groupBy: 'plan, resolved' },
      { ...TABLE, groupBy: ['plan', 'resolved'] },
    ],
  ],
};

/** Values as people and other products write them. */
const SPELLED: typeof LEFT_OUT = {
  aggregate_events: [
    [
      { ...SUM, aggregation: 'Mean' },
      { ...SUM, aggregation: 'avg' },
    ],
    [{ ...SUM, aggregation: 'TOTAL' }, SUM],
    [
      { ...COUNT, dateGrouping: 'daily' },
      { ...COUNT, dateGrouping: 'day' },
    ],
    [
      { ...COUNT, dateFrom: '2026-03-03', dateTo: '2026-03-04', compareTo: 'previous' },
      { ...COUNT, dateFrom: '2026-03-03', dateTo: '2026-03-04', compareTo: 'previous_period' },
    ],
    [
      { ...COUNT, ...where({ ...PRO, operator: '=' }) },
      { ...COUNT, ...where(PRO) },
    ],
    [
      { ...COUNT, ...where({ propertyKey: 'plan', operator: 'not_in', value: ['pro'] }) },
      { ...COUNT, ...where({ propertyKey: 'plan', operator: 'notIn', value: ['pro'] }) },
    ],
    [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'exists', value: true }) }, exists('exists')],
    [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'exists', value: false }) }, exists('notExists')],
    [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'notExists', value: false }) }, exists('exists')],
    [
      { ...COUNT, dateFrom: ' Mar_2026 ' },
      { ...COUNT, dateFrom: '2026-03-01', dateTo: '2026-03-31' },
    ],
  ],
  query_events: [
    [
      { ...ROWS, sortOrder: 'Ascending' },
      { ...ROWS, sortOrder: 'asc' },
    ],
    [
      { ...TABLE, metrics: [{ ...METRIC, aggregation: 'average' }] },
      { ...TABLE, metrics: [METRIC] },
    ],
  ],
};

for (const [title, cases] of [
  ['null, an empty array and an empty text count as left out', LEFT_OUT],
  ['texts are read as the numbers, arrays and objects they spell', WRITTEN],
  ['values in other spellings answer like their own names', SPELLED],
] as const) {
  for (const name of ['aggregate_events', 'query_events'] as const) {
    test(`${name}: ${title}`, async () => {
      const { call } = await workspace(TICKETS);
      for (const [given, meant] of cases[name]) {
        const [answer, expected] = [await call(name, given), await call(name, meant)];
        assert.equal(expected.isError, false, expected.text);
        assert.equal(answer.isError, false, `${JSON.stringify(given)}: ${answer.text}`);
        assert.deepEqual(atAnyTime(answer.data), atAnyTime(expected.data), JSON.stringify(given));
      }
    });
  }
}

function exists(operator: 'exists' | 'notExists'): object {
  return { ...COUNT, ...where({ propertyKey: 'plan', operator }) };
}

function without(args: object, name: string): object {
  return Object.fromEntries(Object.entries(args).filter(([member]) => member !== name));
}

/** An open range ends now. */
function atAnyTime(answer: { basis: object }): object {
  return { ...answer, basis: { ...answer.basis, to: null } };
}

test('aggregate_events: groupBy is another name of group_by', async () => {
  const { call } = await workspace(TICKETS);
  const groupsOf = async (asked: object) => (await call('aggregate_events', { ...COUNT, ...asked })).data?.groups;
  const expected = await groupsOf({ group_by: 'plan' });
  assert.ok(expected.length > 1);
  for (const asked of [
    { groupBy: 'plan' },
    { groupBy: ['plan'] },
    { groupBy: '["plan"]' },
    { groupBy: 'plan', group_by: ['plan'] },
    { groupBy: 'plan', group_by: null },
    { groupBy: [], group_by: 'plan' },
  ]) {
    assert.deepEqual(await groupsOf(asked), expected, JSON.stringify(asked));
  }
  const { isError, text } = await call('aggregate_events', { ...COUNT, groupBy: 'plan', group_by: 'minutes' });
  assert.ok(isError && text.includes('groupBy: is another name of group_by: give one of them'), text);
});
