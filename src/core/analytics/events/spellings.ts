import { z } from 'zod';

/**
 * Other names of the values that queries take, as people and other products write them. Compared by
 * `plain`.
 */
export const AGGREGATION_SPELLINGS = {
  average: 'avg',
  mean: 'avg',
  total: 'sum',
  unique: 'distinct_count',
  uniques: 'distinct_count',
  unique_count: 'distinct_count',
  count_unique: 'distinct_count',
  count_distinct: 'distinct_count',
  distinct: 'distinct_count',
  nunique: 'distinct_count',
  cardinality: 'distinct_count',
  p50: 'median',
  minimum: 'min',
  maximum: 'max',
} as const;

export const OPERATOR_SPELLINGS = {
  '=': 'eq',
  '==': 'eq',
  '===': 'eq',
  equals: 'eq',
  equal: 'eq',
  equal_to: 'eq',
  '!=': 'neq',
  '!==': 'neq',
  '<>': 'neq',
  ne: 'neq',
  not_equal: 'neq',
  not_equals: 'neq',
  '>': 'gt',
  greater_than: 'gt',
  '>=': 'gte',
  ge: 'gte',
  greater_than_or_equal: 'gte',
  '<': 'lt',
  less_than: 'lt',
  '<=': 'lte',
  le: 'lte',
  less_than_or_equal: 'lte',
  does_not_contain: 'notContains',
  begins_with: 'startsWith',
  nin: 'notIn',
  is_set: 'exists',
  is_not_set: 'notExists',
  is_not_null: 'exists',
  is_null: 'notExists',
} as const;

export const GROUPING_SPELLINGS = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annually: 'year',
} as const;

export const COMPARISON_SPELLINGS = {
  previous: 'previous_period',
  prior_period: 'previous_period',
  last_period: 'previous_period',
  preceding_period: 'previous_period',
} as const;

export const ORDER_SPELLINGS = { ascending: 'asc', descending: 'desc' } as const;

/**
 * The enumeration, in any case and with any separators, and by its other names. Its JSON Schema
 * lists the values alone.
 */
export function spelled<const Values extends readonly string[]>(
  values: Values,
  others: Record<string, Values[number]>,
): z.ZodType<Values[number], unknown> {
  const known = new Map([
    ...Object.entries(others).map(([name, value]) => [plain(name), value] as const),
    ...values.map((value) => [plain(value), value] as const),
  ]);
  const read = (value: unknown) => (typeof value === 'string' ? (known.get(plain(value)) ?? value) : value);
  return z.preprocess(read, z.enum(values, `must be one of ${values.join(', ')}`));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}
