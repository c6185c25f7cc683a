import { decimal, quotient } from '../../../core/analytics/events/decimals.ts';
import type { Aggregation } from '../../../core/analytics/events/fields.ts';
import { evaluateFormula, type Formula } from '../../../core/analytics/events/formula.ts';
import type { FieldRef, Predicate } from '../../../core/analytics/events/predicates.ts';
import type { Metric, PartMetric, PlainMetric } from '../../../core/analytics/events/query-plan.ts';

/**
 * A number that an engine computes over the events of a group: `events` counts them, `values` and
 * `numbers` count those with a value of the field, `size` adds up absolute values. Over nothing the
 * counts are 0, all others null.
 */
export interface Aggregate {
  of: 'events' | 'values' | 'distinct' | 'numbers' | 'sum' | 'size' | 'min' | 'max' | 'percentile';
  /** Null for `events` alone. */
  field: FieldRef | null;
  /** Over the events that pass all of these. */
  where: Predicate[];
  /** Only for percentiles: 0.5 for the median. */
  fraction?: number;
}

/** In the order of `Aggregates.list`. */
export type AggregateValues = (number | null)[];

const FRACTIONS = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 };
type Percentile = keyof typeof FRACTIONS;

interface PlainReader {
  aggregation: Aggregation;
  /** The places of its aggregates in the list. */
  at: number[];
}

type Reader =
  | ({ kind: 'plain' } & PlainReader)
  | { kind: 'rate'; at: number[] }
  | { kind: 'formula'; formula: Formula; parts: PlainReader[] };

/** The aggregates that metrics need, each once, and the metrics' values computed from them. */
export class Aggregates {
  readonly list: Aggregate[] = [];
  private readonly keys = new Map<string, number>();
  private readonly readers: Reader[];

  constructor(metrics: Metric[]) {
    this.readers = metrics.map((metric) => this.readerOf(metric));
  }

  /** Whether the values of two groups give the values of both together. */
  get canMerge(): boolean {
    return this.list.every(({ of }) => of !== 'distinct' && of !== 'percentile');
  }

  /** The part of a row that belongs to the metrics, rounded as in `decimals.ts`. */
  shown(values: AggregateValues): AggregateValues {
    return this.readers.flatMap((reader): AggregateValues => {
      if (reader.kind === 'plain') return [plainValue(reader, values)];
      if (reader.kind === 'rate') {
        const [numerator, denominator] = reader.at.map((at) => values[at] ?? 0) as [number, number];
        return [denominator === 0 ? null : quotient(numerator, denominator), numerator, denominator];
      }
      const parts = reader.parts.map((part) => plainValue(part, values));
      const operands = parts.map((part, index) => (reader.parts[index]!.aggregation === 'sum' ? (part ?? 0) : part));
      return [evaluateFormula(reader.formula, operands), ...parts];
    });
  }

  /** The place of a metric's own value in a row, after the groups. */
  placeOf(metric: number): number {
    return this.readers.slice(0, metric).reduce((place, reader) => place + widthOf(reader), 0);
  }

  /** SQL of a metric's value before it is rounded; `name` names the column of an aggregate. */
  unrounded(metric: number, name: (at: number) => string): string {
    const reader = this.readers[metric]!;
    if (reader.kind === 'plain') return unroundedPlain(reader, name);
    if (reader.kind === 'rate') return `${name(reader.at[0]!)} / nullif(${name(reader.at[1]!)}, 0)`;
    const visit = (one: Formula): string => {
      if (one.kind === 'number') return double(one.value);
      if (one.kind === 'negative') return `(-${visit(one.of)})`;
      if (one.kind === 'part') {
        const part = reader.parts[one.index]!;
        const value = unroundedPlain(part, name);
        // Counts are integers, whose product could be too large for the engine.
        return part.aggregation === 'sum' ? `coalesce(${value}, 0e0)` : `(${value} + 0e0)`;
      }
      const right = visit(one.right);
      return `(${visit(one.left)} ${one.operator} ${one.operator === '/' ? `nullif(${right}, 0)` : right})`;
    };
    return visit(reader.formula);
  }

  private readerOf(metric: Metric): Reader {
    if (metric.aggregation === 'rate') {
      const counts = [metric.numerator, metric.denominator];
      return { kind: 'rate', at: counts.map((where) => this.add({ of: 'events', field: null, where })) };
    }
    if (metric.aggregation === 'formula') {
      return { kind: 'formula', formula: metric.formula, parts: metric.parts.map((part) => this.plain(part)) };
    }
    return { kind: 'plain', ...this.plain(metric) };
  }

