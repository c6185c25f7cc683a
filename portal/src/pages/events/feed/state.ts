import type { FeedEvent } from '../../../events/event.ts';

export interface FeedPage {
  events: readonly FeedEvent[];
  total: number;
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
