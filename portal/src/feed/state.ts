import type { Schemas } from '../api/schemas.ts';

export type FeedEvent = Schemas['Event'];

const MAX_SUMMARY = 180;

/** "plan: pro · amount: 49.9", cut to about two lines. */
export function shortProperties(properties: Record<string, unknown>): string {
  let short = '';
  for (const [key, value] of Object.entries(properties)) {
    short += `${short === '' ? '' : ' · '}${key}: ${textOf(value)}`;
    if (short.length > MAX_SUMMARY) return `${[...short.slice(0, MAX_SUMMARY)].join('').toWellFormed()} …`;
  }
  return short;
}

/** Each property with its key in queries: `utm.source` within an object. */
export function propertyRows(properties: Record<string, unknown>, prefix = ''): { key: string; value: string }[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    const key = prefix + name;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && Object.keys(value).length > 0) return propertyRows(value as Record<string, unknown>, `${key}.`);
    return [{ key, value: textOf(value) }];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const FIELDS = new Set(['id', 'eventName', 'threadId', 'executionId', 'agentId', 'timestamp']);

/** The event of a row of `events/query` without columns. Such a row has no name, and null may mean an absent property. */
export function eventOfRow(eventName: string, row: Record<string, unknown>): FeedEvent {
  const given = Object.entries(row).filter(([key, value]) => !FIELDS.has(key) && value !== null);
  const properties = Object.fromEntries(given.map(([key, value]) => [key.replace(/^properties\./, ''), value]));
  const text = (key: string) => (typeof row[key] === 'string' ? row[key] : null);
  return {
    id: text('id') ?? '',
    eventName,
    threadId: text('threadId'),
    executionId: text('executionId'),
    timestamp: text('timestamp') ?? '',
    properties,
  };
}

/** The `question` for a table of the events with this name and the same thread or execution. */
export function relatedQuestion(eventName: string, propertyKey: 'threadId' | 'executionId', value: string): string {
  return JSON.stringify({ eventName, filters: [{ propertyKey, operator: 'eq', value }] });
}

/** Events, or rows of another list, on a page. */
export const PAGE_SIZE = 50;

/** The page number in the address; 1 if it is invalid. */
export function pageNumber(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}

export function lastPage(total: number, size = PAGE_SIZE): number {
  return Math.max(1, Math.ceil(total / size));
}

export interface FeedPage {
  events: readonly FeedEvent[];
  total: number;
  notes?: string[] | undefined;
}

/** The number of events that the newest first page has and the shown page lacks. */
export function arrivals(shown: FeedPage, newest: FeedPage): number {
  const known = new Set(shown.events.map(({ id }) => id));
  // Older events move up when others are erased; they are not new.
  const oldest = shown.events.length < shown.total ? (shown.events.at(-1)?.timestamp ?? '') : '';
  const fresh = newest.events.filter(({ id, timestamp }) => !known.has(id) && timestamp >= oldest);
  const isWholePage = fresh.length === newest.events.length;
  return isWholePage ? Math.max(fresh.length, newest.total - shown.total) : fresh.length;
}
