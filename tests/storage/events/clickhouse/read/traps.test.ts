import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DateGrouping } from '../../../../../src/core/analytics/events/fields.ts';
import { aggregatePlan } from '../../../../../src/core/analytics/events/query-plan.ts';
import { askFunnel, askTable } from '../../../../../src/core/analytics/events/questions/ask.ts';
import { planKpi } from '../../../../../src/core/analytics/events/questions/plan.ts';
import type { EventStore, StoredEvent } from '../../../../../src/core/analytics/events/store.ts';
import type { Caller } from '../../../../../src/core/base/shared/caller.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { funnelQuestion, rawQuestion, tableQuestion } from '../../../../reference/questions.ts';
import { openNode, skip, useEngines } from '../places.ts';

/*
 * What ClickHouse answers otherwise when it is asked the obvious way
 * (docs/decisions/0041-events-on-clickhouse.md).
 */

interface Trap {
  trap: string;
  events: (object | { event: Partial<StoredEvent> })[];
  question: object;
  rows: unknown[][];
}

const count = [{ aggregation: 'count', alias: 'n' }];
const of = (aggregation: string) => [{ aggregation, propertyKey: 'x', alias: 'n' }];
const filters = (propertyKey: string, operator: string, value?: unknown) => [{ propertyKey, operator, value }];

const TRAPS: Trap[] = [
  {
    trap: 'one integer beyond 2^64 makes a whole document unreadable',
    events: [{ huge: 1e20, x: 1.5 }],
    question: { metrics: of('sum') },
    rows: [[1.5]],
  },
  {
    trap: 'an index of a list written as text finds nothing, and indexes count from 1',
    events: [{ list: ['first', 'second'] }, { list: [{ deep: ['x'] }] }],
    question: { filters: filters('list.0', 'eq', 'first'), metrics: count },
    rows: [[1]],
  },
  {
    trap: 'an index inside of an element',
    events: [{ list: [{ deep: ['x'] }] }, { list: ['x'] }],
    question: { filters: filters('list.0.deep.0', 'eq', 'x'), metrics: count },
    rows: [[1]],
  },
  {
    trap: 'a text of digits is read as a number',
    events: [{ x: '12' }, { x: 1.5 }, { x: true }, { x: 3 }],
    question: { metrics: of('sum') },
    rows: [[4.5]],
  },
  {
    trap: 'a number and a boolean are read as texts',
    events: [{ x: '1.5' }, { x: 1.5 }, { x: true }, { x: 'true' }],
    question: { filters: filters('x', 'in', ['1.5', 'true']), metrics: count },
    rows: [[2]],
  },
  {
    trap: 'a key with a dot beside a nested one',
    events: [{ 'a.b': 1, a: { b: 2 } }, { a: { b: 3 } }],
    question: { groupBy: 'a.b', metrics: count, sortBy: 'a.b', sortOrder: 'asc' },
    rows: [
      [1, 1],
      [3, 1],
    ],
  },
  {
    trap: 'an alias hides a column',
    events: [{ event_name: 'shadow', tenant: 'shadow', timestamp: 'shadow', properties: 'shadow', p_0: 'x' }],
    question: {
      groupBy: 'event_name',
      metrics: count,
      filters: filters('tenant', 'eq', 'shadow'),
    },
    rows: [['shadow', 1]],
  },
  {
    trap: 'a sum, an average and a minimum of nothing are 0',
    events: [{ y: 1 }],
    question: {
      metrics: ['sum', 'avg', 'min', 'max', 'median', 'p99'].map((aggregation) => ({
        ...of(aggregation)[0],
        alias: aggregation,
      })),
    },
    rows: [[null, null, null, null, null, null]],
  },
  {
    trap: 'percentiles are samples, or not interpolated',
    events: [{ x: 1 }, { x: 2 }, { x: 3 }, { x: 4 }],
    question: { metrics: ['median', 'p90'].map((one) => ({ ...of(one)[0], alias: one })) },
    rows: [[2.5, 3.7]],
  },
  {
    trap: 'a list with NULL, and groups of NULL',
    events: [{ x: 1 }, { x: null }, {}, { x: 'a' }],
    question: { groupBy: 'x', metrics: count, filters: filters('x', 'notIn', [1]) },
    rows: [
      [null, 2],
      ['a', 1],
    ],
  },
  {
    trap: 'values of different types are one group',
    events: [{ x: 1 }, { x: '1' }, { x: true }, { x: 'true' }, { x: [1] }, { x: '[1]' }],
    question: { metrics: of('distinct_count') },
    rows: [[6]],
  },
  {
    trap: 'lower knows ASCII alone',
    events: [{ x: 'ÉCLAIR' }, { x: 'Я' }, { x: 'İstanbul' }],
    question: { filters: filters('x', 'startsWith', 'éc'), metrics: count },
    rows: [[1]],
  },
  {
    trap: 'every text contains the empty one at place 0',
    events: [{ x: '' }, { x: 'a' }, { x: 1 }],
    question: { filters: filters('x', 'contains', ''), metrics: count },
    rows: [[2]],
  },
  {
    trap: 'half is rounded to even',
    events: [{ x: 1e15 }, { x: 0.25 }, { x: 0.25 }],
    question: { metrics: of('sum') },
    rows: [[1e15 + 1]],
  },
  {
    trap: 'texts that end a literal',
    events: [{ x: `'; DROP TABLE events --` }, { x: '\\' }, { x: '\u0000\u2028😀' }, { x: '{p:String}' }],
    question: {
      groupBy: 'x',
      metrics: count,
      filters: filters('x', 'in', [`'; DROP TABLE events --`, '\\', '\u0000\u2028😀', '{p:String}']),
      sortBy: 'x',
      sortOrder: 'asc',
    },
    rows: [
      ['\u0000\u2028😀', 1],
      [`'; DROP TABLE events --`, 1],
      ['\\', 1],
      ['{p:String}', 1],
    ],
  },
  {
    trap: 'events of more months than an insert may have partitions',
    events: Array.from({ length: 150 }, (_, month) => ({ event: { timestamp: month * 2_678_400_000 } })),
    question: { metrics: count },
    rows: [[150]],
  },
];

