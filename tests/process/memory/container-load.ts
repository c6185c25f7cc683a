import { setTimeout as sleep } from 'node:timers/promises';
import { EVENTS } from '../../support/app.ts';
import { type Desk, send } from '../../support/knowledge.ts';

/* What applications do at once with a server that has little memory: they wait as they are told, and send again. */

const BATCH = 1_000;
const NAMES = ['order_completed', 'page_viewed', 'signup', 'ticket_resolved'];
const COUNTRIES = ['BR', 'US', 'DE', 'FR', 'IN', 'JP', 'PT', 'MX'];

export interface Outcome {
  /** Events whose batch was answered 202. */
  acknowledged: number;
  /** Answers by status. */
  statuses: Record<string, number>;
}

/** Sends so many events with ids by so many clients, each batch until it is accepted. */
export async function sendEvents(desk: Desk, events: number, clients: number): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: 0, statuses: {} };
  let next = 0;
  const client = async () => {
    while (next < events) {
      const first = next;
      const count = Math.min(BATCH, events - first);
      next += count;
      const body = JSON.stringify({ events: Array.from({ length: count }, (_, index) => eventOf(first + index)) });
      await untilAccepted(desk, EVENTS, body, outcome);
      outcome.acknowledged += count;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return outcome;
}

/** Asks so many questions at once, again and again while `goesOn`. */
export async function askQuestions(desk: Desk, count: number, goesOn: () => boolean): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: 0, statuses: {} };
  let serial = 0;
  const asker = async () => {
    while (goesOn()) {
      serial += 1;
      const { status, retryAfter } = await post(desk, `${EVENTS}/query`, JSON.stringify(questionOf(serial)));
      outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
      if (status !== 200) await sleep(1_000 * retryAfter);
    }
  };
  await Promise.all(Array.from({ length: count }, asker));
  return outcome;
}

/** The job of a file of so many bytes, sent until it is accepted. */
export async function sendFile(desk: Desk, bytes: number): Promise<string> {
  const line = (index: number) =>
    `Line ${index} of the manual says how to repair part ${index % 977} of the machine.\n`;
  const lines = Array.from({ length: Math.ceil(bytes / line(0).length) }, (_, index) => line(index));
  const content = lines.join('').slice(0, bytes);
  for (;;) {
    const { status, body } = await send(desk, { name: 'manual.txt', content });
    if (status === 202) return body.jobId;
    if (status !== 503) throw new Error(`the file was answered ${status}: ${JSON.stringify(body)}`);
    await sleep(1_000);
  }
}

/** How many events are found, once all that was accepted is. */
export async function countEvents(desk: Desk): Promise<number> {
  const body = JSON.stringify({ columns: ['plan'], limit: 1, dateFrom: '2020-01-01' });
  for (let last = -1; ; await sleep(1_000)) {
    const counts = NAMES.map(
      async (eventName) =>
        (await post(desk, `${EVENTS}/query`, body.replace('{', `{"eventName":"${eventName}",`))).total,
    );
    const total = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    if (total === last) return total;
    last = total;
  }
}

async function untilAccepted(desk: Desk, path: string, body: string, { statuses }: Outcome): Promise<void> {
  for (;;) {
    const { status, retryAfter, text } = await post(desk, path, body);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 202) return;
    if ((status !== 503 && status !== 429) || Number.isNaN(retryAfter)) throw new Error(`${status}: ${text}`);
    await sleep(1_000 * retryAfter);
  }
}

async function post({ url, key }: Desk, path: string, body: string) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  const text = await response.text();
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return { status: response.status, retryAfter, text, total: response.ok ? totalOf(text) : -1 };
}

function totalOf(text: string): number {
  return Number((JSON.parse(text) as { total?: number }).total ?? 0);
}

function eventOf(index: number) {
  return {
    id: `event-${index}`,
    eventName: NAMES[index % NAMES.length],
    timestamp: new Date(Date.UTC(2026, 7, 28) + index * 7_000).toISOString(),
    threadId: `thread-${index % 5_000}`,
    properties: {
      plan: ['free', 'pro', 'team'][index % 3],
      country: COUNTRIES[(index * 7) % COUNTRIES.length],
      amount: (index % 20_000) / 100,
      minutes: index % 60,
      user: `user-${(index * 31) % 50_000}`,
      utm: { source: ['ads', 'mail', 'direct'][index % 3] },
      url: `https://shop.example/p/${index % 5_000}?ref=${index % 100}`,
    },
  };
}

function questionOf(serial: number) {
  const day = 1 + (serial % 27);
  return {
    eventName: NAMES[serial % NAMES.length],
    mode: 'aggregate',
    dateFrom: `2026-09-${String(day).padStart(2, '0')}`,
    groupBy: serial % 2 === 0 ? 'country' : 'user',
    metrics: [
      { aggregation: 'sum', propertyKey: 'amount', alias: 'sum' },
      { aggregation: 'p95', propertyKey: 'minutes', alias: 'p95' },
    ],
  };
}
