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
const DAYS = { dateFrom: '2026-03-03', dateTo: '2026-03-04' };
const METRIC = { aggregation: 'avg', propertyKey: 'minutes', alias: 'n' };
const where = (filter: object) => ({ filters: [filter] });

/** How arguments are written, and how they are read: http/optional-members.test.ts and tests/core have every way. */
const READ_AS: Record<'aggregate_events' | 'query_events', [given: object, meant: object][]> = {
  aggregate_events: [
    [{ ...COUNT, filters: null, group_by: [], dateFrom: '' }, COUNT],
    [
      { ...RATE, numerator: { eventName: null, ...where(PRO) } },
      { ...RATE, numerator: where(PRO) },
    ],
    [
      { ...COUNT, group_by: 'plan,resolved', limit: '2' },
      { ...COUNT, group_by: ['plan', 'resolved'], limit: 2 },
    ],
    [
      { ...RATE, numerator: JSON.stringify({ filters: JSON.stringify([PRO]) }) },
      { ...RATE, numerator: where(PRO) },
    ],
    [
      { ...COUNT, ...where({ propertyKey: 'plan', operator: 'exists', value: 'false' }) },
      { ...COUNT, ...where({ propertyKey: 'plan', operator: 'notExists' }) },
    ],
    [
      { ...SUM, aggregation: 'TOTAL', dateGrouping: 'daily', dateFrom: ' Mar_2026 ' },
      { ...SUM, dateGrouping: 'day', dateFrom: '2026-03-01', dateTo: '2026-03-31' },
    ],
    [
      { ...COUNT, ...where({ ...PRO, operator: '=' }), ...DAYS, compareTo: 'previous' },
      { ...COUNT, ...where(PRO), ...DAYS, compareTo: 'previous_period' },
    ],
  ],
  query_events: [
    [
      { ...ROWS, limit: '2', offset: '1', sortOrder: 'Ascending' },
      { ...ROWS, limit: 2, offset: 1, sortOrder: 'asc' },
    ],
    [
      { ...TABLE, groupBy: [], metrics: [{ aggregation: 'count', propertyKey: null, alias: 'n' }] },
      { ...TABLE, metrics: [{ aggregation: 'count', alias: 'n' }] },
    ],
    [
      { ...TABLE, groupBy: 'plan, resolved', metrics: JSON.stringify([{ ...METRIC, aggregation: 'average' }]) },
      { ...TABLE, groupBy: ['plan', 'resolved'], metrics: [METRIC] },
    ],
  ],
};

for (const name of ['aggregate_events', 'query_events'] as const) {
  test(`${name}: blanks, texts and other spellings answer like what they mean`, async () => {
    const { call } = await workspace(TICKETS);
    for (const [given, meant] of READ_AS[name]) {
      const [answer, expected] = [await call(name, given), await call(name, meant)];
      assert.equal(expected.isError, false, expected.text);
      assert.equal(answer.isError, false, `${JSON.stringify(given)}: ${answer.text}`);
      assert.deepEqual(atAnyTime(answer.data), atAnyTime(expected.data), JSON.stringify(given));
    }
  });
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
