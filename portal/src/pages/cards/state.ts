import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';
import { type FilterRow, isComplete, nextId } from '../../question/filters/filters.ts';
import { NO_DATES, type Range } from '../../question/state/range.ts';
import type { TableRows } from '../../question/state/table-rows.ts';
import type { Aggregation, DateGrouping, Subject } from '../../question/words/words.ts';

export type CardType = Schemas['Card']['cardType'];
export type Config = Record<string, unknown>;

export interface ThresholdRow {
  id: number;
  value: string;
  label: string;
  color: string;
}

export interface StepRow {
  id: number;
  eventName: string;
  filters: FilterRow[];
  label: string;
}

export type WindowUnit = 'seconds' | 'minutes' | 'hours' | 'days';

/**
 * The members of all configs as the form holds them, so that changing the type and back loses nothing. Numbers are
 * texts, so that half a number can be typed; a text that is not a number goes to the server, which explains the error.
 */
export interface Members extends Omit<TableRows, 'mode'> {
  /** A retention is changed as JSON only. */
  mode: TableRows['mode'] | 'retention';
  subject: Subject;
  /** A name, or `name@version`. */
  metric: string;
  eventName: string;
  aggregation: Aggregation;
  propertyKey: string;
  filters: FilterRow[];
  /** The name of a segment; empty: all events. */
  segment: string;
  range: Range;
  timezone: string;
  compare: boolean;
  format: { prefix: string; suffix: string; decimals: string; percent: '' | 'yes' | 'no' };
  /** The events that a rate counts: another event, or the same event with filters. */
  numerator: { isOther: boolean; eventName: string; filters: FilterRow[] };
  dateGrouping: DateGrouping | '';
  limit: string;
  min: string;
  max: string;
  target: string;
  thresholds: ThresholdRow[];
  sortBy: string;
  sortOrder: '' | 'asc' | 'desc';
  steps: StepRow[];
  by: string;
  window: { amount: string; unit: WindowUnit };
}

/** A member that the form shows differently or not at all keeps the value that was read until the form changes it. */
export type Kept = Record<string, { original: unknown; shown: unknown }>;

export interface CardForm {
  cardType: CardType;
  members: Members;
  /** The members that were read, with their type. */
  kept: { cardType: CardType; members: Kept } | null;
}

export const NO_RANGE: Range = { choice: NO_DATES, from: '', to: '' };

export function emptyMembers(): Members {
  return {
    subject: 'event',
    metric: '',
    eventName: '',
    aggregation: 'count',
    propertyKey: '',
    filters: [],
    segment: '',
    range: NO_RANGE,
    timezone: '',
    compare: false,
    format: { prefix: '', suffix: '', decimals: '', percent: '' },
    numerator: { isOther: false, eventName: '', filters: [] },
    groupBy: [],
    dateGrouping: '',
    limit: '',
    min: '',
    max: '',
    target: '',
    thresholds: [],
    mode: 'aggregate',
    columns: [],
    metrics: [],
    sortBy: '',
    sortOrder: '',
    steps: [],
    by: '',
    window: { amount: '', unit: 'days' },
  };
}

export function emptyForm(): CardForm {
  return { cardType: 'number', members: emptyMembers(), kept: null };
}

export const newStep = (eventName = ''): StepRow => ({ id: nextId(), eventName, filters: [], label: '' });
export const newThreshold = (): ThresholdRow => ({ id: nextId(), value: '', label: '', color: '' });

/** True if a metric is in place of the event and the aggregation. */
export function asksMetric(cardType: CardType, { subject }: Members): boolean {
  return subject === 'metric' && cardType !== 'table' && cardType !== 'funnel';
}

/** False for an empty row. */
export function isGiven({ value, label, color }: ThresholdRow): boolean {
  return value !== '' || label !== '' || color !== '';
}

/** The form after a change of the type. Members that the new type lacks get defaults. */
export function withType(form: CardForm, cardType: CardType): CardForm {
  const { members } = form;
  const [first] = members.steps;
  const isNewFunnel = cardType === 'funnel' && members.steps.length === 0;
  return {
    ...form,
    cardType,
    members: {
      ...members,
      eventName: members.eventName || (first?.eventName ?? ''),
      ...(cardType === 'gauge' && members.min === '' && members.max === '' ? { min: '0', max: '100' } : {}),
      steps: isNewFunnel ? [newStep(members.eventName), newStep()] : members.steps,
    },
  };
}

/** The field to choose before the card can be shown; null when none is missing. */
export function missingOf({ cardType, members }: CardForm): string | null {
  const { eventName, steps, aggregation, propertyKey, numerator, groupBy, mode, metrics } = members;
  if (cardType === 'funnel') {
    const areChosen = steps.length >= 2 && steps.every((step) => step.eventName !== '');
    return areChosen ? null : t('Choose an event for each step, of two at least.');
  }
  const isMetric = asksMetric(cardType, members);
  if (isMetric && members.metric === '') return t('Choose a metric.');
  if (!isMetric && eventName === '') return t('Choose an event.');
  if (cardType === 'rate' && !isMetric) {
    if (numerator.isOther) return numerator.eventName === '' ? t('Choose the event that is compared with it.') : null;
    return !numerator.filters.some(isComplete)
      ? t('Add a filter for the counted events, or count another event.')
      : null;
  }
  if (cardType === 'table') {
    const isIncomplete = mode === 'aggregate' && metrics.some((one) => one.aggregation !== 'count' && !one.propertyKey);
    return isIncomplete ? t('Choose a property for each metric.') : null;
  }
  if (!isMetric && aggregation !== 'count' && propertyKey === '') return t('Choose the property to compute from.');
  if (cardType === 'pie' && !groupBy.some(Boolean)) return t('Choose the property to group by.');
  return null;
}

/** A row one place up (-1) or down (1); the same rows at the ends. */
export function rowMoved<Row>(rows: readonly Row[], row: Row, step: -1 | 1): Row[] {
  const from = rows.indexOf(row);
  const to = from + step;
  if (from < 0 || to < 0 || to >= rows.length) return [...rows];
  return rows.toSpliced(from, 1).toSpliced(to, 0, row);
}
