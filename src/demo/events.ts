import { type Arrival, arrivals, utcMidnight } from './arrivals.ts';
import { drawCourse, drawCustomer } from './course.ts';
import { type DemoEvent, Transcript } from './transcript.ts';

export type { DemoEvent } from './transcript.ts';

const DAY = 86_400_000;

export interface DemoOptions {
  now: number;
  /** Another seed gives the same story with other customers. */
  seed?: number;
  days?: number;
}

/** Deterministic. Ids depend on the date, not on `now`: a repeated import doubles nothing. */
export function* demoEvents({ now, seed = 1, days = 90 }: DemoOptions): Generator<DemoEvent> {
  const from = utcMidnight(now) - days * DAY;
  const conversations = [...arrivals({ now, seed, days })].filter(({ startedAt }) => startedAt >= from);
  const events = conversations.flatMap(eventsOf).filter(({ timestamp }) => Date.parse(timestamp) <= now);
  // ISO timestamps sort as text, and the sort is stable.
  yield* events.sort((one, other) => (one.timestamp < other.timestamp ? -1 : Number(one.timestamp > other.timestamp)));
}

function eventsOf(arrival: Arrival): DemoEvent[] {
  const customer = drawCustomer(arrival.random);
  return new Transcript(arrival, customer, drawCourse(arrival, customer)).write();
}
