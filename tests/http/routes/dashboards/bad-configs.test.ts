import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNames, CARDS, type CardType, FILTERS, MINIMAL, newDesk, STEPS, SUM, TYPES } from './support.ts';

/** The fault, the changed members of the minimal config (undefined: left out), the named member. */
type Bad = [why: string, change: object, ...members: string[]];

const filter = (members: object) => ({
  filters: [FILTERS[0], { propertyKey: 'p', operator: 'eq', value: 1, ...members }],
});
const OLDER = { dateFrom: '2026-02-02', dateTo: '2026-01-31' };

/** For configs of every type. */
const BAD: Bad[] = [
  ['an unknown member', { foo: 1 }, 'foo'],
  ['an inherited member', { constructor: 1, toString: 2 }, 'constructor', 'toString'],
  ["an agent, which is the card's", { agentId: 'a' }, 'agentId'],
  ['filters that are not an array', { filters: { propertyKey: 'p' } }, 'filters'],
  ['a filter that is null', { filters: [null] }, 'filters[0]'],
  ['an unknown member of a filter', filter({ foo: 1 }), 'filters[1].foo'],
  ['a filter without an operator', filter({ operator: undefined }), 'filters[1].operator'],
  ['an unknown operator', filter({ operator: 'like' }), 'filters[1].operator'],
  ['a filter without a key', filter({ propertyKey: undefined }), 'filters[1].propertyKey'],
  ['an empty key', filter({ propertyKey: '' }), 'filters[1].propertyKey'],
  ['a long key', filter({ propertyKey: 'p'.repeat(301) }), 'filters[1].propertyKey'],
  ['a lone surrogate in a key', filter({ propertyKey: '\ud800' }), 'filters[1].propertyKey'],
  ['a lone surrogate in a value', filter({ value: '\udc00' }), 'filters[1].value'],
  ['a filter without a value', filter({ value: undefined }), 'filters[1].value'],
  ['null as a value', filter({ value: null }), 'filters[1].value'],
  ['an object as a value', filter({ value: { a: 1 } }), 'filters[1].value'],
  ['a list for eq', filter({ value: [1] }), 'filters[1].value'],
  ['a scalar for in', filter({ operator: 'in' }), 'filters[1].value'],
  ['an empty list for in', filter({ operator: 'in', value: [] }), 'filters[1].value'],
  ['1,001 values for in', filter({ operator: 'in', value: Array(1_001).fill(1) }), 'filters[1].value'],
  ['a text as value for exists', filter({ operator: 'exists', value: 'yes' }), 'filters[1].value'],
  ['a number as value for notExists', filter({ operator: 'notExists', value: 1 }), 'filters[1].value'],
  ['a boolean compared by size', filter({ operator: 'gt', value: true }), 'filters[1].value'],
  ['a time compared with a number', filter({ propertyKey: 'timestamp', operator: 'gt' }), 'filters[1].value'],
  ['an invalid time', filter({ propertyKey: 'timestamp', operator: 'lt', value: 'soon' }), 'filters[1].value'],
  ['a day that does not exist', { dateFrom: '2026-02-30' }, 'dateFrom'],
  ['an empty date', { dateFrom: '' }, 'dateFrom'],
  ['a date as a number', { dateFrom: 1_767_225_600_000 }, 'dateFrom'],
  ['a date in words', { dateTo: 'tomorrow' }, 'dateTo'],
  ['an end before the beginning', OLDER, 'dateTo'],
  ['an unknown time zone', { timezone: 'Mars/Phobos' }, 'timezone'],
  ['an empty time zone', { timezone: '' }, 'timezone'],
  ['a NUL in a time zone', { timezone: 'UTC\0' }, 'timezone'],
  ['a lone surrogate as a time zone', { timezone: '\ud800' }, 'timezone'],
];

