import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_BYTES, TICKETS } from './answer-support.ts';
import { workspace } from './support.ts';

const LONG = 'x'.repeat(16_384);
const COUNT = { eventName: 'ticket_opened', aggregation: 'count' };
const SUM = { eventName: 'ticket_opened', aggregation: 'sum' };
const RATE = { eventName: 'ticket_opened', aggregation: 'rate' };
const ROWS = { eventName: 'ticket_opened' };
const TABLE = { eventName: 'ticket_opened', mode: 'aggregate' };
const where = (filter: unknown) => ({ filters: [filter] });

/** Invalid arguments, and the field that the error must name; http/refusals.golden.txt has the schema's own refusals. */
const AGGREGATE_REFUSED: [object, string][] = [
  [{}, 'eventName'],
  [{ eventName: 'ticket_opened' }, 'aggregation'],
  [{ ...COUNT, eventName: null }, 'eventName'],
  [{ ...COUNT, eventName: ['ticket_opened'] }, 'eventName'],
  [{ ...COUNT, aggregation: 'mean' }, 'propertyKey'],
  [{ ...COUNT, aggregation: null }, 'aggregation'],
  [{ ...COUNT, aggregation: '__proto__' }, 'aggregation'],
  [{ ...COUNT, aggregation: 'constructor' }, 'aggregation'],
  [SUM, 'propertyKey'],
  [{ ...RATE, propertyKey: 'minutes' }, 'propertyKey'],
  [RATE, 'numerator'],
  [{ ...RATE, numerator: {} }, 'numerator'],
  [{ ...RATE, numerator: { eventName: LONG } }, 'numerator.eventName'],
  [{ ...RATE, numerator: { event: 'x' } }, 'numerator.event'],
  [{ ...RATE, numerator: where({ propertyKey: 'a', operator: 'is', value: 1 }) }, 'numerator.filters[0].operator'],
  [{ ...COUNT, numerator: { eventName: 'x' } }, 'numerator'],
  [{ ...COUNT, filters: { propertyKey: 'plan' } }, 'filters'],
  [{ ...COUNT, filters: Array(51).fill({ propertyKey: 'a', operator: 'exists' }) }, 'filters'],
  [{ ...COUNT, ...where(null) }, 'filters[0]'],
  [{ ...COUNT, ...where({}) }, 'filters[0].operator'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'like', value: 'p%' }) }, 'filters[0].operator'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: '__proto__', value: 1 }) }, 'filters[0].operator'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'eq' }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'eq', value: null }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'eq', value: {} }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'eq', value: ['pro'] }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'in', value: 'pro' }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'in', value: [] }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'in', value: Array(1_001).fill(1) }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'in', value: [{}] }) }, 'filters[0].value[0]'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'startsWith', value: 1 }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'gt', value: true }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'timestamp', operator: 'gt', value: 5 }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'timestamp', operator: 'eq', value: 'yesterday' }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'timestamp', operator: 'contains', value: '2026' }) }, 'filters[0].operator'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'exists', value: 'yes' }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'notExists', value: 1 }) }, 'filters[0].value'],
  [{ ...COUNT, ...where({ propertyKey: '', operator: 'exists' }) }, 'filters[0].propertyKey'],
  [{ ...COUNT, ...where({ propertyKey: LONG, operator: 'exists' }) }, 'filters[0].propertyKey'],
  [{ ...COUNT, ...where({ propertyKey: 'plan', operator: 'eq', value: 'pro', type: 'x' }) }, 'filters[0].type'],
  [{ ...COUNT, dateFrom: ' ' }, 'dateFrom'],
  [{ ...COUNT, dateFrom: 'next week' }, 'dateFrom'],
  [{ ...COUNT, dateFrom: '2026-02-30' }, 'dateFrom'],
  [{ ...COUNT, dateFrom: 'today\0' }, 'dateFrom'],
  [{ ...COUNT, dateTo: '-7' }, 'dateTo'],
  [{ ...COUNT, dateFrom: '2026-03-02', dateTo: '2026-02-01' }, 'dateTo'],
  [{ ...COUNT, timezone: 'Mars/Olympus' }, 'timezone'],
  [{ ...COUNT, timezone: ' ' }, 'timezone'],
  [{ ...COUNT, dateGrouping: 'constructor' }, 'dateGrouping'],
  [{ ...COUNT, group_by: ['a', 'b', 'c', 'd'] }, 'group_by'],
  [{ ...COUNT, group_by: [''] }, 'group_by[0]'],
  [{ ...COUNT, group_by: ['a', 'a'] }, 'group_by'],
  [{ ...COUNT, groupBy: 'plan', group_by: 'minutes' }, 'groupBy'],
  [{ ...COUNT, group_by: 'plan', limit: -1 }, 'limit'],
  [{ ...COUNT, group_by: 'plan', limit: '2.5' }, 'limit'],
  [{ ...COUNT, compareTo: 'previous_year', dateFrom: '-7d' }, 'compareTo'],
  [{ ...COUNT, compareTo: 'previous_period' }, 'compareTo'],
  [{ ...COUNT, waitFor: 'nonsense' }, 'waitFor'],
  [{ ...COUNT, constructor: { prototype: 1 } }, 'constructor'],
  [{ ...COUNT, hasOwnProperty: 1 }, 'hasOwnProperty'],
];

