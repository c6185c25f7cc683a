import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivals, eventOfRow, pageNumber, propertyRows, shortProperties } from '../../portal/src/feed/state.ts';
import { faultOf, totalsInWords } from '../../portal/src/pages/cases/state.ts';
import { cardOf as kpiCardOf, lookOf, renderedOf } from '../../portal/src/pages/explore/kpi/picture.ts';
import { formOf as kpiFormOf, questionOf as kpiQuestionOf } from '../../portal/src/pages/explore/kpi/state.ts';
import { csvOf } from '../../portal/src/pages/explore/table/csv.ts';
import { cardOf, formOf, nextSort, questionOf, withValidSort } from '../../portal/src/pages/explore/table/state.ts';
import { curlOf } from '../../portal/src/question/state/text.ts';

const eventAt = (second: number) => ({
  id: `e${second}`,
  eventName: 'order_paid',
  properties: {},
  threadId: null,
  executionId: null,
  timestamp: `2026-03-12T10:00:${String(second).padStart(2, '0')}.000Z`,
});
const page = (seconds: number[], total: number) => ({ events: seconds.map(eventAt), total });

test('Feed: counts what has arrived since, also beyond the page and between its rows', () => {
  assert.equal(arrivals(page([5, 4, 3], 3), page([5, 4, 3], 3)), 0);
  assert.equal(arrivals(page([5, 4, 3], 10), page([7, 6, 5], 12)), 2);
  assert.equal(arrivals(page([5, 3, 1], 10), page([5, 4, 3], 11)), 1, 'an event that came late');
  assert.equal(arrivals(page([5, 4, 3], 10), page([9, 8, 7], 60)), 50, 'more than a page');
  assert.equal(arrivals(page([5, 4, 3], 10), page([5, 4, 2], 9)), 0, 'an older event moved up');
  assert.equal(arrivals(page([], 0), page([1], 1)), 1);
});

test('Feed: a page number of the address is a whole number above 0, or 1', () => {
  assert.deepEqual(['2', undefined, '0', '-1', '1.5', 'x', '1e3', '99999999999'].map(pageNumber), [
    ...[2, 1, 1, 1, 1, 1, 1, 1],
  ]);
});

test('Feed: properties in short, and each by the key of queries', () => {
  const properties = { plan: 'pro', utm: { source: 'mail' }, tags: ['a'], none: null, empty: {} };
  assert.equal(
    shortProperties(properties),
    'plan: pro · utm: {"source":"mail"} · tags: ["a"] · none: null · empty: {}',
  );
  assert.ok(shortProperties({ long: '😀'.repeat(300) }).isWellFormed());
  assert.deepEqual(propertyRows(properties), [
    { key: 'plan', value: 'pro' },
    { key: 'utm.source', value: 'mail' },
    { key: 'tags', value: '["a"]' },
    { key: 'none', value: 'null' },
    { key: 'empty', value: '{}' },
  ]);
});

test('Feed: an event is read from a row of a query, properties named like fields too', () => {
  const row = {
    id: 'e1',
    timestamp: 't',
    threadId: null,
    executionId: 'r',
    'properties.id': 7,
    gone: null,
  };
  const fields = { id: 'e1', eventName: 'x', timestamp: 't', threadId: null, executionId: 'r' };
  assert.deepEqual(eventOfRow('x', row), { ...fields, properties: { id: 7 } });
});

test('Cases: totals in words, and what a refused handle means', () => {
  const totals = { total: 1_204, totalThreads: 87, totalExecutions: 1 };
  assert.equal(totalsInWords(totals), '1,204 events in 87 threads and 1 execution');
  assert.equal(totalsInWords({ ...totals, total: 1, totalThreads: 0 }), '1 event in 1 execution');
  assert.equal(totalsInWords({ total: 0, totalThreads: 0, totalExecutions: 0 }), '0 events');
  const refused = (statusCode: number) => faultOf({ statusCode, message: 'Needs the scope reviews:read.' });
  assert.equal(refused(400)?.title, 'This address is not complete');
  assert.match(refused(403)!.text, /reviews:read/);
  assert.equal(refused(503), null);
});