const NAMED: Bad[] = [
  ['no event', { eventName: undefined }, 'eventName'],
  ['an empty event', { eventName: '' }, 'eventName'],
  ['an event that is a number', { eventName: 7 }, 'eventName'],
  ['an event that is a list', { eventName: ['a'] }, 'eventName'],
  ['a long event', { eventName: 'e'.repeat(201) }, 'eventName'],
  ['a lone surrogate in an event', { eventName: 'a\ud800' }, 'eventName'],
  ['a NUL in an event', { eventName: 'a\0' }, 'eventName'],
];

const AGGREGATED: Bad[] = [
  ...NAMED,
  ['no aggregation', { aggregation: undefined }, 'aggregation'],
  ['an unknown aggregation', { aggregation: 'mode' }, 'aggregation'],
  ['rate as an aggregation', { aggregation: 'rate' }, 'aggregation'],
  ['null as aggregation', { aggregation: null }, 'aggregation'],
  ...['sum', 'avg', 'min', 'max', 'distinct_count', 'median', 'p90', 'p95', 'p99'].map(
    (aggregation): Bad => [`${aggregation} without a property`, { aggregation }, 'propertyKey'],
  ),
  ['an empty property', { ...SUM, propertyKey: '' }, 'propertyKey'],
  ['null as a property', { ...SUM, propertyKey: null }, 'propertyKey'],
  ['a list of properties', { ...SUM, propertyKey: ['amount'] }, 'propertyKey'],
  ['a lone surrogate in a property', { ...SUM, propertyKey: '\ud800' }, 'propertyKey'],
];

const WHOLE: Bad[] = [
  ['0 as limit', { limit: 0 }, 'limit'],
  ['a negative limit', { limit: -1 }, 'limit'],
  ['a fraction as limit', { limit: 1.5 }, 'limit'],
  ['a limit as text', { limit: '5' }, 'limit'],
  ['a list as limit', { limit: [5] }, 'limit'],
];

const GROUPED: Bad[] = [
  ...WHOLE,
  ['an empty group key', { groupBy: '' }, 'groupBy'],
  ['an empty group key in a list', { groupBy: [''] }, 'groupBy[0]'],
  ['four group keys', { groupBy: ['a', 'b', 'c', 'd'] }, 'groupBy'],
  ['a group key twice', { groupBy: ['a', 'b', 'a'] }, 'groupBy'],
  ['a number as group key', { groupBy: 7 }, 'groupBy'],
];

const SHOWN: Bad[] = [
  ['an unknown comparison', { compareTo: 'last_year' }, 'compareTo'],
  ['a format that is text', { format: '%d' }, 'format'],
  ['an unknown member of a format', { format: { currency: 'BRL' } }, 'format.currency'],
  ['a fraction of decimals', { format: { decimals: 1.5 } }, 'format.decimals'],
  ['negative decimals', { format: { decimals: -1 } }, 'format.decimals'],
  ['a thousand decimals', { format: { decimals: 1_000 } }, 'format.decimals'],
  ['a number as prefix', { format: { prefix: 5 } }, 'format.prefix'],
  ['a line break as suffix', { format: { suffix: '\nNote: forged' } }, 'format.suffix'],
  ['a lone surrogate as prefix', { format: { prefix: '\ud800' } }, 'format.prefix'],
  ['an offset as time zone', { timezone: '+02:00' }, 'timezone'],
];

const CHARTED: Bad[] = [
  ...AGGREGATED,
  ...GROUPED,
  ['an unknown date grouping', { dateGrouping: 'minute' }, 'dateGrouping'],
  ['more hours than a chart can show', { dateGrouping: 'hour', dateFrom: '-90d' }, 'dateGrouping'],
  ['a comparison, which charts lack', { compareTo: 'previous_period' }, 'compareTo'],
];

const step = (members: object) => ({ steps: [{ eventName: 'visit' }, { eventName: 'order', ...members }] });
const metric = (...metrics: object[]) => ({ mode: 'aggregate', metrics });
const COUNT = { aggregation: 'count', alias: 'n' };

