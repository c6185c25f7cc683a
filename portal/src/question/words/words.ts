import type { Schemas } from '../../api/schemas.ts';

export type Aggregation = Schemas['EventMetric']['aggregation'];
export type Operator = Schemas['EventFilter']['operator'];
export type DateGrouping = NonNullable<Schemas['ChartConfig']['dateGrouping']>;

/** A question measures events, or a metric with the definition that it has. */
export type Subject = 'event' | 'metric';

interface Choice<Value> {
  value: Value;
  label: string;
}

/** A property follows each label except the first. */
export const AGGREGATIONS: readonly Choice<Aggregation>[] = [
  { value: 'count', label: 'Number of events' },
  { value: 'sum', label: 'Sum of' },
  { value: 'avg', label: 'Average of' },
  { value: 'median', label: 'Median of' },
  { value: 'min', label: 'Smallest' },
  { value: 'max', label: 'Largest' },
  { value: 'distinct_count', label: 'Different values of' },
  { value: 'p90', label: '90th percentile of' },
  { value: 'p95', label: '95th percentile of' },
  { value: 'p99', label: '99th percentile of' },
];

export const OPERATORS: readonly Choice<Operator>[] = [
  { value: 'eq', label: 'is' },
  { value: 'neq', label: 'is not' },
  { value: 'in', label: 'is one of' },
  { value: 'notIn', label: 'is none of' },
  { value: 'gt', label: 'is greater than' },
  { value: 'gte', label: 'is at least' },
  { value: 'lt', label: 'is less than' },
  { value: 'lte', label: 'is at most' },
  { value: 'contains', label: 'contains' },
  { value: 'notContains', label: 'does not contain' },
  { value: 'startsWith', label: 'starts with' },
  { value: 'exists', label: 'is set' },
  { value: 'notExists', label: 'is not set' },
];

export const DATE_GROUPINGS: readonly Choice<DateGrouping>[] = [
  { value: 'hour', label: 'By hour' },
  { value: 'day', label: 'By day' },
  { value: 'week', label: 'By week' },
  { value: 'month', label: 'By month' },
  { value: 'quarter', label: 'By quarter' },
  { value: 'year', label: 'By year' },
];

/** The fields of every event, in addition to its properties. */
export const EVENT_FIELDS: readonly string[] = ['threadId', 'executionId', 'agentId', 'timestamp', 'eventName', 'id'];

export function takesList(operator: Operator): boolean {
  return operator === 'in' || operator === 'notIn';
}

export function takesNoValue(operator: Operator): boolean {
  return operator === 'exists' || operator === 'notExists';
}

/** True if the aggregation needs numbers. */
export function takesNumbers(aggregation: Aggregation): boolean {
  return aggregation !== 'count' && aggregation !== 'distinct_count';
}

export function labelOf<Value extends string>(choices: readonly Choice<Value>[], value: Value): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}
