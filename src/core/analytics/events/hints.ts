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