const QUERY_REFUSED: [object, string][] = [
  [{}, 'eventName'],
  [{ ...ROWS, columns: [null] }, 'columns[0]'],
  [{ ...ROWS, columns: [7] }, 'columns[0]'],
  [{ ...ROWS, columns: ['plan', LONG] }, 'columns[1]'],
  [{ ...ROWS, columns: Array.from({ length: 201 }, (_, index) => `c${index}`) }, 'columns'],
  [{ ...ROWS, groupBy: 'plan' }, 'groupBy'],
  [{ ...ROWS, metrics: [{ aggregation: 'count', alias: 'n' }] }, 'metrics'],
  [{ ...TABLE, columns: ['plan'] }, 'columns'],
  [{ ...TABLE, metrics: [null] }, 'metrics[0]'],
  [{ ...TABLE, metrics: [{ aggregation: 'count' }] }, 'metrics[0].alias'],
  [{ ...TABLE, metrics: [{ aggregation: 'count', alias: LONG }] }, 'metrics[0].alias'],
  [{ ...TABLE, metrics: [{ aggregation: 'sum', alias: 'n' }] }, 'metrics[0].propertyKey'],
  [{ ...TABLE, metrics: [{ aggregation: 'rate', alias: 'n' }] }, 'metrics[0].aggregation'],
  [{ ...TABLE, metrics: [{ aggregation: 'count', alias: 'n', filters: [] }] }, 'metrics[0].filters'],
  [
    {
      ...TABLE,
      metrics: [
        { aggregation: 'count', alias: 'n' },
        { aggregation: 'count', alias: 'n' },
      ],
    },
    'metrics[1].alias',
  ],
  [{ ...TABLE, groupBy: 'plan', metrics: [{ aggregation: 'count', alias: 'plan' }] }, 'metrics[0].alias'],
  [{ ...TABLE, groupBy: ['a', 'b', 'c', 'd'] }, 'groupBy'],
  [{ ...TABLE, groupBy: 'plan', sortBy: 'minutes' }, 'sortBy'],
  [{ ...ROWS, limit: -20 }, 'limit'],
  [{ ...ROWS, limit: 'all' }, 'limit'],
  [{ ...ROWS, offset: '-1' }, 'offset'],
  [{ ...ROWS, offset: 1e300 }, 'offset'],
  [{ ...ROWS, sql: 'DROP TABLE events' }, 'sql'],
];

for (const [name, refused] of [
  ['aggregate_events', AGGREGATE_REFUSED],
  ['query_events', QUERY_REFUSED],
] as const) {
  test(`${name}: wrong arguments get a short error that names the field`, async () => {
    const { call, aggregate } = await workspace(TICKETS);
    for (const [args, field] of refused) {
      const shown = JSON.stringify(args).slice(0, 200);
      const { isError, text } = await call(name, args);
      assert.equal(isError, true, `accepted: ${shown}`);
      assert.ok(text.includes(`\n- ${field}: `), `${shown}: ${text.slice(0, 300)}`);
      assert.doesNotMatch(text, /Internal error/, shown);
      assert.ok(text.length < 2_000, `${shown}: ${text.length} characters`);
    }
    assert.equal((await aggregate(COUNT)).value, 5);
  });
}

test('query_events: all wrong fields are named at once', async () => {
  const { call } = await workspace();
  const { text } = await call('query_events', {
    eventName: 'a'.repeat(201),
    mode: 'csv',
    limit: 0,
    offset: -1,
    extra: true,
  });
  for (const field of ['eventName', 'mode', 'limit', 'offset', 'extra']) assert.match(text, new RegExp(`- ${field}: `));
});

