import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { configOf, formOf } from '../../portal/src/pages/cards/config.ts';
import { formOfJson, jsonOf } from '../../portal/src/pages/cards/json.ts';
import { shownPaths } from '../../portal/src/pages/cards/paths.ts';
import { type CardForm, emptyForm, missingOf, rowMoved, withType } from '../../portal/src/pages/cards/state.ts';
import { suggestedTitle } from '../../portal/src/pages/cards/title.ts';
import { rowsOf } from '../../portal/src/question/filters/filters.ts';
import { rangeOf } from '../../portal/src/question/state/range.ts';
import { CARD_TYPES, type CardType, configSchemas } from '../../src/core/analytics/dashboards/config-schema.ts';
import { AGGREGATIONS, DATE_GROUPINGS } from '../../src/core/analytics/events/fields.ts';

const key = fc.oneof(
  fc.constantFrom('amount', 'plan', 'utm.source', '<img onerror>'),
  fc.string({ minLength: 1, maxLength: 12 }),
);
const name = fc.oneof(fc.constantFrom('order_paid', 'عربي', '🛒'), fc.stringMatching(/^[a-z_ ]{1,12}$/));
const text = fc.string({ maxLength: 12 }).filter((value) => !/\p{Cc}/u.test(value));
const label = text.filter((value) => value !== '');
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((value) => value + 0);
const scalar = fc.oneof(fc.string({ maxLength: 8 }), number, fc.boolean());
const optional = { requiredKeys: [] as never[] };

const filter = fc.oneof(
  fc.record({
    propertyKey: key,
    operator: fc.constantFrom('eq', 'neq', 'gt', 'lt', 'gte', 'lte', 'contains', 'notContains', 'startsWith'),
    value: scalar,
  }),
  fc.record({
    propertyKey: key,
    operator: fc.constantFrom('in', 'notIn'),
    value: fc.array(scalar, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ propertyKey: key, operator: fc.constantFrom('exists', 'notExists') }),
);
const filters = fc.array(filter, { minLength: 1, maxLength: 3 });
const keys = fc.oneof(key, fc.uniqueArray(key, { minLength: 2, maxLength: 3 }));
const common = {
  filters,
  dateFrom: fc.constantFrom('-7d', 'today', 'last_month', '2026-03-01', 'now-24h', '2026-Q1'),
  dateTo: fc.constantFrom('yesterday', '2026-03-08', '-1d', '2026-03-08T12:00:00Z'),
  timezone: fc.constantFrom('UTC', 'America/Sao_Paulo'),
};
const measure = { eventName: name, aggregation: fc.constantFrom(...AGGREGATIONS) };
const comparable = {
  compareTo: fc.constant('previous_period'),
  format: fc.oneof(
    fc.record({ prefix: label, suffix: label, decimals: fc.integer({ min: 0, max: 10 }), percent: fc.boolean() }),
    fc.record({ decimals: fc.integer({ min: 0, max: 10 }) }),
  ),
};
const limit = fc.integer({ min: 1, max: 500 });
const metric = fc.constantFrom('resolution_rate', 'resolution_rate@2');

function config<Required extends object, Others extends object>(
  required: { [Name in keyof Required]: fc.Arbitrary<Required[Name]> },
  others: { [Name in keyof Others]: fc.Arbitrary<Others[Name]> },
) {
  return fc.tuple(fc.record(required), fc.record(others, optional)).map(([one, other]) => ({ ...one, ...other }));
}

const chart = config(measure, {
  propertyKey: key,
  dateGrouping: fc.constantFrom(...DATE_GROUPINGS),
  groupBy: keys,
  limit,
  ...common,
});
const scale = fc
  .uniqueArray(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 4, maxLength: 6 })
  .map((values) => values.sort((one, other) => one - other))
  .chain(([min, target, ...rest]) =>
    fc.record({
      min: fc.constant(min),
      max: fc.constant(rest.pop()),
      target: fc.constant(target),
      thresholds: fc.constant(
        rest.map((value, index) => (index === 0 ? { value, label: 'fair', color: 'amber' } : { value })),
      ),
    }),
  );

