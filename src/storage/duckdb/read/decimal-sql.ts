import { decimal, SIGNIFICANT_DIGITS } from '../../../core/events/decimals.ts';
import type { AggregatePlan } from '../../../core/events/query-plan.ts';

/** `decimal` of `core/events/decimals.ts`. NULL for infinity and NaN, which JSON does not have. */
export function decimalSql(value: string, magnitude: string): string {
  const places = `greatest(0, ${SIGNIFICANT_DIGITS - 1} - floor(log10(nullif(${magnitude}, 0))))::INTEGER`;
  return `CASE WHEN isfinite(${value}) THEN round(${value}, ${places}) END`;
}

/** DuckDB's `round` divides by a power of ten, which is exact up to 10^22. */
const INEXACT_BELOW = 1e-8;

/** Corrects the last bit of the smallest results. In SQL it would cost every query 0.5 ms. */
export function exactDecimals(row: unknown[], { groupBy, metrics }: AggregatePlan): unknown[] {
  const isStored = metrics.flatMap(({ aggregation }) =>
    aggregation === 'rate' ? [false, false, false] : [aggregation === 'min' || aggregation === 'max'],
  );
  return row.map((value, at) =>
    typeof value === 'number' && Math.abs(value) < INEXACT_BELOW && isStored[at - groupBy.length] === false
      ? decimal(value)
      : value,
  );
}
