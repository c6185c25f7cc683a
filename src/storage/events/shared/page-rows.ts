import type { PropertyPath } from '../../../core/analytics/events/predicates.ts';
import type { RawColumn, RawPlan } from '../../../core/analytics/events/query-plan.ts';
import { TimeSlices } from '../../../core/base/concurrency/time-slices.ts';
import { formatUtc } from '../../../core/base/time/time.ts';

/** Rows of which nothing is known yet may be 64 KB each. */
const FIRST_ROWS = 100;
/** Text of events that is read at once. */
const READ_BYTES = 8 * 1024 * 1024;

/** An event as an engine reads it: the exact text of its properties, then columns of fields. */
export type PageLine = [properties: string, ...fields: unknown[]];

/** Whether the text of an event's properties must be read. */
export function readsProperties({ columns }: RawPlan): boolean {
  return columns.some(({ kind }) => kind !== 'event');
}

/**
 * The rows of a page, made from texts of events. They are read in parts, so that neither an engine
 * nor a thread holds more than a few megabytes of them.
 */
export async function rowsOfPage(
  plan: RawPlan,
  wanted: number,
  read: (part: { limit: number; offset: number }) => Promise<PageLine[]>,
): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  const slices = new TimeSlices();
  let [bytes, seen, limit] = [0, 0, FIRST_ROWS];
  while (rows.length < wanted) {
    const part = { limit: Math.min(limit, wanted - rows.length), offset: plan.offset + rows.length };
    const lines = await read(part);
    for (const line of lines) {
      const row = rowOf(plan, line);
      bytes += plan.page === undefined ? 0 : bytesOf(plan, row);
      if (rows.length > 0 && bytes > (plan.page ?? bytes)) return rows;
      rows.push(row);
      seen += line[0].length;
      await slices.pause();
    }
    if (lines.length < part.limit) break;
    const atOnce = READ_BYTES / (seen / rows.length);
    const left = plan.page === undefined ? Number.POSITIVE_INFINITY : (plan.page - bytes) / (bytes / rows.length);
    limit = 1 + Math.floor(Math.min(atOnce, left));
  }
  return rows;
}

function bytesOf({ shownAs }: RawPlan, row: unknown[]): number {
  return shownAs ? (row[0] as string).length : JSON.stringify(row).length;
}

function rowOf({ columns, shownAs, sparse }: RawPlan, [text, ...fields]: PageLine): unknown[] {
  let properties: object | undefined;
  let next = 0;
  const values = columns.map((column) => {
    if (column.kind === 'event') return fields[next++];
    if (column.kind === 'properties text') return text;
    if (column.kind === 'properties' && shownAs) return null;
    properties ??= JSON.parse(text) as object;
    return column.kind === 'properties' ? properties : firstPresent(column, properties);
  });
  if (!shownAs) return values;
  const members = new Map(shownAs.map((key, at) => [key, shown(columns[at]!, values[at], text)]));
  const present = [...members].filter(([, value]) => !sparse || value !== 'null');
  return [`{${present.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`];
}

/** The JSON of a value. */
function shown(column: RawColumn, value: unknown, text: string): string {
  if (column.kind === 'properties') return text;
  const isTime = column.kind === 'event' && column.name === 'timestamp';
  return JSON.stringify(isTime ? formatUtc(value as number) : value);
}

function firstPresent({ paths }: Extract<RawColumn, { kind: 'property' }>, properties: object): unknown {
  for (const path of paths) {
    const value = at(properties, path);
    if (value !== undefined && value !== null) return value;
  }
  return null;
}

/** The value at a path like a JSON pointer: a key of an object, or the index of a list. */
function at(properties: object, path: PropertyPath): unknown {
  let value: unknown = properties;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
