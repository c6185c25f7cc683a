import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fieldOf, type Predicate, type Scalar } from '../../../../../src/core/analytics/events/predicates.ts';
import { type AggregatePlan, aggregatePlan, type Metric } from '../../../../../src/core/analytics/events/query-plan.ts';
import type { StoredEvent } from '../../../../../src/core/analytics/events/store.ts';
import { zoneOffsets } from '../../../../../src/core/base/time/time.ts';
import { Aggregates } from '../../../../../src/storage/events/answers/aggregates.ts';
import { AnalyticsDatabase } from '../../../../../src/storage/events/duckdb/database.ts';
import { Dictionary, type KeptField, KeptTable } from '../../../../../src/storage/events/duckdb/kept/columns.ts';
import { KeptGroups } from '../../../../../src/storage/events/duckdb/kept/kept-groups.ts';
import { compileLoop } from '../../../../../src/storage/events/duckdb/kept/loop.ts';
import type { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { KINDS } from '../../../../../src/storage/events/duckdb/tables.ts';
import { TenantColumns } from '../../../../../src/storage/events/duckdb/write/typed-columns.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { differentialRuns, differentialSeed } from '../../../../contracts/questions/differential.ts';
import { rareTest } from '../../../../support/rare.ts';
import { openStore } from '../read/open-store.ts';
import { junkEvent } from '../states.ts';

/*
 * Random histories on two stores, of which one keeps columns in memory: after every change both
 * give the same answers.
 */

const DAY = 86_400_000;
/** Clocks change within the range. */
const START = Date.parse('2026-03-20T00:00:00Z');
const DAYS = 20;
const NAMES = ['order', 'visit', 'ticket'];
const PROPERTIES = ['plan', 'amount', 'isNew', 'mixed', 'deep.key', 'never'].map(fieldOf);
const FIELDS = [...PROPERTIES, ...['agentId', 'eventName', 'timestamp', 'threadId'].map(fieldOf)];

const properties = fc.record(
  {
    plan: fc.constantFrom('free', 'pro', 'Team é', ''),
    amount: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(0.1, 0.2, 1e12, 12.34, -0.3, 1e-7)),
    isNew: fc.boolean(),
    mixed: fc.oneof(fc.constantFrom('1', 'x', true, 1, 2.5), fc.constant(null)),
    'deep.key': fc.constantFrom('flat', 2),
    deep: fc.record({ key: fc.constantFrom('nested', 3) }),
  },
  { requiredKeys: [] },
);
/** They change how the store has the property. */
const unusual = fc.constantFrom<Record<string, unknown>>(
  { plan: ['list'] },
  { amount: 'text' },
  { isNew: { deep: 1 } },
);
const event = fc.record({
  eventName: fc.constantFrom(...NAMES),
  agentId: fc.constantFrom('support', 'sales'),
  timestamp: fc.integer({ min: START, max: START + DAYS * DAY }),
  threadId: fc.constantFrom('t1', 't2', null),
  properties: fc.oneof({ weight: 30, arbitrary: properties }, { weight: 1, arbitrary: unusual }),
});

const change = fc.record({
  tenant: fc.constantFrom('one', 'other'),
  kind: fc.oneof(
    { weight: 10, arbitrary: fc.constant('append') },
    { weight: 1, arbitrary: fc.constantFrom('erase thread', 'erase tenant', 'expire', 'unlearn', 'compact') },
  ),
  events: fc.array(event, { minLength: 1, maxLength: 40 }),
});
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

