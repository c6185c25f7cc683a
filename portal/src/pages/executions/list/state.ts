import type { ExecutionList, ExecutionRow, ExecutionsQuery } from '../executions.ts';

/** The filters in the address; all but the dates are named as in the API. */
export const FILTERS = [
  ...(['search', 'status', 'threadId', 'userId', 'model', 'provider', 'tag', 'name', 'kind'] as const),
  ...(['hasReview', 'rating', 'hasAssessment', 'minCost', 'maxCost', 'minLatencyMs', 'maxLatencyMs'] as const),
  ...(['from', 'to'] as const),
] as const;

/** The parameters of the list: filters, order, and the cursors of the pages up to the shown one. */
export const LIST_SEARCH = [...FILTERS, 'sortBy', 'sortOrder', 'after'] as const;

export type ListSearch = { [Name in (typeof LIST_SEARCH)[number]]?: string | undefined };

export const PAGE_SIZE = 50;
/** Longer addresses are cut off by some servers. */
const MAX_CURSORS = 50;

/** The question of a list. What the address has wrong, the API says. */
export function queryOf({ from, to, after, ...search }: ListSearch, agentId: string | undefined): ExecutionsQuery {
  const cursor = cursorsIn(after).at(-1);
  const given = { agentId, ...search, dateFrom: from, dateTo: to, cursor };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(present) as ExecutionsQuery), limit: PAGE_SIZE };
}

/** The cursors are in base64url, which has no full stop. */
function cursorsIn(after: string | undefined): string[] {
  return after === undefined ? [] : after.split('.');
}

/** The `after` of the next page. */
export function afterNext(after: string | undefined, nextCursor: string): string {
  return [...cursorsIn(after), nextCursor].slice(-MAX_CURSORS).join('.');
}

/** The `after` of the page before; undefined for the first one. */
export function afterPrevious(after: string | undefined): string | undefined {
  return cursorsIn(after).slice(0, -1).join('.') || undefined;
}

/** True for the list to which new executions come at its beginning. */
export function isNewestFirst({ sortBy = 'startedAt', sortOrder = 'desc', after }: ListSearch): boolean {
  return sortBy === 'startedAt' && sortOrder === 'desc' && after === undefined;
}

export function isFiltered(search: ListSearch): boolean {
  return FILTERS.some((name) => search[name] !== undefined);
}

/** The list of an address, as the address of an execution has it: "?status=failed", "?" for all. */
export function listText(search: ListSearch): string {
  const given = LIST_SEARCH.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]));
  return `?${new URLSearchParams(Object.fromEntries(given))}`;
}

/** The list that `listText` wrote; null without one. */
export function listIn(text: string | undefined): ListSearch | null {
  if (!text?.startsWith('?')) return null;
  const given = new URLSearchParams(text);
  return Object.fromEntries(
    LIST_SEARCH.flatMap((name) => {
      const value = given.get(name);
      return value ? [[name, value]] : [];
    }),
  );
}

const startOf = ({ startedAt, createdAt }: ExecutionRow) => startedAt ?? createdAt;

/** The number of rows that the newest first page has and the shown one lacks. */
export function arrivals(shown: ExecutionList, newest: ExecutionList): number {
  const known = new Set(shown.executions.map(({ id }) => id));
  // Older rows move up when others are erased; they are not new.
  const last = shown.nextCursor === null ? undefined : shown.executions.at(-1);
  const oldest = last === undefined ? '' : startOf(last);
  return newest.executions.filter((row) => !known.has(row.id) && startOf(row) >= oldest).length;
}

/** The shown rows in their places, with what has become of them. */
export function refreshed(shown: ExecutionList, newest: ExecutionList): ExecutionRow[] {
  const byId = new Map(newest.executions.map((row) => [row.id, row]));
  return shown.executions.map((row) => byId.get(row.id) ?? row);
}
