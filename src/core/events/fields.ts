/* The words of the event model, apart from the schemas: a store needs them and no schema library. */

/** The event's own fields. Any other name in a query is a property key. */
export const EVENT_FIELDS = ['id', 'eventName', 'threadId', 'executionId', 'agentId', 'timestamp'] as const;
export type EventField = (typeof EVENT_FIELDS)[number];

/** Names that begin so belong to events that the runtime itself records. */
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