const field = fc.constantFrom(...FIELDS);
const predicate: fc.Arbitrary<Predicate> = fc.record({
  field,
  negated: fc.boolean(),
  test: fc.oneof(
    fc.constant({ kind: 'present' as const }),
    fc.record({
      kind: fc.constant('oneOf' as const),
      values: fc.constantFrom<Scalar[]>(
        ['pro'],
        ['pro', 'none', ''],
        [1],
        [true],
        [false, '1', 2.5],
        ['order', 'sales'],
      ),
    }),
    fc.record({
      kind: fc.constant('compare' as const),
      operator: fc.constantFrom('gt' as const, 'lt' as const, 'gte' as const, 'lte' as const),
      value: fc.constantFrom(0, 1, 0.2, START + DAY, 'pro'),
    }),
  ),
});
const predicates = fc.array(predicate, { maxLength: 2 });
const aggregation = fc.constantFrom('count', 'distinct_count', 'sum', 'avg', 'min', 'max', 'median', 'p95' as const);
const plain = fc.record({ aggregation, field: fc.constantFrom(...PROPERTIES) }) as fc.Arbitrary<Metric>;
const metric = fc.oneof(
  fc.constant<Metric>({ aggregation: 'count', field: null }),
  plain,
  fc.record({
    aggregation: fc.constant('rate'),
    numerator: predicates,
    denominator: predicates,
  }) as fc.Arbitrary<Metric>,
);
const time = fc.option(fc.integer({ min: START - DAY, max: START + (DAYS + 1) * DAY }), { freq: 3 });
const plan: fc.Arbitrary<AggregatePlan> = fc
  .record({
    groupBy: fc.array(fc.constantFrom(...FIELDS.slice(0, -2)), { maxLength: 2 }),
    bucket: fc.option(
      fc.record({
        unit: fc.constantFrom('hour', 'day', 'week', 'month', 'quarter', 'year' as const),
        offsets: fc
          .constantFrom('UTC', 'Europe/Lisbon', 'America/Sao_Paulo', 'Australia/Lord_Howe')
          .map((zone) => zoneOffsets(zone, START - DAY, START + (DAYS + 1) * DAY)),
      }),
    ),
    metrics: fc.array(metric, { minLength: 1, maxLength: 3 }),
    // A name may come twice.
    names: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
    agentId: fc.option(fc.constant('sales'), { freq: 5 }),
    range: fc.tuple(time, time),
    predicates,
    anyOf: fc.option(fc.array(predicates, { maxLength: 2 }), { freq: 5, nil: undefined }),
    top: fc.option(fc.constant(2), { freq: 3 }),
    descending: fc.boolean(),
  })
  .map(({ names, agentId, range: [from, to], predicates, anyOf, groupBy, bucket, metrics, top, descending }) =>
    aggregatePlan({
      selection: { agentId, eventNames: names, from, to, predicates, ...(anyOf && { anyOf }) },
      groupBy,
      bucket,
      metrics,
      top: groupBy.length === 0 ? null : top,
      sort: { by: 'metric', index: 0, descending },
    }),
  ) as fc.Arbitrary<AggregatePlan>;

const history = fc.record({
  plans: fc.array(plan, { minLength: 4, maxLength: 8 }),
  changes: fc.array(change, { minLength: 3, maxLength: 10 }),
});

async function apply(store: DuckdbEventStore, { tenant, kind, events }: Change, ids: number): Promise<void> {
  if (kind === 'erase thread') await store.erase(tenant, { threadId: 't1' });
  else if (kind === 'erase tenant') await store.erase(tenant, {});
  else if (kind === 'expire') await store.expire(tenant, START + 3 * DAY);
  else if (kind === 'compact') await store.compact();
  else {
    const added = events.map((one, at) =>
      storedEvent({ ...one, id: `${ids}-${at}`, properties: JSON.stringify(one.properties) }),
    );
    const { receipt } = await store.append(tenant, kind === 'unlearn' ? [...added, junkEvent([...KINDS])] : added);
    assert.ok(await store.waitFor(receipt, 30_000));
  }
}

async function compareHistories(
  stores: [DuckdbEventStore, DuckdbEventStore],
  { numRuns, seed }: { numRuns: number; seed: number },
): Promise<void> {
  const [kept, plain] = stores;
  let ids = 0;
  const property = fc.asyncProperty(history, async ({ changes, plans }) => {
    for (const one of changes) {
      ids += 1;
      // Columns may be read while the events change.
      const asking = plans.map((plan) => kept.query(one.tenant, plan));
      await Promise.all(stores.map((store) => apply(store, one, ids)));
      await Promise.all(asking);
      for (const tenant of ['one', 'other']) {
        for (const plan of plans) {
          const [found, expected] = await Promise.all(stores.map((store) => store.query(tenant, plan)));
          assert.deepEqual(found, expected, JSON.stringify({ tenant, plan }));
        }
      }
    }
    for (const tenant of ['one', 'other']) await Promise.all(stores.map((store) => store.erase(tenant, {})));
  });
  await fc.assert(property, { numRuns, seed });
  assert.equal((await plain.stats()).files!.keptColumns.answers, 0);
}

const waiting = { keptColumns: { maxBytes: 1e8, waits: true } };
const countOf = (eventName: string) =>
  aggregatePlan({
    selection: { agentId: null, eventNames: [eventName], from: null, to: null, predicates: [] },
    groupBy: [fieldOf('plan')],
    metrics: [{ aggregation: 'count', field: null }],
  });

async function add(store: DuckdbEventStore, events: Partial<StoredEvent>[]): Promise<void> {
  const { receipt } = await store.append('one', events.map(storedEvent));
  assert.ok(await store.waitFor(receipt, 30_000));
}