const engines = useEngines();
let store: EventStore;

before(async () => {
  if (skip) return;
  store = await openNode(await (await engines()).place());
  await Promise.all(TRAPS.map(({ trap, events }) => send(trap, events)));
});

after(() => store?.close());

const contextOf = (tenantId: string) => ({
  store,
  caller: { tenantId, agentId: null, timezone: 'UTC' } as Caller,
  effects: { now: () => Date.parse('2026-01-02T00:00:00Z') },
});

async function send(tenantId: string, events: Trap['events']): Promise<void> {
  const stored = events.map((event) =>
    storedEvent('event' in event ? (event.event as object) : { properties: JSON.stringify(event) }),
  );
  const { receipt } = await store.append(tenantId, stored);
  assert.ok(await store.waitFor(receipt, 20_000));
}

for (const { trap, question, rows } of TRAPS) {
  test(`Compiler for ClickHouse: ${trap}`, { skip }, async () => {
    const input = tableQuestion({ eventName: 'a', mode: 'aggregate', ...question });
    const { table } = await askTable(input, contextOf(trap));
    assert.deepEqual(
      table.rows.map((row) => Object.values(row)),
      rows,
    );
  });
}

const BUCKETS: [trap: string, unit: DateGrouping, at: string, bucket: string][] = [
  ['months before 1970', 'month', '1950-03-05', '1950-03-01'],
  ['months after 2149', 'month', '2150-03-05', '2150-03-01'],
  ['quarters before 1970', 'quarter', '1901-12-31', '1901-10-01'],
  ['years after 2149', 'year', '2298-12-31', '2298-01-01'],
  ['weeks that begin on Sunday', 'week', '2026-03-01', '2026-02-23'],
  ['days before 1970 with a negative rest', 'day', '1969-12-28T23:00:00Z', '1969-12-28'],
];

test('Compiler for ClickHouse: buckets are those of the calendar', { skip }, async () => {
  await Promise.all(BUCKETS.map(([trap, , at]) => send(trap, [{ event: { timestamp: Date.parse(at) } }])));
  for (const [trap, unit, , bucket] of BUCKETS) {
    const plan = aggregatePlan({
      selection: { agentId: null, eventNames: ['a'], from: null, to: null, predicates: [] },
      groupBy: [],
      metrics: [{ aggregation: 'count', field: null }],
      bucket: { unit, offsets: [{ until: null, offset: 0 }] },
    });
    assert.deepEqual((await store.query(trap, plan)).rows, [[1, Date.parse(bucket), false]], trap);
  }
});

test('Compiler for ClickHouse: steps of one time keep their order', { skip }, async () => {
  const step = (id: string, eventName: string) => ({ event: { id, eventName, threadId: 'x' } });
  await send('funnel', [step('1', 'b'), step('2', 'a')]);
  await send('twice', [step('1', 'a')]);
  const funnel = async (tenantId: string, names: string[]) => {
    const steps = names.map((eventName) => ({ eventName }));
    const answer = await askFunnel(funnelQuestion({ steps, by: 'threadId' }), contextOf(tenantId));
    return answer.steps.map(({ count: actors }) => actors);
  };
  assert.deepEqual(await funnel('funnel', ['a', 'b']), [1, 0]);
  assert.deepEqual(await funnel('funnel', ['b', 'a']), [1, 1]);
  assert.deepEqual(await funnel('twice', ['a', 'a']), [1, 0]);
});

test('Compiler for ClickHouse: distinct values are counted, not estimated', { skip }, async () => {
  const many = Array.from({ length: 20_000 }, (_, x) => ({ x: `value ${x}` }));
  await send('many', many);
  const input = tableQuestion({ eventName: 'a', mode: 'aggregate', metrics: of('distinct_count') });
  const { table } = await askTable(input, contextOf('many'));
  assert.deepEqual(table.rows, [{ n: 20_000 }]);
});

test('Compiler for ClickHouse: the rest beyond the top has its own median', { skip }, async () => {
  const groups = ['a', 'b', 'c'].flatMap((group, place) => [1, 2, 3].map((x) => ({ group, x: x * (3 - place) })));
  await send('rest', groups);
  const plan = planKpi(
    rawQuestion({ eventName: 'a', aggregation: 'median', propertyKey: 'x', group_by: 'group', limit: 1 }),
    { agentId: null, timezone: 'UTC', now: Date.parse('2026-01-02T00:00:00Z') },
  );
  assert.deepEqual((await store.query('rest', plan.groups!)).rows, [
    ['a', 6, null, false],
    [null, 2.5, null, true],
  ]);
});