test('Table: a question in the address makes the form that asks it', () => {
  const questions = [
    { eventName: 'order_paid', mode: 'raw' },
    {
      eventName: 'order_paid',
      mode: 'raw',
      columns: ['amount', 'utm.source'],
      filters: [
        { propertyKey: 'plan', operator: 'in', value: ['pro', 1, true] },
        { propertyKey: 'amount', operator: 'exists' },
      ],
      dateFrom: '-7d',
      dateTo: 'yesterday',
      timezone: 'Europe/Lisbon',
      sortBy: 'amount',
      sortOrder: 'asc',
      limit: 20,
      offset: 40,
    },
    {
      eventName: 'order_paid',
      mode: 'aggregate',
      groupBy: ['plan', 'country'],
      metrics: [
        { aggregation: 'sum', propertyKey: 'amount', alias: 'revenue' },
        { aggregation: 'count', alias: 'count' },
      ],
    },
  ];
  for (const question of questions) assert.deepEqual(questionOf(formOf(JSON.stringify(question))), question);
});

test('Table: what is no question makes an empty form', () => {
  const hostile = '{"eventName":7,"filters":[null,{"operator":"x"}],"metrics":[{}],"groupBy":[{}],"offset":-1}';
  for (const text of [undefined, '', '{', '7', '[]', 'null', hostile]) {
    assert.deepEqual(questionOf(formOf(text)), { eventName: '', mode: 'raw' });
  }
});

test('Table: a press on a head sorts downwards, another one upwards', () => {
  const question = { eventName: 'order_paid', mode: 'raw' as const };
  assert.deepEqual(nextSort(question, 'timestamp'), { by: 'timestamp', order: 'asc' });
  assert.deepEqual(nextSort(question, 'amount'), { by: 'amount', order: 'desc' });
  const form = { ...formOf(JSON.stringify({ ...question, columns: ['plan'], sortBy: 'amount' })) };
  assert.equal(withValidSort(form).sort, null, 'the column is gone');
  assert.equal(withValidSort({ ...form, columns: [] }).sort?.by, 'amount');
});

test('Table: becomes a card without its place in the pages', () => {
  const question = { eventName: 'order\npaid', mode: 'aggregate' as const, groupBy: ['plan'], offset: 20 };
  const { offset: _, ...config } = question;
  const ofAllTime = { ...config, dateFrom: '1970-01-01' };
  assert.deepEqual(cardOf(question), { cardType: 'table', config: ofAllTime });
  assert.equal(cardOf({ ...question, dateFrom: '-7d' }).config.dateFrom, '-7d');
});

