import type { Schemas } from '../../../api/schemas.ts';
import { nameOfTitle, numberOf } from '../../../editor/values.ts';
import { type FilterRow, filterPaths, filtersOf, rowsOf } from '../../../question/filters/filters.ts';
import { RATINGS } from '../words.ts';

type Row = Schemas['QueueRow'];
type Filters = Row['filters'];
type FilterName = keyof Filters;

interface FilterField {
  name: FilterName;
  label: string;
  /** Text by default. */
  kind?: 'number' | 'boolean';
  options?: readonly { value: string; label: string }[];
  /** Shown at once; the others when somebody unfolds them. */
  isCommon?: boolean;
}

const any = { value: '', label: 'Any' };
const yesOrNo = (yes: string, no: string) => [any, { value: 'true', label: yes }, { value: 'false', label: no }];

/** The filters of a queue as the form shows them. */
export const FILTER_FIELDS: readonly FilterField[] = [
  { name: 'agentId', label: 'Agent', isCommon: true },
  {
    name: 'status',
    label: 'Status',
    isCommon: true,
    options: [
      any,
      { value: 'completed', label: 'Completed' },
      { value: 'failed', label: 'Failed' },
      { value: 'cancelled', label: 'Cancelled' },
      { value: 'running', label: 'Running' },
    ],
  },
  {
    name: 'hasReview',
    label: 'Review',
    kind: 'boolean',
    isCommon: true,
    options: yesOrNo('With a review', 'Without a review'),
  },
  { name: 'rating', label: 'Rating', isCommon: true, options: [any, ...RATINGS] },
  { name: 'tag', label: 'Tag', isCommon: true },
  { name: 'search', label: 'Words', isCommon: true },
  { name: 'name', label: 'Name' },
  { name: 'model', label: 'Model' },
  { name: 'provider', label: 'Provider' },
  { name: 'userId', label: 'End user' },
  { name: 'threadId', label: 'Thread' },
  {
    name: 'kind',
    label: 'With a step of the kind',
    options: [
      any,
      { value: 'tool', label: 'Tool' },
      { value: 'model', label: 'Model' },
      { value: 'retrieval', label: 'Retrieval' },
      { value: 'agent', label: 'Agent' },
      { value: 'other', label: 'Other' },
    ],
  },
  {
    name: 'hasAssessment',
    label: 'Assessments',
    kind: 'boolean',
    options: yesOrNo('With an assessment', 'Without one'),
  },
  { name: 'minCost', label: 'Least cost in US dollars', kind: 'number' },
  { name: 'maxCost', label: 'Most cost in US dollars', kind: 'number' },
  { name: 'minLatencyMs', label: 'Least latency in ms', kind: 'number' },
  { name: 'maxLatencyMs', label: 'Most latency in ms', kind: 'number' },
  { name: 'dateFrom', label: 'Started at or after' },
  { name: 'dateTo', label: 'Started before' },
];

/** The texts of the form of a queue. */
export interface QueueForm {
  title: string;
  /** '': made of the title. */
  name: string;
  filters: { [Name in FilterName]?: string };
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
    share: queue?.share === undefined ? '' : String(Number((queue.share * HUNDRED).toFixed(DIGITS))),
    eventName: queue?.outcome?.eventName ?? '',
    eventFilters: rowsOf(queue?.outcome?.filters),
    rubric: queue?.rubric ?? '',
    assessors: String(queue?.assessors ?? 1),
    userIds: queue?.userIds ?? [],
  };
}

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
  const percent = share === undefined ? '' : `${Number((share * HUNDRED).toFixed(DIGITS))} % of `;
  return [
    `${percent}${conditions.length === 0 ? 'all executions' : `executions (${conditions.join('; ')})`}`,
    ...(outcome ? [`${outcome.eventName} followed`] : []),
    ...(rubric === undefined ? [] : [`rubric ${rubric}`]),
    ...(assessors > 1 ? [`${assessors} people each`] : []),
  ].join(' · ');
}
