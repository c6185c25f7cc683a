import assert from 'node:assert/strict';
import type { test } from 'node:test';
import fc from 'fast-check';
import { fieldOf } from '../../src/core/analytics/events/predicates.ts';
import { aggregatePlan } from '../../src/core/analytics/events/query-plan.ts';
import { planKpi, planTable } from '../../src/core/analytics/events/questions/plan.ts';
import type { EventStore, StoredEvent } from '../../src/core/analytics/events/store.ts';
import { quotient, weightedSum } from '../reference/decimals.ts';
import { formulaValue } from '../reference/formulas.ts';
import { rawQuestion, tableQuestion } from '../reference/questions.ts';
import { type Backend, CONTEXT, storedEvent, storeHelpers } from './event-store.ts';

type Group = string | number;

/** One event for each number, in the group's order. */
function eventsOf(groups: [Group, number[]][], eventName = 'a'): StoredEvent[] {
  return groups.flatMap(([group, numbers]) =>
    numbers.map((amount) => storedEvent({ eventName, properties: JSON.stringify({ group, amount }) })),
  );
}

/** `[group, ...metrics]`, in the store's order. */
async function table(store: EventStore, aggregations: string[], query: object = {}): Promise<unknown[][]> {
  const metrics = aggregations.map((aggregation) => ({ aggregation, propertyKey: 'amount', alias: aggregation }));
  const input = tableQuestion({ eventName: 'a', mode: 'aggregate', groupBy: 'group', metrics, ...query });
  const { rows } = await store.query('t', planTable(input, CONTEXT));
  return rows.map((row) => row.slice(0, 1 + aggregations.length));
}

const terms = (numbers: number[]) => numbers.map((number): [number, number] => [number, 1]);

/** Below 10^7, so that a sum of twenty has at most 15 digits. */
const decimal = fc.oneof(
  fc.tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.nat(6)),
  fc.tuple(fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 }), fc.constant(6)),
  fc.tuple(fc.nat(99_999), fc.constant(2)),
);
const decimals = fc.array(
  decimal.map(([digits, places]) => Number(`${digits}e-${places}`)),
  { minLength: 1, maxLength: 20 },
);