const CONFIGS: Record<CardType, fc.Arbitrary<Record<string, unknown>>> = {
  number: config(measure, { propertyKey: key, ...common, ...comparable }),
  rate: config(
    { eventName: name, numerator: fc.record({ eventName: name, filters }, optional) },
    { ...common, ...comparable },
  ),
  line: chart,
  bar: chart,
  pie: config({ ...measure, groupBy: keys }, { propertyKey: key, limit, ...common }),
  table: fc.oneof(
    config(
      { eventName: name, mode: fc.constant('raw') },
      {
        columns: fc.array(key, { minLength: 1, maxLength: 5 }),
        sortBy: key,
        sortOrder: fc.constant('asc'),
        limit,
        ...common,
      },
    ),
    config(
      { eventName: name, mode: fc.constant('aggregate') },
      {
        groupBy: keys,
        metrics: fc.array(
          fc.record({ ...measure, propertyKey: key, alias: label }).map(({ eventName: _, ...one }) => one),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        sortBy: key,
        sortOrder: fc.constant('desc'),
        limit,
        ...common,
      },
    ),
  ),
  funnel: config(
    {
      steps: fc.array(config({ eventName: name }, { filters, label }), { minLength: 2, maxLength: 10 }),
    },
    { by: key, windowSeconds: fc.integer({ min: 1, max: 366 * 86_400 }), ...common },
  ),
  gauge: fc
    .tuple(config(measure, { propertyKey: key, ...common }), scale)
    .map(([one, other]) => ({ ...one, ...other })),
};

const asJson = (value: object): Record<string, unknown> => JSON.parse(JSON.stringify(value));

const formWith = (cardType: CardType, members: Partial<CardForm['members']>): CardForm => ({
  cardType,
  members: { ...emptyForm().members, ...members },
  kept: null,
});

const ABOUT_METRICS: Partial<Record<CardType, fc.Arbitrary<Record<string, unknown>>>> = {
  number: config({ metric }, { ...common, ...comparable }),
  rate: config({ metric }, { ...common, ...comparable }),
  line: config({ metric }, { dateGrouping: fc.constantFrom(...DATE_GROUPINGS), groupBy: keys, limit, ...common }),
  pie: config({ metric, groupBy: keys }, { limit, ...common }),
  gauge: fc.tuple(config({ metric }, common), scale).map(([one, other]) => ({ ...one, ...other })),
};

const kinds = (configs: object, about: string) =>
  Object.entries(configs).map(([type, arbitrary]) => [type as CardType, about, arbitrary] as const);

for (const [cardType, about, configs] of [...kinds(CONFIGS, ''), ...kinds(ABOUT_METRICS, ' about a metric')]) {
  test(`Cards: the form holds every ${cardType} config${about}, and gives it back`, () => {
    fc.assert(
      fc.property((configs as fc.Arbitrary<object>).map(asJson), (asked) => {
        assert.ok(configSchemas[cardType].safeParse(asked).success, 'the generated config is one of the schema');
        const form = formOf(cardType, asked);
        assert.deepEqual(form.kept?.members, {}, 'the form shows all of it');
        assert.deepEqual(configOf(form), asked);
        if (about !== '') assert.equal(missingOf(form), null);
      }),
      { numRuns: 200 },
    );
  });
}

test('Cards: a metric replaces the event and gives way to it again', () => {
  const events = formWith('number', { eventName: 'paid', aggregation: 'sum', propertyKey: 'amount' });
  const asked = { ...events, members: { ...events.members, subject: 'metric' as const } };
  assert.equal(missingOf(asked), 'Choose a metric.');
  assert.equal(suggestedTitle(asked), 'New card');
  const chosen = { ...asked, members: { ...asked.members, metric: 'average_order@2' } };
  assert.deepEqual(configOf(chosen), { metric: 'average_order@2' });
  assert.equal(suggestedTitle(chosen), 'Average order');
  assert.ok(shownPaths(chosen).includes('config.metric') && !shownPaths(chosen).includes('config.eventName'));
  assert.deepEqual(configOf(withType(chosen, 'table')), { eventName: 'paid', mode: 'aggregate' });
  assert.deepEqual(configOf({ ...chosen, members: { ...chosen.members, subject: 'event' } }), configOf(events));
});

test('Cards: what is no config of its type survives the form as it was', () => {
  const any = fc.record(
    { eventName: fc.anything(), filters: fc.jsonValue(), steps: fc.jsonValue(), groupBy: fc.jsonValue() },
    optional,
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...CARD_TYPES),
      any,
      // The server refuses `__proto__`.
      fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        fc.jsonValue(),
      ),
      (cardType, known, others) => {
        const asked = asJson({ ...others, ...known });
        assert.deepEqual(configOf(formOf(cardType, asked)), asked);
      },
    ),
  );
});

