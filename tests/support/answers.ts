import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { EVENTS } from './app.ts';

/*
 * A small workspace with something of every kind in it, and every kind of question about it. What is asked names its dates,
 * so that two servers with the same content answer the same.
 */

const OBSERVABILITY = '/api/v1/runtime/observability';
const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
const REVIEWS = '/api/v1/runtime/v1/observability/reviews';
const EXPORT = `${REVIEWS}/export/training-data`;
const RUBRICS = '/api/v1/runtime/v1/observability/rubrics';
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
    ...(index % 3 === 0 ? { executionId: `run ${index}` } : {}),
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

/** Executions by their number, and the thread that they were recorded with: not always that of their events. */
const RECORDED: [run: number, threadId?: string][] = [
  [0, 'thread 0'],
  [3, 'thread 3'],
  [33],
  [93, 'thread 9'],
  [1_000],
];
/** Runs that are reviewed, recorded or not. */
const REVIEWED = [0, 3, 33, 63, 93, 999];

/** Runs that are assessed. */
const ASSESSED = [0, 3, 33, 999];

const REVIEW_QUESTIONS = [
  `${REVIEWS}?limit=100`,
  `${REVIEWS}?search=entregas%20atrasadas`,
  `${REVIEWS}?search=comentario&rating=bad&status=resolved&dateFrom=-7d`,
  `${REVIEWS}?agentId=support&priority=high&limit=2&offset=1`,
  `${REVIEWS}/stats?agentId=support`,
  ...REVIEWED.map((run) => `${EXECUTIONS}/run%20${run}/reviews/exists`),
  ...RECORDED.map(([run]) => `${EXECUTIONS}/run%20${run}`),
  ...[RUBRICS, `${RUBRICS}/quality@1`, `${RUBRICS}/quality/agreement`],
  ...ASSESSED.map((run) => `${EXECUTIONS}/run%20${run}/assessments`),
];

export interface Endpoint {
  url: string;
  key: string;
}

export async function request({ url, key }: Endpoint, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  return { status: response.status, body: (await response.json()) as any };
}

/** Events, executions, reviews, a rubric with assessments, two tabs and a card of each type. Resolves when all of it can be asked about. */
export async function fill(endpoint: Endpoint, who: string): Promise<void> {
  const right = async (path: string, body: object, method = 'POST') => {
    const answer = await request(endpoint, method, path, body);
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  for (const [run, threadId = null] of RECORDED) {
    const messages = [{ role: 'user', content: `${who}: onde está o pedido ${run}?` }];
    await right(EXECUTIONS, { id: `run ${run}`, threadId, messages, output: `${who}: chega amanhã.` });
  }
  for (const [index, run] of REVIEWED.entries()) {
    const comment = `${who}: comentário ${run}, ${index % 2 ? 'entrega atrasada' : 'tudo certo'}`;
    const [rating, priority] = [index % 2 ? 'bad' : 'good', index % 3 ? 'high' : 'low'];
    const { id } = await right(`${EXECUTIONS}/run%20${run}/reviews`, { rating, priority, comment, tags: [who] });
    if (index % 3 === 0)
      await right(`${REVIEWS}/${id}`, { status: 'resolved', correctedOutput: 'Chega hoje.' }, 'PATCH');
  }
  const question = { id: 'is_right', text: `${who}: is it right?`, type: 'boolean' };
  await right(RUBRICS, { name: 'quality', title: who, questions: [question] });
  await right(`${RUBRICS}/quality`, { title: `${who} again` }, 'PATCH');
  for (const run of ASSESSED) {
    const answers = { is_right: run > 3 };
    await right(`${EXECUTIONS}/run%20${run}/assessments`, { rubric: 'quality', answers, comment: who });
  }
  const { receipt } = await right(EVENTS, { events: eventsOf(who) });
  const { tab } = await right(TABS, { name: `${who}: first` });
  await right(TABS, { name: `${who}: second` });
  for (const [cardType, config] of CARD_CONFIGS) {
    await right(CARDS, { title: `${who}: ${cardType}`, cardType, config, tabId: tab.id });
  }
  const waited = await fetch(`${endpoint.url}${EVENTS}/feed?limit=1`, {
    headers: { 'x-api-key': endpoint.key, 'x-wait-for': receipt },
  });
  await waited.text();
}

/** What the server answers to every kind of question: feed, tables, reviews, exports, tabs, cards as they are and rendered, tools. */
export async function answersOf(endpoint: Endpoint): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await request(endpoint, method, path, body);
    answers[`${method} ${path} ${JSON.stringify(body) ?? ''}`] = answer;
    return answer.body;
  };
  await ask('GET', `${EVENTS}/feed?limit=100`);
  await ask('GET', `${EVENTS}/feed?limit=100&offset=100`);
  for (const query of QUERIES) await ask('POST', `${EVENTS}/query`, query);
  await ask('GET', TABS);
  const { cards } = await ask('GET', CARDS);
  for (const { id } of cards ?? []) await ask('GET', `${CARDS}/${id}/render`);
  for (const path of REVIEW_QUESTIONS) await ask('GET', path);
  for (const format of ['openai-conversational', 'openai-jsonl', 'dpo-jsonl', 'kto-jsonl']) {
    answers[format] = await exported(endpoint, format);
  }
  answers.assessed = await exported(endpoint, 'openai-conversational&assessments=true');
  return { ...answers, ...(await toolAnswers(endpoint)) };
}

/** An export without the moment of it. */
async function exported({ url, key }: Endpoint, format: string): Promise<unknown> {
  const response = await fetch(`${url}${EXPORT}?format=${format}`, { headers: { 'x-api-key': key } });
  const text = (await response.text()).replace(/"generated_at":"[^"]*"/, '');
  return { status: response.status, skipped: response.headers.get('x-skipped'), text };
}

async function toolAnswers({ url, key }: Endpoint): Promise<Record<string, unknown>> {
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
      kpi: await call('aggregate_events', { eventName: 'order', ...SUM, ...RANGE, group_by: 'plan' }),
      reviewed: await call('aggregate_events', {
        ...{ eventName: 'visit', aggregation: 'count', ...RANGE, group_by: 'plan', review: { rating: ['bad'] } },
      }),
      rows: await call('query_events', { eventName: 'refund', ...RANGE }),
      workspace: await call('describe_workspace', {}),
      names: await call('describe_workspace', { eventName: 'order' }),
    };
  } finally {
    await client.close();
  }
}
