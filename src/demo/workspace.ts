import { demoTabs } from './cards.ts';
import { demoEvents } from './events.ts';
import { demoAlerts, demoAnnotations, demoDigest, demoMetrics, demoTerms } from './vocabulary.ts';

const RUNTIME = '/api/v1/runtime';
const BATCH_EVENTS = 2_500;

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
): Promise<DemoWorkspace> {
  const events = [...demoEvents({ now })];
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
