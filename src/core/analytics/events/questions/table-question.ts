import type { CountedEvents } from '../cases/handle.ts';
import type { EventsQuery, ReviewedAs } from '../schema.ts';
import type { WithSegment } from './segments.ts';

/**
 * A table of the events of one name, or of those behind a number: all that is needed for a plan.
 */
export interface TableQuestion extends Omit<WithSegment<EventsQuery>, 'eventName' | 'cases'> {
  eventName: string;
  /** In place of the event: any of these. */
  events?: CountedEvents | undefined;
  review?: ReviewedAs | undefined;
}

export function eventsIn({ eventName, events }: TableQuestion): CountedEvents {
  return events ?? [{ eventName }];
}
