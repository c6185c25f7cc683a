import { decimal, SIGNIFICANT_DIGITS } from '../../../core/events/decimals.ts';
import type { AggregatePlan, Metric } from '../../../core/events/query-plan.ts';

/** `decimal` of `core/events/decimals.ts`. NULL for infinity and NaN, which JSON does not have. */
export function decimalSql(value: string, magnitude: string): string {
  const exponent = `floor(log10(nullif(${magnitude}, 0)) - ${LOG_ERROR})`;
  const places = `greatest(0, ${SIGNIFICANT_DIGITS - 1} - ${exponent})::INTEGER`;
  return `CASE WHEN isfinite(${value}) THEN round(${value}, ${places}) END`;
}

/**
 * Just below a power of ten log10 gives its exponent. Just above one, this gives a digit more, which
 * the error bound allows.
 */
const LOG_ERROR = 4e-15;

/** DuckDB's `round` divides by a power of ten, which is exact up to 10^22. */
const INEXACT_BELOW = 1e-8;

/** Corrects the last bit of the smallest results. In SQL it would take 0.3 ms of each planning. */
export function exactDecimals(row: unknown[], { groupBy, metrics }: Pick<AggregatePlan, 'groupBy' | 'metrics'>) {
  const isStored = metrics.flatMap(storedColumns);
  return row.map((value, at) =>
    typeof value === 'number' && Math.abs(value) < INEXACT_BELOW && isStored[at - groupBy.length] === false
      ? decimal(value)
      : value,
  );
}

/** Of each of the metric's columns: whether its values are numbers as they were sent. */
function storedColumns(metric: Metric): boolean[] {
  if (metric.aggregation === 'rate') return [false, false, false];
  if (metric.aggregation === 'formula') return [false, ...metric.parts.flatMap(storedColumns)];
  return [metric.aggregation === 'min' || metric.aggregation === 'max'];
}