test('KeptColumns: answers of random histories are those of the engine', async (t) => {
  const kept = await openStore(t, waiting);
  await compareHistories([kept, await openStore(t)], { numRuns: 3, seed: 45 });
  const { answers } = (await kept.stats()).files!.keptColumns;
  t.diagnostic(`${answers} answers came from columns in memory`);
  assert.ok(answers > 40);
});

rareTest('KeptColumns: answers of many random histories are those of the engine', { timeout: 3_600_000 }, async (t) => {
  const seed = differentialSeed(Math.floor(Math.random() * 2 ** 31));
  const numRuns = differentialRuns(200);
  t.diagnostic(`DIFFERENTIAL_SEED=${seed} DIFFERENTIAL_RUNS=${numRuns}`);
  await compareHistories([await openStore(t, waiting), await openStore(t)], { numRuns, seed });
});

test('KeptColumns: events that come before or after the snapshot count once', async (t) => {
  const store = await openStore(t, waiting);
  const { read } = AnalyticsDatabase.prototype;
  for (const moment of ['before', 'after'] as const) {
    await add(store, [{ eventName: moment, properties: '{"plan":"pro"}' }]);
    const arrive = () => add(store, [{ eventName: moment, properties: '{"plan":"pro"}' }, { eventName: moment }]);
    const reading = t.mock.method(AnalyticsDatabase.prototype, 'read', async function (
      this: AnalyticsDatabase,
      use,
      options,
    ) {
      reading.mock.restore();
      if (moment === 'before') await arrive();
      return read.call(
        this,
        async (connection, snapshot) => {
          if (moment === 'after') await arrive();
          return use(connection, snapshot);
        },
        options,
      );
    } as typeof read);
    const { matched } = await store.query('one', countOf(moment));
    assert.equal(reading.mock.callCount(), 1);
    assert.equal(matched, 3);
  }
  assert.equal((await store.stats()).files!.keptColumns.answers, 2);
});

test('KeptColumns: sums of many values are exact, also when an answer goes on', async (t) => {
  const store = await openStore(t, waiting);
  const sum = { ...countOf('a'), groupBy: [], metrics: [{ aggregation: 'sum' as const, field: fieldOf('amount') }] };
  for (const times of [1, 2]) {
    await add(
      store,
      Array.from({ length: 10_000 }, () => ({ properties: '{"amount":0.1}' })),
    );
    for (const { rows } of await Promise.all([store.query('one', sum), store.query('one', sum)])) {
      assert.deepEqual(rows, [[1_000 * times, null, false]]);
    }
  }
  assert.equal((await store.stats()).files!.keptColumns.answers, 4);
});

test('KeptColumns: a commit is whole where its columns find no memory', async (t) => {
  const store = await openStore(t, waiting);
  const addOne = () => add(store, [{ eventName: 'a' }]);
  const count = async () => (await store.query('one', countOf('a'))).matched;
  await addOne();
  assert.equal(await count(), 1);
  const adding = t.mock.method(KeptTable.prototype, 'add', () => {
    throw new RangeError('Array buffer allocation failed');
  });
  await addOne();
  adding.mock.restore();
  await addOne();
  assert.equal(await count(), 3);
});

/** One table of amounts and plans, and its groups. */
function groupsOf(plan: AggregatePlan) {
  const columns = new TenantColumns();
  columns.restore('/amount', 'double', 0);
  columns.restore('/plan', 'text', 0);
  const dictionaries: Record<string, Dictionary> = { '/amount': new Dictionary(1e6), '/plan': new Dictionary(1e6) };
  const dictionaryOf = ({ name }: KeptField) => dictionaries[name]!;
  const aggregates = new Aggregates(plan.metrics);
  const compiled = compileLoop(plan, aggregates.list, columns);
  const table = new KeptTable(compiled.columns, Number.NEGATIVE_INFINITY, dictionaryOf);
  const groups = new KeptGroups(1e6);
  const kept = { tenant: 1, columns, dictionaryOf, tables: () => [table], signal: undefined };
  return {
    amounts: dictionaries['/amount']!,
    add: (plan: string, amount: number) =>
      table.add(
        0,
        table.fields.map(({ name }) => (name === '/plan' ? plan : amount)),
      ),
    shown: async () => {
      const rows = await groups.rows(kept, plan, aggregates, 10_000);
      return rows.map(({ key, values }) => [...key, aggregates.shown(values)[0]]);
    },
  };
}

test('KeptGroups: an answer that goes on again and again stays exact', async () => {
  const { add, shown } = groupsOf({ ...countOf('a'), metrics: [{ aggregation: 'sum', field: fieldOf('amount') }] });
  for (let times = 1; times <= 2_000; times += 1) {
    add('pro', 0.1);
    assert.deepEqual(await shown(), [['pro', times / 10]]);
  }
});

