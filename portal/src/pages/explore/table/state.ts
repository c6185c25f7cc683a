import type { Schemas } from '../../../api/schemas.ts';
import { type FilterRow, filterPaths, filtersOf, rowsOf } from '../../../question/filters/filters.ts';
import { membersOf, type Range } from '../../../question/state/range.ts';
import { metricOf, metricPaths, metricRowsOf, type TableRows } from '../../../question/state/table-rows.ts';
import { keysOf, membersIn, rangeIn, sinceFirst, textOf } from '../../../question/state/text.ts';

/** Without the agent, which the page adds. */
export type TableQuestion = Omit<Schemas['EventsQuery'], 'agentId'>;

export interface Sort {
  by: string;
  order: 'asc' | 'desc';
}

export interface TableForm extends TableRows {
  eventName: string;
  filters: FilterRow[];
  /** The name of a segment; empty: all events. */
  segment: string;
  range: Range;
  timezone: string;
  limit: string;
  /** The chosen order; null for newest first, or the largest values of the first metric first. */
  sort: Sort | null;
  offset: number;
}

export const DEFAULT_LIMIT = 100;

/** The question of the form, without members of the other mode. */
export function questionOf(form: TableForm): TableQuestion {
  const { eventName, segment, mode, sort, offset, timezone, limit } = form;
  const columns = form.columns.filter((key) => key !== '');
  const groupBy = form.groupBy.filter((key) => key !== '');
  const filters = filtersOf(form.filters);
  const isRaw = mode === 'raw';
  return {
    eventName,
    mode,
    ...(isRaw && columns.length > 0 && { columns }),
    ...(!isRaw && groupBy.length > 0 && { groupBy }),
    ...(!isRaw && form.metrics.length > 0 && { metrics: form.metrics.map(metricOf) }),
    ...(filters && { filters }),
    ...(segment !== '' && { segment }),
    ...membersOf(form.range),
    ...(timezone !== '' && { timezone }),
    ...(sort && { sortBy: sort.by, sortOrder: sort.order }),
    ...(limit !== '' && { limit: Number(limit) }),
    ...(offset > 0 && { offset }),
  };
}

/** The form of a question in the address, without members that the form cannot hold. */
export function formOf(text: string | undefined): TableForm {
  const given = membersIn(text);
  const mode = given.mode === 'aggregate' ? 'aggregate' : 'raw';
  return {
    eventName: textOf(given.eventName),
    mode,
    columns: keysOf(given.columns),
    filters: rowsOf(given.filters),
    segment: textOf(given.segment),
    groupBy: keysOf(given.groupBy),
    metrics: metricRowsOf(given.metrics),
    range: rangeIn(given),
    timezone: textOf(given.timezone),
    limit: typeof given.limit === 'number' ? String(given.limit) : '',
    sort: sortIn(given),
    offset: Number.isSafeInteger(given.offset) ? Math.max(0, given.offset as number) : 0,
  };
}

function sortIn({ sortBy, sortOrder }: Record<string, unknown>): Sort | null {
  const by = textOf(sortBy);
  return by === '' ? null : { by, order: sortOrder === 'asc' ? 'asc' : 'desc' };
}

/** The paths of the fields in the request, to place the server's messages at them. */
export function pathsOf({ filters, metrics }: TableForm): string[] {
  const own = [
    'eventName',
    'mode',
    'columns',
    'groupBy',
    'metrics',
    'segment',
    'dateFrom',
    'dateTo',
    'timezone',
    'limit',
  ];
  return [...own, ...filterPaths('filters', filters), ...metricPaths('metrics', metrics)];
}

/** The sort of an answer's rows. */
export function sortOf({ mode, sortBy, sortOrder = 'desc', metrics }: TableQuestion): Sort {
  if (sortBy !== undefined) return { by: sortBy, order: sortOrder };
  return { by: mode === 'aggregate' ? (metrics?.[0]?.alias ?? 'count') : 'timestamp', order: 'desc' };
}

/** The sort after a click on a column's head: descending first, then ascending. */
export function nextSort(question: TableQuestion, by: string): Sort {
  const now = sortOf(question);
  return { by, order: now.by === by && now.order === 'desc' ? 'asc' : 'desc' };
}

/** The form without a sort by a column that it no longer has. */
export function withValidSort(form: TableForm): TableForm {
  const { mode, columns, groupBy, metrics } = questionOf(form);
  if (form.sort === null || (mode === 'raw' && columns === undefined)) return form;
  const keys = mode === 'raw' ? columns : [groupBy ?? [], (metrics ?? []).map(({ alias }) => alias)].flat();
  return keys?.includes(form.sort.by) ? form : { ...form, sort: null };
}

/** The card for the builder. */
export function cardOf({ offset: _, ...config }: TableQuestion) {
  return { cardType: 'table' as const, config: { ...config, ...sinceFirst(config) } };
}
