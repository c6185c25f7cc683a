import type { Schemas } from '../../api/schemas.ts';
import { LOCALE, t } from '../../language/index.ts';
import { textOf } from '../../question/state/text.ts';
import { type FormulaDefinition, type MeasureDefinition, measureInWords } from '../metrics/words.ts';

type Alert = Schemas['Alert'];
type Condition = Alert['condition'];
type State = Alert['state'];
export type Bucket = NonNullable<Schemas['AlertQuestion']['dateGrouping']>;

/** The states, those that need somebody first. */
export const STATES = [
  { value: 'alerting', label: t('Alerting'), tone: 'bad' },
  { value: 'failing', label: t('Failing'), tone: 'bad' },
  { value: 'no_data', label: t('No data'), tone: 'warning' },
  { value: 'ok', label: t('OK'), tone: 'good' },
] as const;

export const LIMITS = [
  { value: 'lt', label: t('below') },
  { value: 'lte', label: t('at or below') },
  { value: 'gt', label: t('above') },
  { value: 'gte', label: t('at or above') },
] as const;

export const BUCKETS = [
  { value: 'hour', label: t('The last full hour') },
  { value: 'day', label: t('The last full day') },
  { value: 'week', label: t('The last full week') },
  { value: 'month', label: t('The last full month') },
] as const;

const STATE_ORDER: readonly State[] = STATES.map(({ value }) => value);

/** Alerting, failing and no data first, then ok, then those that are switched off; newest first within each. */
export function urgentFirst<One extends Pick<Alert, 'state' | 'enabled'>>(alerts: readonly One[]): One[] {
  const rank = ({ state, enabled }: One) => (enabled ? STATE_ORDER.indexOf(state) : STATE_ORDER.length);
  return alerts.toSorted((one, other) => rank(one) - rank(other));
}

/** "Below 100, until it is 120 again"; `formatted` formats a value. */
export function conditionInWords(condition: Condition, formatted: (value: number) => string): string {
  switch (condition.type) {
    case 'threshold': {
      const { operator, value, clear } = condition;
      const limit = capitalized(limitInWords(operator, formatted(value)));
      if (clear === undefined || clear === value) return limit;
      return t('{limit}, until it is back at {value}', { limit, value: formatted(clear) });
    }
    case 'change': {
      const { operator, ratio } = condition;
      const change = Math.abs(ratio).toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: 2 });
      const moved = ratio < 0 ? `−${change}` : `+${change}`;
      return t('Change against the period before {limit}', { limit: limitInWords(operator, moved) });
    }
    case 'anomaly':
      return t('Unlike the same times of earlier weeks');
    case 'no_data':
      return t('No event was counted');
  }
}

/** "below 100" */
function limitInWords(operator: (typeof LIMITS)[number]['value'], limit: string): string {
  return `${LIMITS.find(({ value }) => value === operator)!.label} ${limit}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The metric that an alert names; empty for another. */
export function metricAsked({ metric, question }: Pick<Alert, 'metric' | 'question'>): string {
  return metric ?? textOf(question?.metric);
}

/** The measure of a question about events, in words. */
export function questionInWords(question: NonNullable<Alert['question']>): string {
  return measureInWords(question as unknown as MeasureDefinition | FormulaDefinition['parts'][string]);
}

/** The bucket of the question; undefined for a card, which has its own. */
export function bucketOf({ cardId, question }: Partial<Pick<Alert, 'cardId' | 'question'>>): Bucket | undefined {
  if (cardId !== undefined) return undefined;
  return BUCKETS.find(({ value }) => value === question?.dateGrouping)?.value ?? 'day';
}

/** The bucket in words: "2 Mar 2026, 11:00" for the start of an hour, in the zone of the alert, which the text has. */
export function bucketInWords(start: string, bucket: Bucket | undefined, locale = LOCALE): string {
  const wall = new Date(`${start.slice(0, 19)}Z`);
  const format = (options: Intl.DateTimeFormatOptions) => wall.toLocaleString(locale, { ...options, timeZone: 'UTC' });
  const isHour = bucket === 'hour' || (bucket === undefined && start.slice(11, 19) !== '00:00:00');
  if (isHour) return format({ dateStyle: 'medium', timeStyle: 'short' });
  if (bucket === 'month') return format({ month: 'long', year: 'numeric' });
  const date = format({ dateStyle: 'medium' });
  return bucket === 'week' ? t('week of {date}', { date }) : date;
}

/** "2 hours", "15 minutes" */
export function durationInWords(seconds: number): string {
  const [count, unit] = durationOf(seconds);
  return count.toLocaleString(LOCALE, { style: 'unit', unit: unit.slice(0, -1), unitDisplay: 'long' });
}

/** In the largest unit that has no fraction. */
export function durationOf(seconds: number): [count: number, unit: 'minutes' | 'hours'] {
  return seconds % 3_600 === 0 ? [seconds / 3_600, 'hours'] : [seconds / 60, 'minutes'];
}