test('KeptGroups: values that arrive during an answer do not change its percentiles', async () => {
  const { add, amounts, shown } = groupsOf({
    ...countOf('a'),
    metrics: [{ aggregation: 'median', field: fieldOf('amount') }],
  });
  for (let at = 0; at < 1_000_000; at += 1) add(at % 2 === 0 ? 'x' : 'y', 1 + (at % 10));
  setImmediate(() => {
    for (let value = 0; value < 10; value += 1) amounts.codeOf(1_000 + value);
  });
  assert.deepEqual(await shown(), [
    ['x', 5],
    ['y', 6],
  ]);
  assert.equal(amounts.values.length, 21);
});

test('KeptColumns: long lists of numbers and long texts are left to the engine', async (t) => {
  const store = await openStore(t, { keptColumns: { maxBytes: 1e6, waits: true } });
  await add(
    store,
    Array.from({ length: 50 }, (_, at) => ({ properties: JSON.stringify({ n: at, text: `${at}`.repeat(5_000) }) })),
  );
  const { selection } = countOf('a');
  const values = Array.from({ length: 1_000 }, (_, at) => at * 2);
  const predicates = [{ field: fieldOf('n'), test: { kind: 'oneOf' as const, values }, negated: false }];
  assert.equal((await store.query('one', { ...countOf('a'), selection: { ...selection, predicates } })).matched, 25);
  const distinct = { ...countOf('a'), metrics: [{ aggregation: 'distinct_count' as const, field: fieldOf('text') }] };
  const reading = t.mock.method(AnalyticsDatabase.prototype, 'read');
  for (const expected of [2, 1, 1]) {
    const before = reading.mock.callCount();
    assert.deepEqual((await store.query('one', distinct)).rows, [[null, 50, null, false]]);
    // The engine answers; the columns are read in vain only once.
    assert.equal(reading.mock.callCount() - before, expected);
  }
  assert.equal((await store.stats()).files!.keptColumns.answers, 0);
});

test('KeptColumns: percentiles have the roundings of the engine', async (t) => {
  const [kept, plain] = [await openStore(t, waiting), await openStore(t)];
  const numbers = Array.from({ length: 120 }, (_, at) => (((at * 7_919) % 1_009) - 500) / 100);
  const percentiles = (numbers: number) => ({
    ...countOf(`first ${numbers}`),
    groupBy: [],
    metrics: (['median', 'p90', 'p95', 'p99'] as const).map((aggregation) => ({
      aggregation,
      field: fieldOf('amount'),
    })),
  });
  for (const store of [kept, plain]) {
    const few = numbers.flatMap((_, at) => {
      return numbers.slice(at, at + 2 + (at % 5)).map((amount) => ({ at, properties: JSON.stringify({ amount }) }));
    });
    await add(
      store,
      few.map(({ at, properties }) => ({ eventName: `first ${at}`, properties })),
    );
  }
  for (const at of numbers.keys()) {
    assert.deepEqual(await kept.query('one', percentiles(at)), await plain.query('one', percentiles(at)));
  }
});

test('KeptColumns: a name whose events take too much memory has its last ones', async (t) => {
  const store = await openStore(t, { keptColumns: { maxBytes: 450_000, waits: true } });
  const day = (at: number) => START + at * DAY;
  const events = Array.from({ length: 50_000 }, (_, at) => {
    return { timestamp: day(at / 2_500), properties: '{"plan":"pro"}' };
  });
  for (let at = 0; at < events.length; at += 10_000) await add(store, events.slice(at, at + 10_000));
  const since = (at: number | null) => {
    const plan = countOf('a');
    return { ...plan, selection: { ...plan.selection, from: at === null ? null : day(at) } };
  };
  const answersOf = async (at: number | null) => {
    const before = (await store.stats()).files!.keptColumns.answers;
    const { matched } = await store.query('one', since(at));
    return [matched, (await store.stats()).files!.keptColumns.answers - before];
  };
  assert.deepEqual(await answersOf(null), [50_000, 0]);
  assert.deepEqual(await answersOf(15), [12_500, 1]);
  assert.deepEqual(await answersOf(5), [37_500, 1]);
  assert.deepEqual(await answersOf(null), [50_000, 0]);
  await add(store, [{ timestamp: day(1) }, { timestamp: day(19) }]);
  assert.deepEqual(await answersOf(5), [37_501, 1]);
  assert.ok((await store.stats()).files!.keptColumns.bytes <= 450_000);
});
