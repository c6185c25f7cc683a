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
  return z.preprocess(read, z.enum(values));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/* Members of other products' queries, and ours in their place. */

export const KEY_HINTS = {
  key: 'did you mean propertyKey?',
  field: 'did you mean propertyKey?',
  column: 'did you mean propertyKey?',
  name: 'did you mean alias?',
  as: 'did you mean alias?',
};

export const FILTER_HINTS = {
  ...KEY_HINTS,
  name: 'did you mean propertyKey?',
  op: 'did you mean operator?',
  comparison: 'did you mean operator?',
  values: 'did you mean value?',
};

export const QUERY_HINTS = {
  event: 'did you mean eventName?',
  name: 'did you mean eventName?',
  interval: 'did you mean dateGrouping?',
  granularity: 'did you mean dateGrouping?',
  bucket: 'did you mean dateGrouping?',
  breakdown: 'did you mean group_by?',
  measure: 'did you mean aggregation?',
  from: 'did you mean dateFrom?',
  since: 'did you mean dateFrom?',
  startDate: 'did you mean dateFrom?',
  start_date: 'did you mean dateFrom?',
  to: 'did you mean dateTo?',
  until: 'did you mean dateTo?',
  endDate: 'did you mean dateTo?',
  end_date: 'did you mean dateTo?',
  dateRange: 'use dateFrom and dateTo, such as "dateFrom":"last_month"',
  period: 'use dateFrom and dateTo, such as "dateFrom":"last_month"',
  timeRange: 'use dateFrom and dateTo, such as "dateFrom":"last_month"',
  where: 'did you mean filters?',
  filter: 'did you mean filters?',
  top: 'did you mean limit?',
  compare: 'did you mean compareTo?',
  comparison: 'did you mean compareTo?',
  tz: 'did you mean timezone?',
};

export const TABLE_HINTS = {
  ...QUERY_HINTS,
  breakdown: 'did you mean groupBy?',
  return: 'did you mean returned?',
  returning: 'did you mean returned?',
  returnEvent: 'did you mean returned, such as {"eventName":"order_paid"}?',
  totalIntervals: 'did you mean periods?',
  intervals: 'did you mean periods?',
  fields: 'did you mean columns?',
  properties: 'did you mean columns?',
  select: 'did you mean columns?',
  orderBy: 'did you mean sortBy?',
  order_by: 'did you mean sortBy?',
  order: 'did you mean sortOrder?',
  aggregation: 'use "mode":"aggregate" with metrics, or aggregate_events',
  aggregations: 'did you mean metrics?',
  page: 'did you mean offset?',
};
