import { type Arrival, arrivals, utcMidnight } from './arrivals.ts';
import { demoTabs } from './cards.ts';
import { drawCourse, drawCustomer } from './course.ts';
import { demoExecutions, demoQueue, demoReview, demoRubric } from './executions.ts';
import { type DemoEvent, Transcript } from './transcript.ts';
import { demoAlerts, demoAnnotations, demoDigest, demoMetrics, demoTerms } from './vocabulary.ts';

export type { DemoEvent } from './transcript.ts';

const DAY = 86_400_000;

export interface DemoOptions {
  now: number;
  /** Another seed gives the same story with other customers. */
  seed?: number;
  days?: number | undefined;
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

const RUNTIME = '/api/v1/runtime';
const BATCH_EVENTS = 2_500;

/** Requests beside one another. */
const AT_ONCE = 8;

export type Send = (path: string, body: unknown) => Promise<{ id: string; accepted: number; receipt: string }>;

export interface DemoWorkspace {
  events: number;
  /** The receipt of the last batch: a query that waits for it sees all events. */
  receipt: string;
  tabs: { name: string; cardIds: string[] }[];
}

/** `approve`: approves the metric of this name, which no API key may. */
export async function fillDemoWorkspace(
  send: Send,
  approve: (metric: string) => Promise<unknown>,
  now: number,
  days?: number,
): Promise<DemoWorkspace> {
  const events = [...demoEvents({ now, days })];
  let receipt = '';
  for (let start = 0; start < events.length; start += BATCH_EVENTS) {
    const batch = { events: events.slice(start, start + BATCH_EVENTS) };
    ({ receipt } = await send(`${RUNTIME}/v1/observability/events`, batch));
  }
  for (const { isApproved, ...metric } of demoMetrics) {
    await send(`${RUNTIME}/observability/metrics`, metric);
    if (isApproved) await approve(metric.name);
  }
  for (const term of demoTerms) await send(`${RUNTIME}/observability/terms`, term);
  for (const annotation of demoAnnotations(now)) await send(`${RUNTIME}/observability/annotations`, annotation);
  for (const alert of demoAlerts) await send(`${RUNTIME}/observability/alerts`, alert);
  const tabs = [];
  for (const { name, cards } of demoTabs) {
    const tab = await send(`${RUNTIME}/observability/dashboard-tabs`, { name });
    if (tabs.length === 0) await send(`${RUNTIME}/observability/digests`, demoDigest(tab.id));
    const cardIds = [];
    for (const card of cards) {
      const made = await send(`${RUNTIME}/observability/dashboard-cards`, { ...card, tabId: tab.id });
      cardIds.push(made.id);
    }
    tabs.push({ name, cardIds });
  }
  return { events: events.length, receipt, tabs };
}

/** Executions of the last days, reviews of some, and a queue. Returns the number of executions. */
export async function fillDemoExecutions(send: Send, now: number): Promise<number> {
  const observability = `${RUNTIME}/v1/observability`;
  const executions = demoExecutions([...demoEvents({ now })], now);
  for (let start = 0; start < executions.length; start += AT_ONCE) {
    await Promise.all(
      executions.slice(start, start + AT_ONCE).map(async (execution) => {
        await send(`${observability}/executions`, execution.body);
        const review = demoReview(execution);
        if (review) await send(`${observability}/executions/${execution.id}/reviews`, review);
      }),
    );
  }
  await send(`${observability}/rubrics`, demoRubric);
  await send(`${observability}/queues`, demoQueue);
  return executions.length;
}