test('CSV: quotes what needs it, and keeps spreadsheets from running a text', () => {
  const row = { a: 'x,"y"\n', b: -5, c: null, d: { k: 1 }, e: '=1+1', '=f': '-5', g: ' ', h: true };
  assert.equal(
    csvOf(Object.keys(row), [row, {}]),
    `a,b,c,d,e,'=f,g,h\r\n"x,""y""\n",-5,,"{""k"":1}",'=1+1,'-5," ",true\r\n,,,,,,,\r\n`,
  );
  for (const start of ['+', '-', '@', '\t', '\r']) {
    assert.match(csvOf(['a'], [{ a: `${start}cmd` }]), /^a\r\n"?'/, JSON.stringify(start));
  }
});

test('REST: a question with apostrophes stays one argument of the shell', () => {
  assert.match(curlOf('http://host/api', { eventName: "it's" }), /-d '\{"eventName":"it'\\''s"\}'$/);
});

const KPI = { eventName: 'order_paid', aggregation: 'sum' as const, propertyKey: 'amount' };
const BASIS = {
  eventName: 'order_paid',
  agentId: null,
  filters: [],
  from: null,
  to: null,
  timezone: 'UTC',
  matchedEvents: 3,
  lastEventAt: null,
};

test('KPI: a question in the address makes the form that asks it', () => {
  const questions = [
    { eventName: 'order_paid', aggregation: 'count' },
    { ...KPI, compareTo: 'previous_period', dateFrom: '-7d', timezone: 'UTC' },
    { ...KPI, dateGrouping: 'day', group_by: ['plan', 'country'], limit: 5 },
    {
      eventName: 'order_paid',
      aggregation: 'rate',
      numerator: { eventName: 'refund', filters: [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }] },
      group_by: 'plan',
    },
    { metric: 'resolution_rate@2', dateFrom: '-7d', group_by: 'plan' },
  ];
  for (const question of questions) assert.deepEqual(kpiQuestionOf(kpiFormOf(JSON.stringify(question))), question);
  const empty = { eventName: '', aggregation: 'count' };
  for (const text of [undefined, '[]', '{"aggregation":"x","numerator":7,"dateGrouping":"eon"}']) {
    assert.deepEqual(kpiQuestionOf(kpiFormOf(text)), empty);
  }
});

test('KPI: is drawn and saved by what it asks and how the reader wants it', () => {
  const series = { ...KPI, dateGrouping: 'day' as const, compareTo: 'previous_period' as const };
  assert.equal(lookOf(KPI, 'pie'), null);
  assert.equal(lookOf(series, 'pie'), 'line');
  assert.equal(lookOf({ ...KPI, group_by: 'plan' }, 'pie'), 'pie');
  const { aggregation, propertyKey, eventName } = KPI;
  const measure = { aggregation, propertyKey, eventName };
  const answered = { series: [{ bucket: '2026-03-05T00:00:00Z', value: 2 }] };
  assert.deepEqual(kpiCardOf(series, 'bar', answered), {
    cardType: 'bar',
    config: { ...measure, dateFrom: '2026-03-05', dateGrouping: 'day' },
  });
  const rate = { eventName, aggregation: 'rate' as const, numerator: {} };
  assert.equal(kpiCardOf({ ...rate, group_by: 'plan' }, 'bar'), null, 'cards have one rate');
  assert.equal(kpiCardOf(rate, null)?.cardType, 'rate');
  const answer = { value: 0.25, numerator: 1, denominator: 4, basis: BASIS };
  assert.deepEqual(renderedOf(answer, rate, null), {
    card: { title: 'Rate, order_paid', cardType: 'rate' },
    data: { value: 0.25, formatted: '25.0%', numerator: 1, denominator: 4, previous: undefined },
    basis: BASIS,
  });
});

test('KPI: an answer about a metric is drawn and saved as the metric says', () => {
  const question = { metric: 'resolution_rate', dateGrouping: 'day' as const, dateFrom: '-7d' };
  const metric = { format: { percent: true }, goodDirection: 'up' as const };
  const series = [{ bucket: '2026-03-05T00:00:00Z', value: 0.5 }];
  const annotations = [{ at: '2026-03-05T10:00:00.000Z', text: 'Release' }];
  const { card, data } = renderedOf({ value: 0.5, series, annotations, basis: BASIS }, question, 'line', metric);
  assert.equal(card.title, 'Resolution rate, by day');
  assert.deepEqual(data, { series, annotations, ...metric, unit: undefined });
  const minutes = { unit: 'minutes', goodDirection: 'down' as const };
  const one = renderedOf({ value: 12.5, basis: BASIS }, { metric: 'minutes' }, null, minutes);
  assert.equal('formatted' in one.data && one.data.formatted, '12.5 minutes');
  const saved = { metric: 'resolution_rate', dateFrom: '-7d', dateGrouping: 'day' };
  assert.deepEqual(kpiCardOf(question, 'line'), { cardType: 'line', config: saved });
});