const BAD_OF_TYPE: Record<CardType, Bad[]> = {
  number: [...AGGREGATED, ...SHOWN, ['groups', { groupBy: 'plan' }, 'groupBy'], ['a limit', { limit: 5 }, 'limit']],
  rate: [
    ...NAMED,
    ...SHOWN,
    ['no numerator', { numerator: undefined }, 'numerator'],
    ['an empty numerator', { numerator: {} }, 'numerator'],
    ['a numerator with empty filters', { numerator: { filters: [] } }, 'numerator'],
    ['a numerator that is text', { numerator: 'paid' }, 'numerator'],
    ['an unknown member of the numerator', { numerator: { eventName: 'a', foo: 1 } }, 'numerator.foo'],
    ['an empty event in the numerator', { numerator: { eventName: '' } }, 'numerator.eventName'],
    ['a bad filter in the numerator', { numerator: filter({ operator: 'is' }) }, 'numerator.filters[1].operator'],
    [
      'a boolean compared by size in the numerator',
      { numerator: filter({ operator: 'lt', value: true }) },
      'numerator.filters[1].value',
    ],
    ['an aggregation', SUM, 'aggregation', 'propertyKey'],
  ],
  line: CHARTED,
  bar: CHARTED,
  pie: [
    ...AGGREGATED,
    ...GROUPED,
    ['no group key', { groupBy: undefined }, 'groupBy'],
    ['no group key in a list', { groupBy: [] }, 'groupBy'],
    ['a date grouping', { dateGrouping: 'day' }, 'dateGrouping'],
  ],
  table: [
    ...NAMED,
    ...WHOLE,
    ['no mode', { mode: undefined }, 'mode'],
    ['an unknown mode', { mode: 'pivot' }, 'mode'],
    ['a negative offset', { offset: -1 }, 'offset'],
    ['a fraction as offset', { offset: 0.5 }, 'offset'],
    ['null in a list of columns', { columns: [null] }, 'columns[0]'],
    ['a column that is not text', { columns: ['plan', 7] }, 'columns[1]'],
    ['an unknown order', { sortOrder: 'upwards' }, 'sortOrder'],
    ['groups of single rows', { groupBy: 'plan' }, 'groupBy'],
    ['metrics of single rows', { metrics: [COUNT] }, 'metrics'],
    ['columns of groups', { mode: 'aggregate', columns: ['plan'] }, 'columns'],
    ['a group key twice', { mode: 'aggregate', groupBy: ['a', 'a'] }, 'groupBy'],
    ['null in a list of metrics', { mode: 'aggregate', metrics: [null] }, 'metrics[0]'],
    ['a metric without an alias', metric({ aggregation: 'count' }), 'metrics[0].alias'],
    ['an empty alias', metric({ ...COUNT, alias: '' }), 'metrics[0].alias'],
    ['a long alias', metric({ ...COUNT, alias: 'n'.repeat(101) }), 'metrics[0].alias'],
    ['an alias twice', metric(COUNT, COUNT), 'metrics[1].alias'],
    ['an alias that is a group key', { ...metric(COUNT), groupBy: 'n' }, 'metrics[0].alias'],
    ['an unknown member of a metric', metric({ ...COUNT, foo: 1 }), 'metrics[0].foo'],
    ['a sum without a property', metric(COUNT, { aggregation: 'sum', alias: 's' }), 'metrics[1].propertyKey'],
    ['an order by an unknown key', { ...metric(COUNT), sortBy: 'plan' }, 'sortBy'],
    ['a return of single rows', { returned: { eventName: 'paid' } }, 'returned'],
    ['cohorts of groups', { mode: 'aggregate', dateGrouping: 'day' }, 'dateGrouping'],
    ['cohorts by hour', { mode: 'retention', dateGrouping: 'hour' }, 'dateGrouping'],
    ['groups of cohorts', { mode: 'retention', groupBy: 'plan' }, 'groupBy'],
    ['too many periods', { mode: 'retention', periods: 32 }, 'periods'],
    ['too many cohorts', { mode: 'retention', dateGrouping: 'day', dateFrom: '2001', dateTo: '2010' }, 'dateGrouping'],
    [
      'a bad filter of a return',
      { mode: 'retention', returned: { filters: [{ propertyKey: 'a', operator: 'startsWith', value: 1 }] } },
      'returned.filters[0].value',
    ],
  ],
  funnel: [
    ['no steps', { steps: undefined }, 'steps'],
    ['steps that are text', { steps: 'visit' }, 'steps'],
    ['an empty list of steps', { steps: [] }, 'steps'],
    ['one step', { steps: [{ eventName: 'visit' }] }, 'steps'],
    ['eleven steps', { steps: [...STEPS, { eventName: 'a' }] }, 'steps'],
    ['a step that is text', { steps: ['visit', { eventName: 'order' }] }, 'steps[0]'],
    ['a step without an event', step({ eventName: undefined }), 'steps[1].eventName'],
    ['a lone surrogate in a step', step({ eventName: '\ud800' }), 'steps[1].eventName'],
    ['an empty label', step({ label: '' }), 'steps[1].label'],
    ['an unknown member of a step', step({ foo: 1 }), 'steps[1].foo'],
    ['an unknown member of a step filter', step(filter({ foo: 1 })), 'steps[1].filters[1].foo'],
    [
      'a boolean compared by size in a step',
      step(filter({ operator: 'gt', value: true })),
      'steps[1].filters[1].value',
    ],
    ['an event next to the steps', { eventName: 'order' }, 'eventName'],
    ['an empty key', { by: '' }, 'by'],
    ['an empty window', { windowSeconds: 0 }, 'windowSeconds'],
    ['a negative window', { windowSeconds: -1 }, 'windowSeconds'],
    ['a fraction of a second', { windowSeconds: 0.5 }, 'windowSeconds'],
    ['a window as text', { windowSeconds: '60' }, 'windowSeconds'],
  ],
  gauge: [
    ...AGGREGATED,
    ['no min', { min: undefined }, 'min'],
    ['no max', { max: undefined }, 'max'],
    ['numbers as text', { min: '0', max: 'NaN' }, 'min', 'max'],
    ['null, which is JSON for NaN', { min: Number.NaN, max: Number.POSITIVE_INFINITY }, 'min', 'max'],
    ['an empty scale', { min: 5, max: 5 }, 'max'],
    ['an inverted scale', { min: 5, max: 4 }, 'max'],
    ['a target below', { target: -1 }, 'target'],
    ['a target above', { target: 101 }, 'target'],
    ['a target as text', { target: '50' }, 'target'],
    ['thresholds that are not an array', { thresholds: 50 }, 'thresholds'],
    ['a threshold beyond the scale', { thresholds: [{ value: 101 }] }, 'thresholds[0].value'],
    ['descending thresholds', { thresholds: [{ value: 60 }, { value: 40 }] }, 'thresholds[1].value'],
    ['a threshold twice', { thresholds: [{ value: 60 }, { value: 60 }] }, 'thresholds[1].value'],
    ['an unknown member of a threshold', { thresholds: [{ value: 60, foo: 1 }] }, 'thresholds[0].foo'],
    ['a threshold as text', { thresholds: [{ value: 'NaN' }] }, 'thresholds[0].value'],
  ],
};

for (const cardType of TYPES) {
  test(`POST cards, PATCH cards: a bad ${cardType} config is 400 and names the member`, {
    concurrency: 10,
  }, async (t) => {
    const desk = await newDesk();
    const card = await desk.card({ cardType, config: MINIMAL[cardType] });
    const refused = ([why, change, ...members]: Bad, index: number) =>
      t.test(`POST cards: ${cardType} config with ${why}`, async () => {
        const config = { ...MINIMAL[cardType], ...change };
        const paths = members.map((member) => `config.${member}`);
        assertNames(await desk.request('POST', CARDS, { title: 'Bad', cardType, config }), ...paths);
        // A change is examined as a whole config.
        if (index % 4 > 0) return;
        assertNames(await desk.request('PATCH', `${CARDS}/${card.id}`, { title: 'Bad', config }), ...paths);
      });
    await Promise.all([...BAD, ...BAD_OF_TYPE[cardType]].map(refused));
    assert.deepEqual((await desk.cards()).cards, [card], 'nothing was stored or changed');
  });
}