test('Cards: an edit keeps the members that the form does not know', () => {
  const asked = { eventName: 'paid', aggregation: 'count', later: 'kept', filters: 'none', groupBy: ['plan'] };
  const form = formOf('line', asked);
  const edited = {
    ...form,
    members: { ...form.members, limit: '5', filters: rowsOf([{ propertyKey: 'a', operator: 'exists' }]) },
  };
  assert.deepEqual(configOf(edited), { ...asked, filters: [{ propertyKey: 'a', operator: 'exists' }], limit: 5 });
  assert.deepEqual(configOf({ ...edited, cardType: 'number' }), {
    eventName: 'paid',
    aggregation: 'count',
    filters: [{ propertyKey: 'a', operator: 'exists' }],
  });
});

test('Cards: the form gives back a retention, which it does not show', () => {
  const asked = {
    ...{ eventName: 'signed_up', mode: 'retention', start: { filters: [] }, returned: { eventName: 'paid' } },
    ...{ by: 'userId', dateGrouping: 'week', periods: 4, limit: 50 },
  };
  const form = formOf('table', asked);
  assert.deepEqual(configOf(form), asked);
  assert.equal(suggestedTitle(form), 'Retention of signed up');
  assert.ok(!shownPaths(form).includes('config.sortBy'));
  assert.deepEqual(configOf({ ...form, members: { ...form.members, eventName: 'trial', sortOrder: 'asc' } }), {
    ...asked,
    eventName: 'trial',
  });
});

test('Cards: half a number is sent as typed; empty fields and rows are not', () => {
  const form = formWith('gauge', {
    eventName: 'paid',
    min: '0',
    max: '1e',
    thresholds: [
      { id: 1, value: '', label: '', color: '' },
      { id: 2, value: '3', label: '', color: '' },
    ],
    filters: [
      { id: 3, propertyKey: 'plan', operator: 'eq', values: [{ text: '', kind: 'blank' }] },
      { id: 4, propertyKey: '', operator: 'exists', values: [] },
    ],
  });
  assert.deepEqual(configOf(form), {
    eventName: 'paid',
    aggregation: 'count',
    min: 0,
    max: '1e',
    thresholds: [{ value: 3 }],
  });
  const table = formWith('table', { eventName: 'paid', mode: 'raw', columns: ['plan', ''] });
  assert.deepEqual(configOf(table), { eventName: 'paid', mode: 'raw', columns: ['plan'] });
});

