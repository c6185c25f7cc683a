import { interpolated, weightedSum } from './decimals.ts';
import { identity, type ReferenceEvent, read } from './values.ts';

/**
 * One number from events. Numeric metrics ignore other values; null for no value or a non-finite
 * one.
 */
export function aggregate(
  aggregation: string,
  propertyKey: string | undefined,
  events: ReferenceEvent[],
): number | null {
  if (propertyKey === undefined) return events.length;
  const values = events.map((event) => read(event, propertyKey)).filter((value) => value !== undefined);
  if (aggregation === 'count') return values.length;
  if (aggregation === 'distinct_count') return new Set(values.map(identity)).size;
  // The event's own timestamp is a time, not a number.
  const numbers = propertyKey === 'timestamp' ? [] : values.filter((value) => typeof value === 'number');
  return numbers.length === 0 ? null : ofNumbers(aggregation, numbers);
}

function ofNumbers(aggregation: string, numbers: number[]): number | null {
  const sorted = numbers.sort((one, other) => one - other);
  const terms = sorted.map((number): [number, number] => [number, 1]);
  const result = {
    sum: () => weightedSum(terms),
    avg: () => weightedSum(terms, sorted.length),
    min: () => sorted[0]!,
    max: () => sorted.at(-1)!,
    median: () => percentile(sorted, 50),
    p90: () => percentile(sorted, 90),
    p95: () => percentile(sorted, 95),
    p99: () => percentile(sorted, 99),
  }[aggregation]!();
  return Number.isFinite(result) ? result : null;
}

/** Linear between the two nearest ranks. */
function percentile(sorted: number[], percent: number): number {
  const position = (sorted.length - 1) * percent;
  const rank = Math.floor(position / 100);
  const weight = position % 100;
  const above = sorted[weight === 0 ? rank : rank + 1]!;
  return interpolated(
    [
      [sorted[rank]!, 100 - weight],
      [above, weight],
    ],
    100,
  );
}

export function byMeasure(one: number | null, other: number | null, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return descending ? other - one : one - other;
}
