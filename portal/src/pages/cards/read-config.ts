import { nextId, rowsOf } from '../../question/filters/filters.ts';
import { metricRowsOf } from '../../question/state/table-rows.ts';
import { keysOf, rangeIn, textOf } from '../../question/state/text.ts';
import { AGGREGATIONS, DATE_GROUPINGS } from '../../question/words/words.ts';
import { type Config, emptyMembers, type Members, type StepRow, type ThresholdRow, type WindowUnit } from './state.ts';

const MODES = [{ value: 'raw' }, { value: 'aggregate' }, { value: 'retention' }] as const;

/** The form's members of any config. A member that the form cannot show gets its default. */
export function membersFrom(config: Config): Members {
  const empty = emptyMembers();
  return {
    ...empty,
    subject: typeof config.metric === 'string' ? 'metric' : 'event',
    metric: textOf(config.metric),
    eventName: textOf(config.eventName),
    aggregation: oneOf(AGGREGATIONS, config.aggregation) ?? 'count',
    propertyKey: textOf(config.propertyKey),
    filters: rowsOf(config.filters),
    segment: textOf(config.segment),
    range: rangeIn(config),
    timezone: textOf(config.timezone),
    compare: config.compareTo === 'previous_period',
    format: formatFrom(objectOf(config.format)),
    numerator: numeratorFrom(objectOf(config.numerator)),
    groupBy: keysOf(config.groupBy),
    dateGrouping: oneOf(DATE_GROUPINGS, config.dateGrouping) ?? '',
    limit: numberText(config.limit),
    min: numberText(config.min),
    max: numberText(config.max),
    target: numberText(config.target),
    thresholds: objectsOf(config.thresholds).map(thresholdFrom),
    mode: oneOf(MODES, config.mode) ?? 'aggregate',
    columns: keysOf(config.columns),
    metrics: metricRowsOf(config.metrics),
    sortBy: textOf(config.sortBy),
    sortOrder: config.sortOrder === 'asc' || config.sortOrder === 'desc' ? config.sortOrder : '',
    steps: objectsOf(config.steps).map(stepFrom),
    by: textOf(config.by),
    window: windowFrom(config.windowSeconds),
  };
}

function formatFrom({ prefix, suffix, decimals, percent }: Config): Members['format'] {
  return {
    prefix: textOf(prefix),
    suffix: textOf(suffix),
    decimals: numberText(decimals),
    percent: typeof percent === 'boolean' ? (percent ? 'yes' : 'no') : '',
  };
}

function numeratorFrom({ eventName, filters }: Config): Members['numerator'] {
  return { isOther: typeof eventName === 'string', eventName: textOf(eventName), filters: rowsOf(filters) };
}

function thresholdFrom({ value, label, color }: Config): ThresholdRow {
  return { id: nextId(), value: numberText(value), label: textOf(label), color: textOf(color) };
}

function stepFrom({ eventName, filters, label }: Config): StepRow {
  return { id: nextId(), eventName: textOf(eventName), filters: rowsOf(filters), label: textOf(label) };
}

function windowFrom(seconds: unknown): Members['window'] {
  const units: [WindowUnit, number][] = [
    ['days', 86_400],
    ['hours', 3_600],
    ['minutes', 60],
  ];
  if (typeof seconds !== 'number') return { amount: '', unit: 'days' };
  const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? ['seconds', 1];
  return { amount: String(seconds / length), unit };
}

function numberText(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}

function objectOf(value: unknown): Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Config) : {};
}

function objectsOf(value: unknown): Config[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function oneOf<Value extends string>(choices: readonly { value: Value }[], value: unknown): Value | undefined {
  return choices.find((choice) => choice.value === value)?.value;
}