test('Cards: another type asks the same as far as it can; going back loses nothing', () => {
  const number = formWith('number', { eventName: 'paid', aggregation: 'sum', propertyKey: 'amount', compare: true });
  const funnel = withType(number, 'funnel');
  assert.deepEqual(configOf(funnel), { steps: [{ eventName: 'paid' }, { eventName: '' }] });
  assert.deepEqual(configOf(withType(funnel, 'number')), configOf(number));
  const gauge = withType(number, 'gauge');
  assert.deepEqual(configOf(gauge), { eventName: 'paid', aggregation: 'sum', propertyKey: 'amount', min: 0, max: 100 });
});

test('Cards: the form says what is missing before the server is asked', () => {
  assert.equal(missingOf(emptyForm()), 'Choose an event.');
  assert.match(missingOf(formWith('number', { eventName: 'paid', aggregation: 'sum' })) ?? '', /property/);
  assert.match(missingOf(formWith('pie', { eventName: 'paid', groupBy: [''] })) ?? '', /group by/);
  assert.match(missingOf(withType(formWith('number', { eventName: 'paid' }), 'funnel')) ?? '', /each step/);
  assert.match(missingOf(formWith('rate', { eventName: 'paid' })) ?? '', /Add a filter/);
  assert.equal(missingOf(formWith('number', { eventName: 'paid' })), null);
});

test('Cards: a title says what is asked, on one line that the server takes', () => {
  const filtered = rowsOf([{ propertyKey: 'plan', operator: 'in', value: ['pro', 'team'] }]);
  const sum = formWith('bar', {
    eventName: 'order_paid',
    aggregation: 'sum',
    propertyKey: 'amount',
    groupBy: ['country'],
    filters: filtered,
    range: rangeOf({ dateFrom: '-7d' }),
  });
  assert.equal(suggestedTitle(sum), 'Sum of amount, order paid by country where plan is one of pro, team, last 7 days');
  assert.equal(
    suggestedTitle(
      formWith('rate', { eventName: 'asked', numerator: { isOther: true, eventName: 'solved', filters: [] } }),
    ),
    'Solved per asked',
  );
  fc.assert(
    fc.property(fc.constantFrom(...CARD_TYPES), fc.string({ maxLength: 300 }), key, (cardType, eventName, property) => {
      const title = suggestedTitle(
        formWith(cardType, { eventName, aggregation: 'sum', propertyKey: property, groupBy: [property] }),
      );
      assert.ok(title.length >= 1 && title.length <= 200 && title.isWellFormed() && !/\p{Cc}/u.test(title), title);
    }),
  );
});

test('Cards: JSON makes a form, or says what is wrong and where', () => {
  const form = formWith('number', { eventName: 'paid' });
  const read = formOfJson(jsonOf(form));
  assert.ok('form' in read);
  assert.equal(jsonOf(read.form), jsonOf(form));
  assert.match((formOfJson('{"cardType": "number",\n}') as { fault: string }).fault, /line 2/);
  assert.match(
    (formOfJson('{"cardType": "radar", "config": {}}') as { fault: string }).fault,
    /^cardType: must be one of/,
  );
  assert.match((formOfJson('{"cardType": "pie", "config": []}') as { fault: string }).fault, /^config:/);
});

test('Cards: every field of a row has its path; incomplete filters have none', () => {
  const form = withType(
    formWith('number', {
      eventName: 'paid',
      filters: rowsOf([
        { propertyKey: 'a', operator: 'eq', value: 1 },
        { propertyKey: 'b', operator: 'eq' },
      ]),
    }),
    'funnel',
  );
  const paths = shownPaths(form);
  assert.ok(paths.includes('config.steps[1].eventName') && paths.includes('config.filters[0].value'));
  assert.ok(!paths.includes('config.filters[1].value'));
});

test('Cards: a row moves by one place, and stays at the ends', () => {
  const rows = ['a', 'b', 'c'];
  assert.deepEqual([rowMoved(rows, 'c', -1), rowMoved(rows, 'a', -1), rowMoved(rows, 'a', 1)].map(String), [
    'a,c,b',
    'a,b,c',
    'b,a,c',
  ]);
});
