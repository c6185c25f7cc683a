import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Metric } from '../../../../src/core/analytics/events/query-plan.ts';
import { Aggregates, MergedValues } from '../../../../src/storage/events/answers/aggregates.ts';
import { openDatabase } from '../duckdb/compiled-store.ts';

const AMOUNT = { kind: 'property', paths: [['amount']] } as const;
const plain = (aggregation: 'sum' | 'avg' | 'min' | 'p90' | 'count') =>
  ({ aggregation, field: { ...AMOUNT, paths: [['amount']] } }) satisfies Metric;

test('Aggregates: a million cents have the sum of exact integer arithmetic', async (t) => {
  const { writer } = await openDatabase(t);
  const cents = 'SELECT i % 7 AS g, (hash(i) % 2000001)::BIGINT - 700000 AS n FROM range(1000000) AS events(i)';
  const sums = new Aggregates([plain('sum')]);
  for (const [by, groups] of [
    ['true', 1],
    ['g', 7],
  ] as const) {
    const sql = `SELECT sum(n), fsum(x), sum(abs(x)) FROM (SELECT *, n / 1e2 AS x FROM (${cents})) GROUP BY ${by}`;
    const rows = (await writer.runAndReadAll(sql)).getRows() as [bigint, number, number][];
    assert.equal(rows.length, groups);
    for (const [exact, ...values] of rows) assert.deepEqual(sums.shown(values), [Number(`${exact}e-2`)]);
  }
});

test('Aggregates: metrics share what they need, and a rate shows its counts', () => {
  const paid = [{ field: AMOUNT, test: { kind: 'present' }, negated: false } as const].map((one) => ({
    ...one,
    field: plain('sum').field,
  }));
  const metrics: Metric[] = [plain('sum'), plain('avg'), { aggregation: 'rate', numerator: paid, denominator: [] }];
  const aggregates = new Aggregates(metrics);
  assert.deepEqual(
    aggregates.list.map(({ of }) => of),
    ['sum', 'size', 'numbers', 'events', 'events'],
  );
  assert.deepEqual(aggregates.shown([10, 10, 4, 1, 8]), [10, 2.5, 0.125, 1, 8]);
  assert.deepEqual(
    [0, 1, 2].map((metric) => aggregates.placeOf(metric)),
    [0, 1, 2],
  );
  assert.equal(new Aggregates([metrics[2]!, metrics[0]!]).placeOf(1), 3);
});

test('Aggregates: an average is decimal to its last digit', () => {
  assert.deepEqual(new Aggregates([plain('avg')]).shown([887436, 887436, 30023]), [29.558538453852]);
});

test('Aggregates: nothing that JSON cannot express', () => {
  const metrics = [plain('sum'), plain('min')];
  for (const value of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, null]) {
    assert.deepEqual(new Aggregates(metrics).shown([value, value, value]), [null, null]);
  }
});

test('MergedValues: parts of decimals have the sum and the bounds of the whole', () => {
  const cents = fc.array(fc.array(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })), { maxLength: 50 });
  const aggregates = new Aggregates([plain('sum'), plain('min'), plain('count')]);
  fc.assert(
    fc.property(cents, (parts) => {
      const merged = new MergedValues(aggregates);
      for (const part of parts) {
        const values = part.map((cent) => cent / 100);
        const sum = (all: number[]) => (all.length === 0 ? null : all.reduce((one, other) => one + other, 0));
        merged.add([
          sum(values),
          sum(values.map(Math.abs)),
          values.length === 0 ? null : Math.min(...values),
          values.length,
        ]);
      }
      const all = parts.flat();
      const exact = all.reduce((one, other) => one + other, 0);
      const expected = all.length === 0 ? [null, null, 0] : [exact / 100, Math.min(...all) / 100, all.length];
      assert.deepEqual(aggregates.shown(merged.result), expected);
    }),
    { numRuns: 500 },
  );
});
