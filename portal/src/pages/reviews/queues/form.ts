import type { Schemas } from '../../../api/schemas.ts';
import { nameOfTitle, numberOf } from '../../../editor/values.ts';
import { LOCALE, t } from '../../../language/index.ts';
import { type FilterRow, filterPaths, filtersOf, rowsOf } from '../../../question/filters/filters.ts';
import { where } from '../../../question/filters/words.ts';
import { FILTER_FIELDS } from '../../executions/filter-fields.ts';

type Row = Schemas['QueueRow'];
type Filters = Row['filters'];

/** The texts of the form of a queue. */
export interface QueueForm {
  title: string;
  /** '': made of the title. */
  name: string;
  filters: { [Name in keyof Filters]?: string };
  /** Percent; '': all of them. */
  share: string;
  /** The event that followed; '': none is asked for. */
  eventName: string;
  eventFilters: FilterRow[];
  rubric: string;
  assessors: string;
  userIds: string[];
}

const HUNDRED = 100;
const DIGITS = 10;

/** The form of a queue, or of a new one. */
export function formOf(queue: Row | null): QueueForm {
  const filters = Object.entries(queue?.filters ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    title: queue?.title ?? '',
    name: queue?.name ?? '',
    filters: Object.fromEntries(filters),
    share: queue?.share === undefined ? '' : String(percentOf(queue.share)),
    eventName: queue?.outcome?.eventName ?? '',
    eventFilters: rowsOf(queue?.outcome?.filters),
    rubric: queue?.rubric ?? '',
    assessors: String(queue?.assessors ?? 1),
    userIds: queue?.userIds ?? [],
  };
}

/** Without the error of binary fractions. */
const percentOf = (share: number) => Number((share * HUNDRED).toFixed(DIGITS));

/** The members of the request that changes a queue. Null removes one. */
export function requestOf({ title, share, eventName, eventFilters, rubric, assessors, userIds, ...form }: QueueForm) {
  const filters = filtersOf(eventFilters);
  const percent = numberOf(share);
  return {
    title: title.trim() || null,
    filters: executionFilters(form.filters),
    share: share.trim() === '' ? null : typeof percent === 'number' ? percent / HUNDRED : percent,
    outcome: eventName === '' ? null : { eventName, ...(filters && { filters }) },
    rubric: rubric || null,
    assessors: numberOf(assessors),
    userIds: userIds.length === 0 ? null : userIds,
  };
}

/** The request of a new queue. */
export function creationOf(form: QueueForm) {
  const members = Object.entries(requestOf(form)).filter(([, value]) => value !== null);
  const given = Object.fromEntries(members) as Omit<Schemas['CreateQueue'], 'name'>;
  return { name: form.name.trim() || nameOfTitle(form.title), ...given };
}

function executionFilters(texts: QueueForm['filters']): Filters {
  const given = FILTER_FIELDS.flatMap(({ name, kind }) => {
    const text = texts[name]?.trim() ?? '';
    if (text === '') return [];
    return [[name, kind === 'number' ? numberOf(text) : kind === 'boolean' ? text === 'true' : text]];
  });
  return Object.fromEntries(given);
}

/** The paths of the fields in the request. */
export function pathsOf({ eventFilters }: QueueForm): string[] {
  const filters = FILTER_FIELDS.map(({ name }) => `filters.${name}`);
  const outcome = ['outcome.eventName', ...filterPaths('outcome.filters', eventFilters)];
  return ['title', 'name', 'share', 'rubric', 'assessors', 'userIds', ...filters, ...outcome];
}

/** Which executions a queue takes, in words. */
export function rulesInWords({ filters, share, outcome, assessors, rubric }: Row): string {
  const texts = formOf({ filters } as Row).filters;
  const conditions = FILTER_FIELDS.flatMap(({ name, label, options }) => {
    const text = texts[name];
    if (text === undefined) return [];
    return [`${label}: ${options?.find(({ value }) => value === text)?.label ?? text}`];
  });
  return [
    executionsInWords(conditions.join('; '), share),
    ...(outcome ? [t('followed by {event}', { event: `${outcome.eventName}${where(outcome.filters)}` })] : []),
    ...(rubric === undefined ? [] : [t('rubric {rubric}', { rubric })]),
    ...(assessors > 1 ? [t('{count} people each', { count: assessors })] : []),
  ].join(' · ');
}

function executionsInWords(conditions: string, share: number | undefined): string {
  if (share === undefined)
    return conditions === '' ? t('all executions') : t('executions ({conditions})', { conditions });
  const percent = percentOf(share).toLocaleString(LOCALE, { maximumFractionDigits: DIGITS });
  return conditions === ''
    ? t('{percent} % of all executions', { percent })
    : t('{percent} % of executions ({conditions})', { percent, conditions });
}
