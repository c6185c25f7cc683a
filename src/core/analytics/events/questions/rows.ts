import { formatUtc, type TimeBucket } from '../../../base/time/time.ts';
import { evaluateFormula, parseFormula } from '../formula.ts';
import { fieldOf } from '../predicates.ts';
import type { PlanResult } from '../query-plan.ts';
import type { Column } from '../schema.ts';
import type { KnownProperty } from '../store.ts';
import type { KpiQuestion } from './question.ts';

export interface Measure {
  value: number | null;
  numerator?: number;
  denominator?: number;
  /** Values of a formula's parts, by name. */
  parts?: Record<string, number | null>;
}

/** `previous`: the same group in the previous period, if requested and known. */
export type MeasuredGroup = Measure & { group: unknown; previous?: Measure };

/** Stores return times as epoch milliseconds. */
export function valueAsShown(type: Column['type'], value: unknown): unknown {
  return type === 'datetime' && typeof value === 'number' ? formatUtc(value) : value;
}

/** The key of the property that a column shows; null: it is a field of the event. */
export function propertyOf(column: string): string | null {
  const field = fieldOf(column);
  return field.kind === 'event' ? null : field.paths[0]![0]!;
}

export function columnType(key: string, known: KnownProperty[]): Column['type'] {
  const name = propertyOf(key);
  if (name === null) return key === 'timestamp' ? 'datetime' : 'string';
  const types = new Set(known.filter((property) => property.key === name).flatMap((property) => property.types));
  const [type] = types;
  return types.size === 1 && type ? type : 'mixed';
}

export function measureOf(row: unknown[], groups: number, { aggregation, formula }: KpiQuestion): Measure {
  const [value = null, ...rest] = row.slice(groups) as (number | null)[];
  if (aggregation === 'rate') return { value, numerator: rest[0] ?? 0, denominator: rest[1] ?? 0 };
  if (!formula) return { value };
  return { value, parts: Object.fromEntries(Object.keys(formula.parts).map((name, at) => [name, rest[at] ?? null])) };
}

function groupOf(row: unknown[], keys: string[]): unknown {
  const values = keys.map((key, index) => valueAsShown(columnType(key, []), row[index]));
  return keys.length === 1 ? values[0] : Object.fromEntries(keys.map((key, index) => [key, values[index]]));
}

export function namedGroups(
  rows: unknown[][],
  before: PlanResult | null,
  keys: string[],
  input: KpiQuestion,
): MeasuredGroup[] {
  const nameOf = groupNames(rows, keys);
  const valuesOf = (row: unknown[]) => JSON.stringify(row.slice(0, keys.length));
  const known = new Map(before?.rows.map((row) => [valuesOf(row), row]));
  const isWhole = before !== null && before.rows.length === before.total;
  // The groups beyond the top differ in each period, so they are not compared.
  const previousOf = (row: unknown[]) =>
    isRest(row) ? undefined : (known.get(valuesOf(row)) ?? (isWhole ? emptyRow(keys, input) : undefined));
  const current = rows.map((row) => {
    const previous = previousOf(row);
    return {
      group: nameOf(row),
      ...measureOf(row, keys.length, input),
      ...(previous ? { previous: measureOf(previous, keys.length, input) } : {}),
    };
  });
  if (before === null || !isWhole || rows.some(isRest)) return current;
  // A group that disappeared may explain a change.
  const seen = new Set(rows.map(valuesOf));
  const gone = before.rows.filter((row) => !seen.has(valuesOf(row))).slice(0, MAX_GONE);
  return [
    ...current,
    ...gone.map((row) => ({
      group: groupOf(row, keys),
      ...measureOf(emptyRow(keys, input), keys.length, input),
      previous: measureOf(row, keys.length, input),
    })),
  ];
}

const MAX_GONE = 20;

/** Without events, counts are 0 and other values null. */
function emptyRow(keys: string[], { aggregation, formula }: KpiQuestion): unknown[] {
  const group = Array<null>(keys.length).fill(null);
  if (!formula) return [...group, overNothing(aggregation)];
  const parts = Object.values(formula.parts).map((part) => part.aggregation);
  const parsed = parseFormula(formula.expression, Object.keys(formula.parts), 'formula.expression');
  const value = evaluateFormula(
    parsed,
    parts.map((one) => (one === 'sum' ? 0 : overNothing(one))),
  );
  return [...group, value, ...parts.map(overNothing)];
}

function overNothing(aggregation: KpiQuestion['aggregation']): 0 | null {
  return aggregation === 'count' || aggregation === 'distinct_count' ? 0 : null;
}

function groupNames(rows: unknown[][], keys: string[]): (row: unknown[]) => unknown {
  const taken = rows.some((row) => !isRest(row) && groupOf(row, keys) === 'other');
  const rest = taken ? 'other (all remaining groups)' : 'other';
  return (row) => (isRest(row) ? rest : groupOf(row, keys));
}

function isRest(row: unknown[]): boolean {
  return row.at(-1) === true;
}

export function fillSeries(rows: unknown[][], buckets: TimeBucket[], keys: string[], input: KpiQuestion) {
  const groups = new Map<string, { row: unknown[]; byBucket: Map<unknown, unknown[]> }>();
  if (keys.length === 0) groups.set('', { row: [], byBucket: new Map() });
  for (const row of rows) {
    const name = keys.length === 0 ? '' : JSON.stringify([isRest(row), row.slice(0, keys.length)]);
    const group = groups.get(name) ?? { row, byBucket: new Map<unknown, unknown[]>() };
    group.byBucket.set(row.at(-2), row);
    groups.set(name, group);
  }
  const nameOf = groupNames(rows, keys);
  const empty = emptyRow(keys, input);
  return [...groups.values()].flatMap(({ row, byBucket }) =>
    buckets.map(({ key, label }) => ({
      bucket: label,
      ...(keys.length === 0 ? {} : { group: nameOf(row) }),
      ...measureOf(byBucket.get(key) ?? empty, keys.length, input),
    })),
  );
}
