import { type Arrival, arrivals, utcMidnight } from './arrivals.ts';
import { drawCourse } from './course.ts';
import { drawCustomer } from './customer.ts';
import { type DemoEvent, Transcript } from './transcript.ts';

export type { DemoEvent } from './transcript.ts';

const DAY = 86_400_000;

export interface DemoOptions {
  /** Epoch milliseconds. The story ends here, a few days after its outage. */
  now: number;
  /** Another seed gives the same story with other customers. */
  seed?: number;
  /** Whole UTC days before the day of `now`. */
  days?: number;
}

/**
 * The events of a customer-support agent, oldest first, from the numbers of `story.ts`. They are
 * deterministic. Randomness and ids of a conversation depend on its date and number, not on `now`:
 * a repeated import doubles nothing, and a later one adds the days since and the moved outage.
 */
export function* demoEvents({ now, seed = 1, days = 90 }: DemoOptions): Generator<DemoEvent> {
  const from = utcMidnight(now) - days * DAY;
  const conversations = [...arrivals({ now, seed, days })].filter(({ startedAt }) => startedAt >= from);
  const events = conversations.flatMap(eventsOf).filter(({ timestamp }) => Date.parse(timestamp) <= now);
  // ISO timestamps sort as text. The sort is stable, so steps of a conversation keep their order.
  yield* events.sort((one, other) => (one.timestamp < other.timestamp ? -1 : Number(one.timestamp > other.timestamp)));
}

function eventsOf(arrival: Arrival): DemoEvent[] {
  const customer = drawCustomer(arrival.random);
  return new Transcript(arrival, customer, drawCourse(arrival, customer)).write();
}