  private plain(metric: PlainMetric | PartMetric): PlainReader {
    const { aggregation, field } = metric;
    const where = 'where' in metric ? metric.where : [];
    const at = neededFor(aggregation, field).map((one) => this.add({ ...one, field, where }));
    return { aggregation, at };
  }

  private add(aggregate: Aggregate): number {
    const key = JSON.stringify([aggregate.of, aggregate.field, aggregate.where, aggregate.fraction]);
    const known = this.keys.get(key) ?? this.list.push(aggregate) - 1;
    this.keys.set(key, known);
    return known;
  }
}

function neededFor(aggregation: Aggregation, field: FieldRef | null): Pick<Aggregate, 'of' | 'fraction'>[] {
  switch (aggregation) {
    case 'count':
      return [{ of: field === null ? 'events' : 'values' }];
    case 'distinct_count':
      return [{ of: 'distinct' }];
    case 'min':
    case 'max':
      return [{ of: aggregation }];
    case 'sum':
      return [{ of: 'sum' }, { of: 'size' }];
    case 'avg':
      return [{ of: 'sum' }, { of: 'size' }, { of: 'numbers' }];
    default:
      return [{ of: 'percentile', fraction: FRACTIONS[aggregation as Percentile] }, { of: 'numbers' }];
  }
}

function widthOf(reader: Reader): number {
  if (reader.kind === 'plain') return 1;
  return reader.kind === 'rate' ? 3 : 1 + reader.parts.length;
}

function plainValue({ aggregation, at }: PlainReader, values: AggregateValues): number | null {
  const [first = null, size = null, count = null] = at.map((one) => values[one] ?? null);
  if (aggregation === 'count' || aggregation === 'distinct_count') return first ?? 0;
  if (first === null || !Number.isFinite(first)) return null;
  switch (aggregation) {
    case 'min':
    case 'max':
      return first;
    case 'sum':
      return decimal(first, size ?? 0);
    case 'avg':
      return averageOf(first, size ?? 0, count!);
    case 'median':
      return decimal(first);
    default:
      // An engine's place of a percentile among n values is wrong by up to n roundings; only the
      // middle is exact.
      return decimal(first, Math.abs(first) * size!);
  }
}

/**
 * The decimal sum divided by the number of values. A sum of more than 15 digits is known with the
 * errors of doubles alone, and so is its average.
 */
function averageOf(sum: number, size: number, count: number): number {
  const shown = decimal(sum, size);
  return Math.abs(shown - sum) <= size * Number.EPSILON ? quotient(shown, count) : decimal(sum / count, size / count);
}

function double(value: number): string {
  return String(value).includes('e') ? `(${value})` : `(${value}e0)`;
}

function unroundedPlain({ aggregation, at }: PlainReader, name: (at: number) => string): string {
  return aggregation === 'avg' ? `${name(at[0]!)} / ${name(at[2]!)}` : name(at[0]!);
}

/** Adds the values of one group to those of another. Sums keep what a double loses. */
export class MergedValues {
  private readonly aggregates: Aggregate[];
  private readonly values: AggregateValues;
  private readonly lost: number[];

  /** `before` stays as it is. */
  constructor({ list }: Aggregates, before?: MergedValues) {
    this.aggregates = list;
    const isCount = (of: string) => of === 'events' || of === 'values' || of === 'numbers';
    this.values = before ? [...before.values] : list.map(({ of }) => (isCount(of) ? 0 : null));
    this.lost = before ? [...before.lost] : list.map(() => 0);
  }

  add(values: AggregateValues): void {
    for (const [at, { of }] of this.aggregates.entries()) {
      const [known, value] = [this.values[at]!, values[at]!];
      if (value === null || value === undefined) continue;
      if (known === null) this.values[at] = value;
      else if (of === 'min') this.values[at] = Math.min(known, value);
      else if (of === 'max') this.values[at] = Math.max(known, value);
      else this.addTo(at, known, value);
    }
  }

  get result(): AggregateValues {
    return this.values.map((value, at) => (value === null ? null : value + this.lost[at]!));
  }

  /** Neumaier's sum: the error of each addition is kept apart. */
  private addTo(at: number, known: number, value: number): void {
    const sum = known + value;
    this.lost[at]! += Math.abs(known) >= Math.abs(value) ? known - sum + value : value - sum + known;
    this.values[at] = sum;
  }
}
