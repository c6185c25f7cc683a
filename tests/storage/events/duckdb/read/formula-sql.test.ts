import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal } from '../../../../../src/core/analytics/events/decimals.ts';
import { decimalSql } from '../../../../../src/storage/events/duckdb/read/formula-sql.ts';
import { exactDecimals } from '../../../../../src/storage/events/shared/exact-decimals.ts';
import { openDatabase } from '../compiled-store.ts';

const SUM = decimalSql('fsum(x)', 'sum(abs(x))');

test('decimalSql: a million cents have the sum of exact integer arithmetic', async (t) => {
  const { writer } = await openDatabase(t);
  const cents = 'SELECT i % 7 AS g, (hash(i) % 2000001)::BIGINT - 700000 AS n FROM range(1000000) AS events(i)';
  for (const [by, groups] of [
    ['true', 1],
    ['g', 7],
  ] as const) {
    const sql = `SELECT sum(n), ${SUM} FROM (SELECT *, n / 1e2 AS x FROM (${cents})) GROUP BY ${by}`;
    const rows = (await writer.runAndReadAll(sql)).getRows() as [bigint, number][];
    assert.equal(rows.length, groups);
    for (const [exact, sum] of rows) assert.equal(sum, Number(`${exact}e-2`));
  }
});

test('decimalSql: it rounds as `decimal` does', async (t) => {
  const { writer } = await openDatabase(t);
  // Decimals with the error of a sum, and the magnitudes of cancellations.
  const cases = fc
    .tuple(
      fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
      fc.integer({ min: -22, max: 3 }),
      fc.nat(12),
      fc.integer({ min: -2, max: 2 }),
    )
    .map(([digits, exponent, fewer, ulps]) => {
      const magnitude = Math.abs(Number(`${digits}e${exponent}`)) || 1;
      const value = Number(`${Math.trunc(digits / 10 ** fewer)}e${exponent}`);
      return [value + ulps * 2 ** -53 * magnitude, magnitude];
    });
  const samples = fc.sample(cases, { seed: 20_261_123, numRuns: 5_000 });
  const pairs = 'SELECT unnest(from_json($1, \'[["DOUBLE"]]\')) AS pair';
  const sql = `SELECT ${decimalSql('pair[1]', 'pair[2]')} FROM (${pairs})`;
  const rounded = (await writer.runAndReadAll(sql, [JSON.stringify(samples)])).getRows();
  for (const [at, [value, magnitude]] of samples.entries()) {
    const [shown] = exactDecimals(rounded[at]!, { groupBy: [], metrics: [{ aggregation: 'sum', field: null }] });
    assert.equal(Number(shown) + 0, decimal(value!, magnitude!), `${value} of ${magnitude}`);
  }
});

test('decimalSql: nothing that JSON cannot express', async (t) => {
  const { writer } = await openDatabase(t);
  const values = "VALUES ('inf'::DOUBLE), ('-inf'::DOUBLE), ('nan'::DOUBLE), (NULL), (0e0), (1e308)";
  const sql = `SELECT ${decimalSql('x', 'abs(x)')} FROM (${values}) AS numbers(x)`;
  const rows = (await writer.runAndReadAll(sql)).getRows();
  assert.deepEqual(rows.flat(), [null, null, null, null, 0, 1e308]);
});
