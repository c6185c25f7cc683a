import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { EVENTS } from './app.ts';

/*
 * A small workspace with something of every kind in it, and every kind of question about it. What is asked names its dates,
 * so that two servers with the same content answer the same.
 */

const OBSERVABILITY = '/api/v1/runtime/observability';
const CARDS = `${OBSERVABILITY}/dashboard-cards`;
const TABS = `${OBSERVABILITY}/dashboard-tabs`;

const RANGE = { dateFrom: '2026-03-01', dateTo: '2026-03-31' };
const SUM = { aggregation: 'sum', propertyKey: 'amount' };

/** With ids of the caller's. `who` tells workspaces apart. */
export function eventsOf(who: string, count = 120): object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${who}-${index}`,
    eventName: ['visit', 'order', 'refund'][index % 3],
    timestamp: new Date(Date.parse('2026-03-01T00:00:00Z') + (index % 400) * 5_400_000).toISOString(),
    threadId: `thread ${index % 10}`,
    properties: {
      ...{ who, plan: ['free', 'pro', 'team'][index % 3], amount: index * 1.25, paid: index % 2 === 0 },
      ...{ tags: ['a', `tag ${index % 4}`], utm: { source: index % 5 === 0 ? 'ads' : 'mail' } },
    },
  }));
}

const CARD_CONFIGS: [string, object][] = [
  ['number', { eventName: 'order', ...SUM, ...RANGE }],
  ['rate', { eventName: 'order', numerator: { eventName: 'refund' }, ...RANGE }],
  ['line', { eventName: 'order', ...SUM, ...RANGE, dateGrouping: 'day' }],
  ['bar', { eventName: 'order', aggregation: 'count', ...RANGE, groupBy: 'plan' }],
  ['pie', { eventName: 'visit', aggregation: 'count', ...RANGE, groupBy: 'utm.source' }],
  ['table', { eventName: 'refund', mode: 'raw', ...RANGE }],
  ['funnel', { steps: [{ eventName: 'visit' }, { eventName: 'order' }], ...RANGE }],
  ['gauge', { eventName: 'order', aggregation: 'count', ...RANGE, min: 0, max: 100 }],
];

const QUERIES: object[] = [
  { eventName: 'order', mode: 'raw', ...RANGE, limit: 1_000 },
  { eventName: 'order', mode: 'raw', ...RANGE, filters: [{ propertyKey: 'amount', operator: 'gt', value: 50 }] },
  {
    ...{ eventName: 'order', mode: 'aggregate', ...RANGE, groupBy: ['plan', 'utm.source'] },
    metrics: [
      { aggregation: 'count', alias: 'orders' },
      { aggregation: 'p95', propertyKey: 'amount', alias: 'p95' },
      { aggregation: 'distinct_count', propertyKey: 'threadId', alias: 'threads' },
    ],
  },
];

export interface Door {
  url: string;
  key: string;
}

export async function request({ url, key }: Door, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  return { status: response.status, body: (await response.json()) as any };
}

/** Events, two tabs and a card of each type. Resolves when all of it can be asked about. */
export async function fill(door: Door, who: string): Promise<void> {
  const right = async (path: string, body: object) => {
    const answer = await request(door, 'POST', path, body);
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { receipt } = await right(EVENTS, { events: eventsOf(who) });
  const { tab } = await right(TABS, { name: `${who}: first` });
  await right(TABS, { name: `${who}: second` });
  for (const [cardType, config] of CARD_CONFIGS) {
    await right(CARDS, { title: `${who}: ${cardType}`, cardType, config, tabId: tab.id });
  }
  const waited = await fetch(`${door.url}${EVENTS}/feed?limit=1`, {
    headers: { 'x-api-key': door.key, 'x-wait-for': receipt },
  });
  await waited.text();
}

/** What the server answers to every kind of question: feed, tables, tabs, cards as they are and rendered, tools. */
export async function answersOf(door: Door): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await request(door, method, path, body);
    answers[`${method} ${path} ${JSON.stringify(body) ?? ''}`] = answer;
    return answer.body;
  };
  await ask('GET', `${EVENTS}/feed?limit=100`);
  await ask('GET', `${EVENTS}/feed?limit=100&offset=100`);
  for (const query of QUERIES) await ask('POST', `${EVENTS}/query`, query);
  await ask('GET', TABS);
  const { cards } = await ask('GET', CARDS);
  for (const { id } of cards ?? []) await ask('GET', `${CARDS}/${id}/render`);
  return { ...answers, ...(await toolAnswers(door)) };
}

async function toolAnswers({ url, key }: Door): Promise<Record<string, unknown>> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { 'x-api-key': key } } }),
  );
  try {
    const call = async (name: string, args: object) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: { ...args } });
      return { isError, ...(structuredContent as object), now: undefined };
    };
    return {
      kpi: await call('aggregate_events', { eventName: 'order', ...SUM, ...RANGE, groupBy: 'plan' }),
      rows: await call('query_events', { eventName: 'refund', ...RANGE }),
      workspace: await call('describe_workspace', {}),
      names: await call('describe_workspace', { eventName: 'order' }),
    };
  } finally {
    await client.close();
  }
}
