import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';

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
  { value: 'count', label: t('Number of events') },
  { value: 'sum', label: t('Sum of') },
  { value: 'avg', label: t('Average of') },
  { value: 'median', label: t('Median of') },
  { value: 'min', label: t('Smallest') },
  { value: 'max', label: t('Largest') },
  { value: 'distinct_count', label: t('Different values of') },
  { value: 'p90', label: t('90th percentile of') },
  { value: 'p95', label: t('95th percentile of') },
  { value: 'p99', label: t('99th percentile of') },
];

export const OPERATORS: readonly Choice<Operator>[] = [
  { value: 'eq', label: t('is') },
  { value: 'neq', label: t('is not') },
  { value: 'in', label: t('is one of') },
  { value: 'notIn', label: t('is none of') },
  { value: 'gt', label: t('is greater than') },
  { value: 'gte', label: t('is at least') },
  { value: 'lt', label: t('is less than') },
  { value: 'lte', label: t('is at most') },
  { value: 'contains', label: t('contains') },
  { value: 'notContains', label: t('does not contain') },
  { value: 'startsWith', label: t('starts with') },
  { value: 'exists', label: t('is set') },
  { value: 'notExists', label: t('is not set') },
];

export const DATE_GROUPINGS: readonly Choice<DateGrouping>[] = [
  { value: 'hour', label: t('By hour') },
  { value: 'day', label: t('By day') },
  { value: 'week', label: t('By week') },
  { value: 'month', label: t('By month') },
  { value: 'quarter', label: t('By quarter') },
  { value: 'year', label: t('By year') },
];

/** The states of a metric's version. */
export const METRIC_STATES: Readonly<Record<Schemas['Metric']['state'], string>> = {
  approved: t('approved'),
  proposed: t('proposed'),
  deprecated: t('deprecated'),
};

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

/** "a and b and c": unlike commas, it separates texts that have commas. */
export function conjunction([first = '', ...others]: readonly string[]): string {
  return others.reduce((before, next) => t('{before} and {next}', { before, next }), first);
}

export function labelOf<Value extends string>(choices: readonly Choice<Value>[], value: Value): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}
