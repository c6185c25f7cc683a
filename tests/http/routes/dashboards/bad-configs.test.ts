import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNames, CARDS, type CardType, FILTERS, MINIMAL, newDesk, STEPS, SUM, TYPES } from './support.ts';

/** What the schema alone refuses is in refusals.golden.txt. Here: the fault, the changed members of the minimal config (undefined: left out), the named member. */
type Bad = [why: string, change: object, ...members: string[]];

const filter = (members: object) => ({
  filters: [FILTERS[0], { propertyKey: 'p', operator: 'eq', value: 1, ...members }],
});
const OLDER = { dateFrom: '2026-02-02', dateTo: '2026-01-31' };

/** For configs of every type. */
const BAD: Bad[] = [
  ['an inherited member', { constructor: 1, toString: 2 }, 'constructor', 'toString'],
  ["an agent, which is the card's", { agentId: 'a' }, 'agentId'],
  ['a filter without a value', filter({ value: undefined }), 'filters[1].value'],
  ['a boolean compared by size', filter({ operator: 'gt', value: true }), 'filters[1].value'],
  ['a day that does not exist', { dateFrom: '2026-02-30' }, 'dateFrom'],
  ['a date in words', { dateTo: 'tomorrow' }, 'dateTo'],
  ['an end before the beginning', OLDER, 'dateTo'],
  ['an unknown time zone', { timezone: 'Mars/Phobos' }, 'timezone'],
  ['an offset as time zone', { timezone: '+02:00' }, 'timezone'],
  ['a NUL in a time zone', { timezone: 'UTC\0' }, 'timezone'],
];

const UNNAMED: Bad = ['no event', { eventName: undefined }, 'eventName'];

const AGGREGATED: Bad[] = [
  UNNAMED,
  ['no aggregation', { aggregation: undefined }, 'aggregation'],
  ['rate as an aggregation', { aggregation: 'rate' }, 'aggregation'],
  ...['sum', 'avg', 'min', 'max', 'distinct_count', 'median', 'p90', 'p95', 'p99'].map(
    (aggregation): Bad => [`${aggregation} without a property`, { aggregation }, 'propertyKey'],
  ),
];

const TWICE: Bad = ['a group key twice', { groupBy: ['a', 'b', 'a'] }, 'groupBy'];

const CHARTED: Bad[] = [
  ...AGGREGATED,
  TWICE,
  ['more hours than a chart can show', { dateGrouping: 'hour', dateFrom: '-90d' }, 'dateGrouping'],
  ['a comparison, which charts lack', { compareTo: 'previous_period' }, 'compareTo'],
];

const step = (members: object) => ({ steps: [{ eventName: 'visit' }, { eventName: 'order', ...members }] });
const metric = (...metrics: object[]) => ({ mode: 'aggregate', metrics });
const COUNT = { aggregation: 'count', alias: 'n' };

const BAD_OF_TYPE: Record<CardType, Bad[]> = {
  number: [...AGGREGATED, ['groups', { groupBy: 'plan' }, 'groupBy'], ['a limit', { limit: 5 }, 'limit']],
  rate: [
    UNNAMED,
    ['no numerator', { numerator: undefined }, 'numerator'],
    ['an empty numerator', { numerator: {} }, 'numerator'],
    ['a numerator with empty filters', { numerator: { filters: [] } }, 'numerator'],
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
    TWICE,
    ['no group key', { groupBy: undefined }, 'groupBy'],
    ['no group key in a list', { groupBy: [] }, 'groupBy'],
    ['a date grouping', { dateGrouping: 'day' }, 'dateGrouping'],
  ],
  table: [
    UNNAMED,
    ['groups of single rows', { groupBy: 'plan' }, 'groupBy'],
    ['metrics of single rows', { metrics: [COUNT] }, 'metrics'],
    ['columns of groups', { mode: 'aggregate', columns: ['plan'] }, 'columns'],
    ['a group key twice', { mode: 'aggregate', groupBy: ['a', 'a'] }, 'groupBy'],
    ['an alias twice', metric(COUNT, COUNT), 'metrics[1].alias'],
    ['an alias that is a group key', { ...metric(COUNT), groupBy: 'n' }, 'metrics[0].alias'],
    ['a sum without a property', metric(COUNT, { aggregation: 'sum', alias: 's' }), 'metrics[1].propertyKey'],
    ['an order by an unknown key', { ...metric(COUNT), sortBy: 'plan' }, 'sortBy'],
    ['a return of single rows', { returned: { eventName: 'paid' } }, 'returned'],
    ['cohorts of groups', { mode: 'aggregate', dateGrouping: 'day' }, 'dateGrouping'],
    ['cohorts by hour', { mode: 'retention', dateGrouping: 'hour' }, 'dateGrouping'],
    ['groups of cohorts', { mode: 'retention', groupBy: 'plan' }, 'groupBy'],
    ['too many cohorts', { mode: 'retention', dateGrouping: 'day', dateFrom: '2001', dateTo: '2010' }, 'dateGrouping'],
    [
      'a bad filter of a return',
      { mode: 'retention', returned: { filters: [{ propertyKey: 'a', operator: 'startsWith', value: 1 }] } },
      'returned.filters[0].value',
    ],
  ],
  funnel: [
    ['one step', { steps: [{ eventName: 'visit' }] }, 'steps'],
    ['eleven steps', { steps: [...STEPS, { eventName: 'a' }] }, 'steps'],
    ['an unknown member of a step filter', step(filter({ foo: 1 })), 'steps[1].filters[1].foo'],
    [
      'a boolean compared by size in a step',
      step(filter({ operator: 'gt', value: true })),
      'steps[1].filters[1].value',
    ],
    ['an event next to the steps', { eventName: 'order' }, 'eventName'],
  ],
  gauge: [
    ...AGGREGATED,
    ['null, which is JSON for NaN', { min: Number.NaN, max: Number.POSITIVE_INFINITY }, 'min', 'max'],
    ['an empty scale', { min: 5, max: 5 }, 'max'],
    ['an inverted scale', { min: 5, max: 4 }, 'max'],
    ['a target below', { target: -1 }, 'target'],
    ['a target above', { target: 101 }, 'target'],
    ['a threshold beyond the scale', { thresholds: [{ value: 101 }] }, 'thresholds[0].value'],
    ['descending thresholds', { thresholds: [{ value: 60 }, { value: 40 }] }, 'thresholds[1].value'],
    ['a threshold twice', { thresholds: [{ value: 60 }, { value: 60 }] }, 'thresholds[1].value'],
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
