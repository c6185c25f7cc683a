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
  const sum = sorted.reduce((total, number) => total + number, 0);
  const result = {
    sum: sum,
    avg: sum / sorted.length,
    min: sorted[0]!,
    max: sorted.at(-1)!,
    median: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
  }[aggregation]!;
  return Number.isFinite(result) ? result : null;
}

/** Linear between the two nearest ranks. */
function quantile(sorted: number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)]!;
  const above = sorted[Math.ceil(position)]!;
  return below + (above - below) * (position - Math.floor(position));
}

export function byMeasure(one: number | null, other: number | null, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return descending ? other - one : one - other;
}
