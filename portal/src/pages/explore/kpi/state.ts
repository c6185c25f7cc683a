import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';
import { type AskedForm, askedFormOf, askedOf, measurePaths } from '../../../question/state/asked.ts';
import { membersOf, type Range } from '../../../question/state/range.ts';
import { keysOf, membersIn, rangeIn, textOf } from '../../../question/state/text.ts';
import {
  AGGREGATIONS,
  conjunction,
  DATE_GROUPINGS,
  type DateGrouping,
  labelOf,
} from '../../../question/words/words.ts';

/** Without the agent, which the page adds. */
export type KpiQuestion = Omit<Schemas['AggregateEvents'], 'agentId' | 'review' | 'waitFor'>;

export interface KpiForm extends AskedForm {
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
  const groupBy = form.groupBy.filter((key) => key !== '');
  return {
    ...askedOf(form),
    ...membersOf(form.range),
    ...(timezone !== '' && { timezone }),
    ...(form.comparesPeriods && { compareTo: 'previous_period' as const }),
    ...(dateGrouping !== '' && { dateGrouping }),
    ...(groupBy.length > 0 && { group_by: groupBy.length === 1 ? groupBy[0]! : groupBy }),
    ...(limit !== '' && groupBy.length > 0 && { limit: Number(limit) }),
  };
}

/** The form of a question in the address, without members that the form cannot hold. */
export function formOf(text: string | undefined): KpiForm {
  const given = membersIn(text);
  return {
    ...askedFormOf(given),
    range: rangeIn(given),
    timezone: textOf(given.timezone),
    comparesPeriods: given.compareTo === 'previous_period',
    dateGrouping: DATE_GROUPINGS.find(({ value }) => value === given.dateGrouping)?.value ?? '',
    groupBy: keysOf(given.group_by),
    limit: typeof given.limit === 'number' ? String(given.limit) : '',
  };
}

/** The paths of the fields in the request, to place the server's messages at them. */
export function pathsOf(form: KpiForm): string[] {
  const own = ['metric', 'segment', 'dateFrom', 'dateTo', 'timezone', 'compareTo', 'dateGrouping', 'group_by', 'limit'];
  return [...own, ...measurePaths(form)];
}

/** "Sum of amount, order_paid, by plan" */
export function titleOf(question: KpiQuestion): string {
  const { metric, eventName, group_by, dateGrouping } = question;
  const subject = metric === undefined ? [measureIn(question), eventName] : [inWords(metric)];
  const time = dateGrouping === undefined ? [] : [labelOf(DATE_GROUPINGS, dateGrouping).toLowerCase()];
  const keys = keysOf(group_by);
  const groups = keys.length === 0 ? [] : [t('by {keys}', { keys: conjunction(keys) })];
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
  return aggregation === 'rate' ? t('Rate') : `${labelOf(AGGREGATIONS, aggregation ?? '')} ${propertyKey}`.trim();
}
