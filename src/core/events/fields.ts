/* The names of the event model, apart from `schema.ts`: stores do not load the schema library. */

/** The event's own fields. Any other name in a query is a property key. */
export const EVENT_FIELDS = ['id', 'eventName', 'threadId', 'executionId', 'agentId', 'timestamp'] as const;
export type EventField = (typeof EVENT_FIELDS)[number];

/** Prefix of the names of the runtime's own events. */
export const RESERVED_EVENT_PREFIX = 'runtime.';

export const AGGREGATIONS = [
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'distinct_count',
  'median',
  'p90',
  'p95',
  'p99',
] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

export const DATE_GROUPINGS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type DateGrouping = (typeof DATE_GROUPINGS)[number];
