import { decimal } from '../../core/events/decimals.ts';
import type { AggregatePlan, Metric } from '../../core/events/query-plan.ts';

/** Engines round by dividing by a power of ten, which is exact up to 10^22. */
const INEXACT_BELOW = 1e-8;

/** Corrects the last bit of the smallest results, which would make a statement longer. */
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
