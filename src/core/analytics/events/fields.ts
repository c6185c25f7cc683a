/* Apart from `schema.ts`, so that stores do not load the schema library. */

/** Any other name in a query is a property key. */
export const EVENT_FIELDS = ['id', 'eventName', 'threadId', 'executionId', 'agentId', 'timestamp'] as const;
export type EventField = (typeof EVENT_FIELDS)[number];

export const RESERVED_EVENT_PREFIX = 'runtime.' as const;

/** The event of a call of an MCP tool. */
export const TOOL_CALLED = 'runtime.tool_called';
export const GAP_REPORTED = 'runtime.gap_reported';
/** Callers cause them as often as they like, so they count in the quota of events. */
export const OWN_IN_QUOTA = [TOOL_CALLED, GAP_REPORTED];

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

/** The properties object is level 1. */
export const MAX_PROPERTIES_DEPTH = 10;
const MAX_BYTES = 64 * 1024;

/** Null if it is too long. Expects checked properties. */
export function propertiesText(properties: Record<string, unknown>): string | null {
  const text = JSON.stringify(properties);
  return text.length <= MAX_BYTES && Buffer.byteLength(text) <= MAX_BYTES ? text : null;
}

export { DATE_GROUPINGS, type DateGrouping } from '../../base/time/units.ts';