/** The port's contract for decimal numbers (`core/analytics/events/decimals.ts`). Every backend runs it. */
export function testEventStoreDecimals({ name, open, directory }: Backend, define: typeof test): void {
  const { opened, visible } = storeHelpers({ open, directory });

  define(`${name}: sums and averages of decimals are those of decimal arithmetic`, async (t) => {
    const { store } = await opened(t);
    const groups: [Group, number[]][] = [
      ['large', [1e15, 0.25, 0.25]],
      ['more', Array.from({ length: 5_000 }, (_, at) => (at % 1_000) / 100)],
      ['none', [0.1, 0.2, -0.3]],
      ['signs', [100.1, -100.1, 0.3]],
      ['small', [1e-9, 2e-9, -7e-9]],
      ['some', [0.1, 0.2]],
      ['thirds', [0.1, 0.1, 0.2]],
    ];
    await visible(store, 't', eventsOf(groups));
    assert.deepEqual(await table(store, ['sum', 'avg', 'median'], { sortBy: 'group', sortOrder: 'asc' }), [
      ['large', 1e15 + 1, 333_333_333_333_334, 0.25],
      ['more', 24_975, 4.995, 4.995],
      ['none', 0, 0, 0.1],
      ['signs', 0.3, 0.1, 0.3],
      ['small', -4e-9, -1.33333333333333e-9, 1e-9],
      ['some', 0.3, 0.15, 0.15],
      ['thirds', 0.4, 0.133333333333333, 0.1],
    ]);
  });

  define(`${name}: percentiles show no digits of rounding errors`, async (t) => {
    const { store } = await opened(t);
    // 484 times 0.1, then 2.6: the 95th percentile of 510 values is at place 483.55, between the two.
    const numbers = Array.from({ length: 510 }, (_, at) => (at < 484 ? 0.1 : 2.6));
    await visible(store, 't', eventsOf([['a', numbers]]));
    assert.deepEqual(await table(store, ['median', 'p90', 'p95', 'p99']), [['a', 0.1, 0.1, 1.475, 2.6]]);
  });

  define(`${name}: generated decimals have their exact sum and average`, async (t) => {
    const { store } = await opened(t);
    let runs = 0;
    const property = fc.asyncProperty(fc.array(decimals, { minLength: 20, maxLength: 60 }), async (lists) => {
      const eventName = `run ${++runs}`;
      const groups = lists.map((numbers, at): [Group, number[]] => [at, numbers]);
      await visible(store, 't', eventsOf(groups, eventName));
      const rows = await table(store, ['sum', 'avg'], { eventName, sortBy: 'group', sortOrder: 'asc' });
      for (const [group, sum, average] of rows as [number, number, number][]) {
        const numbers = lists[group]!;
        const message = JSON.stringify(numbers);
        assert.equal(sum, weightedSum(terms(numbers)), message);
        assert.equal(average, quotient(sum, numbers.length), message);
      }
    });
    await fc.assert(property, { seed: 20_261_123, numRuns: 8 });
  });

  define(`${name}: averages, rates and formulas are right to their last digit`, async (t) => {
    const { store } = await opened(t);
    const draw = (seed: number, below: number) => ((seed * 48_271) % 2_147_483_647) % below;
    const groups = Array.from({ length: 400 }, (_, group): [Group, number[]] => {
      const numbers = Array.from(
        { length: 3 + draw(group + 1, 60) },
        (__, at) => draw(group * 97 + at + 1, 999_983) / 100,
      );
      return [group, numbers];
    });
    await visible(store, 't', eventsOf(groups));
    const averages = await table(store, ['avg', 'sum'], { sortBy: 'group', sortOrder: 'asc', limit: 500 });
    for (const [group, average, sum] of averages as [number, number, number][])
      assert.equal(average, quotient(sum, groups[group]![1].length), String(group));
    const filters = [{ propertyKey: 'amount', operator: 'lt' as const, value: 3_000 }];
    const grouped = { eventName: 'a', group_by: 'group', limit: 500 };
    const rates = await store.query(
      't',
      planKpi(rawQuestion({ ...grouped, aggregation: 'rate', numerator: { filters } }), CONTEXT).groups!,
    );
    for (const [group, rate, part, all] of rates.rows as number[][])
      assert.equal(rate, quotient(part!, all!), String(group));
    const part = { eventName: 'a', aggregation: 'sum', propertyKey: 'amount' } as const;
    const formula = {
      expression: 'low / all - mean / 7',
      parts: { low: { ...part, filters }, all: part, mean: { ...part, aggregation: 'avg' as const } },
    };
    const plan = planKpi({ ...grouped, aggregation: 'formula', formula }, CONTEXT).groups!;
    for (const [group, value, low, all, mean] of (await store.query('t', plan)).rows as number[][]) {
      const { length } = groups[group!]![1];
      assert.equal(mean, quotient(all!, length), String(group));
      assert.equal(value, formulaValue(formula.expression, { low: low ?? 0, all: all!, mean: mean! }), String(group));
    }
  });

  define(`${name}: texts that look like numbers are told from others`, async (t) => {
    const { store } = await opened(t);
    const alike = ['49.90', '1.234,56', '-7', '+1e5', ' 12 ', '007', 'R$ 12', '€9,99', "1'000.5", '12 %', '1 000'];
    const unlike = ['', ' ', '-', '2026-03-01', '1.2.', '10:30', 'v2', '12 apples', '0x10', '1e', 'NaN', '٣'];
    const amounts = [...alike, ...unlike, 5, true, null, ['1'], { a: '1' }];
    await visible(
      store,
      't',
      amounts.map((amount) => storedEvent({ eventName: 'a', properties: JSON.stringify({ amount }) })),
    );
    const { selection } = planKpi(rawQuestion({ eventName: 'a', aggregation: 'count' }), CONTEXT).overall;
    const test = { field: fieldOf('amount'), test: { kind: 'numberText' as const }, negated: false };
    const metrics = [{ aggregation: 'rate' as const, numerator: [test], denominator: [] }];
    const { rows } = await store.query('t', aggregatePlan({ selection, groupBy: [], metrics }));
    assert.deepEqual(rows[0]!.slice(1, 3), [alike.length, amounts.length]);
    const found = await store.query(
      't',
      aggregatePlan({
        selection: { ...selection, predicates: [test] },
        groupBy: [test.field],
        metrics: [{ aggregation: 'count', field: null }],
      }),
    );
    assert.deepEqual(new Set(found.rows.map(([value]) => value)), new Set(alike));
  });

  define(`${name}: integers are summed exactly, and stored numbers stay as they are`, async (t) => {
    const { store } = await opened(t);
    const large = 2 ** 53 - 1;
    const groups: [Group, number[]][] = [
      ['beyond', [1e300, 1e300]],
      ['exact', [1_234_567_890_123_456, large - 2_000_000_000_000_000]],
      ['mixed', [large - 1, 1, -1, 1, 0.5, -0.5]],
      ['one', [0.30000000000000004]],
    ];
    await visible(store, 't', eventsOf(groups));
    assert.deepEqual(await table(store, ['sum', 'min', 'max'], { sortBy: 'group', sortOrder: 'asc' }), [
      ['beyond', 2e300, 1e300, 1e300],
      ['exact', 8_241_767_144_864_447, 1_234_567_890_123_456, large - 2_000_000_000_000_000],
      ['mixed', large, -1, large - 1],
      ['one', 0.3, 0.30000000000000004, 0.30000000000000004],
    ]);
    const whole: [Group, number[]][] = [['a', [large, -1, 1, -large, 3]]];
    await visible(store, 'u', eventsOf(whole));
    const plan = planTable(
      tableQuestion({
        eventName: 'a',
        mode: 'aggregate',
        metrics: [{ aggregation: 'sum', propertyKey: 'amount', alias: 'sum' }],
      }),
      CONTEXT,
    );
    assert.deepEqual((await store.query('u', plan)).rows, [[3, null, false]]);
  });

  define(`${name}: groups whose shown sums are equal are tied`, async (t) => {
    const { store } = await opened(t);
    const groups: [Group, number[]][] = [
      ['d', [0.1, 0.2]],
      ['a', [0.3]],
      ['c', [0.7, -0.4]],
      ['b', [0.1, 0.1, 0.1]],
      ['e', [0.29]],
    ];
    await visible(store, 't', eventsOf(groups));
    const inOrder = async (query: object) => (await table(store, ['sum'], query)).map(([group]) => group);
    assert.deepEqual(await inOrder({}), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(await inOrder({ sortOrder: 'asc' }), ['e', 'a', 'b', 'c', 'd']);
    assert.deepEqual(await inOrder({ limit: 2, offset: 1 }), ['b', 'c']);
    const question = { eventName: 'a', aggregation: 'sum', propertyKey: 'amount', group_by: 'group', limit: 2 };
    const plan = planKpi(rawQuestion(question), CONTEXT);
    assert.deepEqual((await store.query('t', plan.groups!)).rows, [
      ['a', 0.3, null, false],
      ['b', 0.3, null, false],
      [null, 0.89, null, true],
    ]);
  });

  define(`${name}: rates and percentiles have 15 digits`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', eventsOf([['x', [0.1, 0.2, 0.3, 0.4, 0.7, 1.1]]]));
    const filters = [{ propertyKey: 'amount', operator: 'lte', value: 0.2 }];
    const question = { eventName: 'a', aggregation: 'rate', numerator: { filters } };
    const plan = planKpi(rawQuestion(question), CONTEXT);
    assert.deepEqual((await store.query('t', plan.overall)).rows, [[0.333333333333333, 2, 6, null, false]]);
    assert.deepEqual(await table(store, ['median', 'p90', 'p95', 'p99']), [['x', 0.35, 0.9, 1, 1.08]]);
  });
}