test('aggregate_events, query_events: NUL, prototype names and wildcards are data', async () => {
  const { send, aggregate, query } = await workspace();
  const keys = [
    'a\0b',
    '__proto__',
    'constructor',
    'toString',
    'a"b',
    "a'b",
    '$.a',
    'a[0]',
    '%',
    '; DROP TABLE events',
    '/~1',
    '{}',
  ];
  const properties = `{${keys.map((key, index) => `${JSON.stringify(key)}:${index + 1}`).join(',')}}`;
  const waitFor = await send(`{"events":[{"eventName":"odd","properties":${properties}}]}`);
  for (const [index, key] of keys.entries()) {
    const sum = await aggregate({ eventName: 'odd', aggregation: 'sum', propertyKey: key, waitFor });
    assert.equal(sum.value, index + 1, JSON.stringify(key));
    const equal = await aggregate({
      eventName: 'odd',
      aggregation: 'count',
      ...where({ propertyKey: key, operator: 'eq', value: index + 1 }),
      group_by: key,
    });
    assert.equal(equal.value, 1, JSON.stringify(key));
    assert.equal(equal.groups[0].group, index + 1, JSON.stringify(key));
    const table = await query({
      eventName: 'odd',
      mode: 'aggregate',
      metrics: [{ aggregation: 'max', propertyKey: key, alias: 'm' }],
    });
    assert.deepEqual(table.rows, [{ m: index + 1 }]);
  }
  const text = { eventName: 'odd', ...where({ propertyKey: "a'b", operator: 'eq', value: "' OR 1=1 --\0%" }) };
  assert.equal((await aggregate({ ...text, aggregation: 'count' })).value, 0);
});

test('query_events: members named like prototype members appear in rows', async () => {
  const { send, call } = await workspace();
  const waitFor = await send('{"events":[{"eventName":"odd","properties":{"__proto__":{"a":1},"constructor":"c"}}]}');
  const { isError, text, data } = await call('query_events', {
    eventName: 'odd',
    columns: ['__proto__', 'constructor'],
    waitFor,
  });
  assert.equal(isError, false, text);
  assert.equal(JSON.stringify(data.rows), '[{"__proto__":{"a":1},"constructor":"c"}]');
  assert.match(text, /^__proto__ +constructor\n\{"a":1\} +c\n/);
});

test('aggregate_events, query_events: extreme valid arguments get an answer', async () => {
  const { call } = await workspace(TICKETS);
  for (const [name, args] of [
    ['aggregate_events', { ...COUNT, ...where({ propertyKey: 'plan', operator: 'contains', value: LONG }) }],
    ['aggregate_events', { ...COUNT, ...where({ propertyKey: 'minutes', operator: 'gt', value: 1.7e308 }) }],
    ['aggregate_events', { ...COUNT, filters: Array(50).fill({ propertyKey: 'a.b.c', operator: 'neq', value: 1 }) }],
    ['aggregate_events', { ...SUM, propertyKey: '.'.repeat(500) }],
    ['aggregate_events', { ...SUM, propertyKey: 'properties.' }],
    ['aggregate_events', { ...SUM, propertyKey: 'timestamp' }],
    ['aggregate_events', { ...COUNT, group_by: ['timestamp', 'id', 'agentId'] }],
    ['aggregate_events', { ...COUNT, dateFrom: '-99999y' }],
    ['aggregate_events', { ...COUNT, dateFrom: '0001-01-01', dateTo: '9999-12-31', compareTo: 'previous_period' }],
    ['aggregate_events', { ...COUNT, dateFrom: '2026-03-01', dateTo: '2026-03-01T00:00:00Z', dateGrouping: 'hour' }],
    [
      'aggregate_events',
      { ...COUNT, timezone: 'Pacific/Apia', dateFrom: '2011-12-28', dateTo: '2012-01-02', dateGrouping: 'day' },
    ],
    ['query_events', { ...ROWS, offset: Number.MAX_SAFE_INTEGER }],
    ['query_events', { ...ROWS, columns: ['plan', 'plan', 'properties.plan'] }],
    ['query_events', { ...ROWS, sortBy: 'timestamp', sortOrder: 'asc', limit: Number.MAX_SAFE_INTEGER }],
    ['query_events', { ...TABLE, groupBy: ['id', 'timestamp', 'threadId'] }],
    [
      'query_events',
      {
        ...TABLE,
        metrics: Array.from({ length: 20 }, (_, index) => ({
          aggregation: 'p99',
          propertyKey: 'minutes',
          alias: `m${index}`,
        })),
      },
    ],
  ] as [string, object][]) {
    const { text } = await call(name, args);
    assert.doesNotMatch(text, /Internal error/, JSON.stringify(args).slice(0, 200));
    assert.ok(Buffer.byteLength(text) <= MAX_BYTES, JSON.stringify(args).slice(0, 200));
  }
});
