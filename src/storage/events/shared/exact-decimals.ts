import { decimal, quotient } from '../../../core/analytics/events/decimals.ts';
import { evaluateFormula } from '../../../core/analytics/events/formula.ts';
import type { AggregatePlan, PageBytes, PartMetric, PlainMetric } from '../../../core/analytics/events/query-plan.ts';

/** Engines round by dividing by a power of ten, which is exact up to 10^22. */
const INEXACT_BELOW = 1e-8;

/**
 * The row with what decimal arithmetic gives in place of what the engine divided. In the engine's
 * row three columns follow each average: the sum, the sum of the absolute values, and the number of
 * the values.
 */
export function exactDecimals(row: unknown[], { groupBy, metrics }: Pick<AggregatePlan, 'groupBy' | 'metrics'>) {
  let at = groupBy.length;
  const next = () => row[at++] as number | null;
  const plain = ({ aggregation }: PlainMetric | PartMetric): number | null => {
    const value = next();
    if (aggregation === 'avg') return averageOf(value, { sum: next(), size: next(), count: next() });
    const isStored = aggregation === 'min' || aggregation === 'max';
    return isStored || value === null || Math.abs(value) >= INEXACT_BELOW ? value : decimal(value);
  };
  const values = metrics.flatMap((metric) => {
    if (metric.aggregation === 'rate') {
      const [, numerator, denominator] = [next(), next() ?? 0, next() ?? 0];
      return [denominator === 0 ? null : quotient(numerator, denominator), numerator, denominator];
    }
    if (metric.aggregation !== 'formula') return [plain(metric)];
    at += 1;
    const parts = metric.parts.map(plain);
    const operands = parts.map((part, index) => (metric.parts[index]!.aggregation === 'sum' ? (part ?? 0) : part));
    return [evaluateFormula(metric.formula, operands), ...parts];
  });
  return [...row.slice(0, groupBy.length), ...values, ...row.slice(at)];
}

/**
 * A sum of more than 15 digits is known with the errors of doubles alone: the engine's average has
 * the same.
 */
function averageOf(value: number | null, { sum, size, count }: Record<'sum' | 'size' | 'count', number | null>) {
  if (value === null || sum === null || size === null || !count) return value;
  const shown = decimal(sum, size);
  return Math.abs(shown - sum) <= size * Number.EPSILON ? quotient(shown, count) : decimal(value, size / count);
}

/** The first lines that fit, but one at least. */
export function withinPage<Line>(
  lines: readonly Line[],
  page: PageBytes | undefined,
  bytesOf: (line: Line) => number,
): readonly Line[] {
  if (page === undefined) return lines;
  let bytes = 0;
  const end = lines.findIndex((line, index) => {
    bytes += bytesOf(line) + page.ofRow;
    return index > 0 && bytes > page.bytes;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
