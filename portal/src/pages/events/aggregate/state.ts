import type { Schemas } from '../../../api/schemas.ts';
import { type FilterRow, filtersOf, rowsOf } from '../../../question/filters.ts';
import { membersOf, type Range, rangeOf } from '../../../question/range.ts';
import { keysOf, textOf } from '../../../question/read.ts';
import {
  AGGREGATIONS,
  type Aggregation,
  DATE_GROUPINGS,
  type DateGrouping,
  labelOf,
  type Subject,
} from '../../../question/words.ts';
import { membersIn } from '../question-text.ts';

/** Without the agent, which the page adds. */
export type KpiQuestion = Omit<Schemas['AggregateEvents'], 'agentId' | 'review' | 'waitFor'>;

export interface KpiForm {
  subject: Subject;
  /** A name, or `name@version`. */
  metric: string;
  eventName: string;
  aggregation: Aggregation | 'rate';
  propertyKey: string;
  /** The numerator of a rate. An empty name means the same event. */
  numerator: { eventName: string; filters: FilterRow[] };
  filters: FilterRow[];
  range: Range;
  timezone: string;
  comparesPeriods: boolean;
  /** Empty: one value, no series. */
  dateGrouping: DateGrouping | '';
  groupBy: string[];
  limit: string;
}

/** The question of the form. */
export function questionOf(form: KpiForm): KpiQuestion {
  const { timezone, dateGrouping, limit } = form;
  const filters = filtersOf(form.filters);
  const groupBy = form.groupBy.filter((key) => key !== '');
  return {
    ...measureOf(form),
    ...(filters && { filters }),
    ...membersOf(form.range),
    ...(timezone !== '' && { timezone }),
    ...(form.comparesPeriods && { compareTo: 'previous_period' as const }),
    ...(dateGrouping !== '' && { dateGrouping }),
    ...(groupBy.length > 0 && { group_by: groupBy.length === 1 ? groupBy[0]! : groupBy }),
    ...(limit !== '' && groupBy.length > 0 && { limit: Number(limit) }),
  };
}

function measureOf({ subject, metric, eventName, aggregation, propertyKey, numerator }: KpiForm): KpiQuestion {
  if (subject === 'metric') return { metric };
  return {
    eventName,
    aggregation,
    ...(propertyKey !== '' && aggregation !== 'rate' && { propertyKey }),
    ...(aggregation === 'rate' && { numerator: numeratorOf(numerator) }),
  };
}

/** False while neither a metric nor an event is chosen. */
export function isAsked({ metric = '', eventName = '' }: KpiQuestion): boolean {
  return metric !== '' || eventName !== '';
}

function numeratorOf({ eventName, filters }: KpiForm['numerator']) {
  const given = filtersOf(filters);
  return { ...(eventName !== '' && { eventName }), ...(given && { filters: given }) };
}

/** The form of a question in the address, without members that the form cannot hold. */
export function formOf(text: string | undefined): KpiForm {
  const given = membersIn(text);
  const numerator = (given.numerator ?? {}) as Record<string, unknown>;
  const known = AGGREGATIONS.find(({ value }) => value === given.aggregation)?.value;
  return {
    subject: typeof given.metric === 'string' ? 'metric' : 'event',
    metric: textOf(given.metric),
    eventName: textOf(given.eventName),
    aggregation: given.aggregation === 'rate' ? 'rate' : (known ?? 'count'),
    propertyKey: textOf(given.propertyKey),
    numerator: { eventName: textOf(numerator.eventName), filters: rowsOf(numerator.filters) },
    filters: rowsOf(given.filters),
    range: rangeOf({ dateFrom: textOf(given.dateFrom) || undefined, dateTo: textOf(given.dateTo) || undefined }),
    timezone: textOf(given.timezone),
    comparesPeriods: given.compareTo === 'previous_period',
    dateGrouping: DATE_GROUPINGS.find(({ value }) => value === given.dateGrouping)?.value ?? '',
    groupBy: keysOf(given.group_by),
    limit: typeof given.limit === 'number' ? String(given.limit) : '',
  };
}

/** "Sum of amount, order_paid, by plan" */
export function titleOf(question: KpiQuestion): string {
  const { metric, eventName, group_by, dateGrouping } = question;
  const subject = metric === undefined ? [measureIn(question), eventName] : [inWords(metric)];
  const time = dateGrouping === undefined ? [] : [labelOf(DATE_GROUPINGS, dateGrouping).toLowerCase()];
  const keys = keysOf(group_by);
  const groups = keys.length === 0 ? [] : [`by ${keys.join(' and ')}`];
  const title = [...subject, ...time, ...groups].join(', ');
  return title
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, 200)
    .toWellFormed();
}

/** "Resolution rate" for `resolution_rate`. */
function inWords(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ').replace(/@\d+$/, '');
}

function measureIn({ aggregation, propertyKey = '' }: KpiQuestion): string {
  return aggregation === 'rate' ? 'Rate' : `${labelOf(AGGREGATIONS, aggregation ?? '')} ${propertyKey}`.trim();
}
