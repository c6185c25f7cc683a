import { type Arrival, arrivals, utcMidnight } from './arrivals.ts';
import { drawCourse } from './course.ts';
import { drawCustomer } from './customer.ts';
import { type DemoEvent, Transcript } from './transcript.ts';

export type { DemoEvent } from './transcript.ts';

const DAY = 86_400_000;

export interface DemoOptions {
  /** Epoch milliseconds. The story ends here, and its outage lies a few days before. */
  now: number;
  /** Another seed tells the same story with other customers. */
  seed?: number;
  /** Whole UTC days before the one of `now`. */
  days?: number;
}

/**
 * The events of a customer-support agent, oldest first; `story.ts` has its numbers. The same options give the same
 * events. A conversation's chance and its ids follow from its date and its number, not from `now`: whoever imports the
 * story again doubles nothing, and on a later day adds the days in between and the outage where it has moved to.
 */
export function* demoEvents({ now, seed = 1, days = 90 }: DemoOptions): Generator<DemoEvent> {
  const from = utcMidnight(now) - days * DAY;
  const conversations = [...arrivals({ now, seed, days })].filter(({ startedAt }) => startedAt >= from);
  const events = conversations.flatMap(eventsOf).filter(({ timestamp }) => Date.parse(timestamp) <= now);
  // Timestamps of one form sort as text; the sort is stable, so that the steps of a conversation keep their order.
  yield* events.sort((one, other) => (one.timestamp < other.timestamp ? -1 : Number(one.timestamp > other.timestamp)));
}

function eventsOf(arrival: Arrival): DemoEvent[] {
  const customer = drawCustomer(arrival.random);
  return new Transcript(arrival, customer, drawCourse(arrival, customer)).write();
}
