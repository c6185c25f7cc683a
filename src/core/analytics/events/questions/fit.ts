import type { EventFilter } from '../../../base/filters/filter-schema.ts';
import type { Table } from '../schema.ts';
import type { AggregateAnswer, Basis, QueryAnswer, QueryBasis } from './answer-schema.ts';
import type { Noted } from './notes.ts';

/** Bytes of JSON: MCP clients refuse or drop longer answers. */
export const MAX_ANSWER_BYTES = 40 * 1024;
/** Bytes for the sentences that say what was cut. */
const SENTENCES_BYTES = 600;

const MAX_SHOWN_VALUES = 20;
export const MAX_SHOWN_TEXT = 200;

const MAX_FILTERS_BYTES = 4 * 1024;

export function shownFilters(filters: EventFilter[] = []): Basis['filters'] {
  const shown = filters.map((filter) => {
    const { propertyKey, operator } = filter;
    return 'value' in filter ? { propertyKey, operator, value: shownValue(filter.value) } : { propertyKey, operator };
  });
  const kept = fittingPrefix(shown, MAX_FILTERS_BYTES);
  return kept < shown.length ? [...shown.slice(0, kept), `... ${shown.length - kept} more filters`] : shown;
}

export function shownValue(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_SHOWN_TEXT) {
    return `${value.slice(0, MAX_SHOWN_TEXT).toWellFormed()}... (${value.length} characters)`;
  }
  if (!Array.isArray(value)) return value;
  const shown = value.slice(0, MAX_SHOWN_VALUES).map(shownValue);
  return value.length > MAX_SHOWN_VALUES ? [...shown, `... ${value.length - MAX_SHOWN_VALUES} more`] : shown;
}

/** Measures no more of the list than fits: the whole may be hundreds of megabytes. */
export function fitKpi(answer: Noted<AggregateAnswer>): Noted<AggregateAnswer> {
  const name = answer.series ? 'series' : 'groups';
  const list: unknown[] = answer[name] ?? [];
  const available = MAX_ANSWER_BYTES - jsonBytes({ ...answer, [name]: [] });
  if (fittingPrefix(list, available) === list.length) return answer;
  const kept = fittingPrefix(list, available - SENTENCES_BYTES);
  const other = name === 'groups' ? '; "other" is not among them' : '';
  return {
    ...answer,
    [name]: list.slice(0, kept),
    truncated: `Only the first ${kept} of ${list.length} ${name === 'series' ? 'points' : 'groups'} fit in 40 KB${other}. Narrow the range, use a longer dateGrouping or a smaller limit.`,
  };
}

export interface TableToFit {
  table: Table;
  limit: number;
  offset: number;
  basis: QueryBasis;
  notes: string[];
  /** Omits empty columns: the rows leave out nulls, since the caller named no columns. */
  sparse: boolean;
  /** New events may shift the rows of the next page. */
  open: boolean;
}

export function fitTable({ table, limit, offset, basis, notes, sparse, open }: TableToFit): Noted<QueryAnswer> {
  const all = table.rows;
  const columnsOf = (rows: Table['rows']) =>
    sparse ? table.columns.filter(({ key }) => rows.some((row) => Object.hasOwn(row, key))) : table.columns;
  const fixed = jsonBytes({ rows: [], total: table.total, nextOffset: offset, basis, note: notes.join(' ') });
  let kept = fittingPrefix(all, MAX_ANSWER_BYTES - SENTENCES_BYTES - fixed);
  while (
    kept > 0 &&
    fixed + jsonBytes(all.slice(0, kept)) + jsonBytes(columnsOf(all.slice(0, kept))) >
      MAX_ANSWER_BYTES - SENTENCES_BYTES
  ) {
    kept = Math.floor(kept * 0.9);
  }
  const rows = all.slice(0, kept);
  const next = offset + kept + (kept === 0 && all.length > 0 ? 1 : 0);
  const more = all.length > 0 && next < table.total;
  const page = { kept, requested: requestedRows(table, { limit, offset }), offset, total: table.total, more };
  const steady = open ? ` and "dateTo":${JSON.stringify(basis.to)}, so that new events do not shift the rows` : '';
  return {
    rows,
    total: table.total,
    columns: columnsOf(rows),
    ...(more ? { nextOffset: next } : {}),
    basis,
    notes: [...notes, ...pageNotes(page, steady)],
  };
}

/** A store ends a page of large rows early. */
export function requestedRows(
  { total }: Pick<Table, 'total'>,
  { limit, offset }: { limit: number; offset: number },
): number {
  return Math.max(0, Math.min(limit, total - offset));
}

function pageNotes(
  {
    kept,
    requested,
    offset,
    total,
    more,
  }: Record<'kept' | 'requested' | 'offset' | 'total', number> & { more: boolean },
  steady: string,
): string[] {
  if (requested === 0) return total > 0 ? [`Offset ${offset} is beyond the last of ${total} rows.`] : [];
  if (kept === 0) return [`Row ${offset + 1} of ${total} does not fit in 40 KB and was left out: name fewer columns.`];
  const cut = kept < requested ? [`Only ${kept} of the ${requested} rows asked for fit in 40 KB.`] : [];
  if (!more) return cut;
  return [...cut, `Rows ${offset + 1} to ${offset + kept} of ${total}; go on with offset ${offset + kept}${steady}.`];
}

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

export function fittingItems<Item>(items: Item[]): Item[] {
  return items.slice(0, fittingPrefix(items, MAX_ANSWER_BYTES - SENTENCES_BYTES));
}

function fittingPrefix(items: unknown[], bytes: number): number {
  let used = 0;
  for (const [index, item] of items.entries()) {
    used += jsonBytes(item) + 1;
    if (used > bytes) return index;
  }
  return items.length;
}
