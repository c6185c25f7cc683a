import assert from 'node:assert/strict';
import type { TestApp, TestResponse } from '../../../support/app.ts';
import { appOfThisFile } from '../../../support/shared.ts';

export const CARDS = '/api/v1/runtime/observability/dashboard-cards';
export const TABS = '/api/v1/runtime/observability/dashboard-tabs';

export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A minimal card. */
export const NUMBER = { title: 'Orders', cardType: 'number', config: { eventName: 'order', aggregation: 'count' } };

/** The minimal config of each type. */
export const MINIMAL = {
  number: { eventName: 'order', aggregation: 'count' },
  rate: { eventName: 'order', numerator: { eventName: 'order_paid' } },
  line: { eventName: 'order', aggregation: 'count' },
  bar: { eventName: 'order', aggregation: 'count' },
  pie: { eventName: 'order', aggregation: 'count', groupBy: 'plan' },
  table: { eventName: 'order', mode: 'raw' },
  funnel: { steps: [{ eventName: 'visit' }, { eventName: 'order' }] },
  gauge: { eventName: 'order', aggregation: 'count', min: 0, max: 100 },
};
export type CardType = keyof typeof MINIMAL;
export const TYPES = Object.keys(MINIMAL) as CardType[];

/** One filter with each operator. */
export const FILTERS = [
  { propertyKey: 'plan', operator: 'eq', value: 'pro' },
  { propertyKey: 'trial', operator: 'neq', value: false },
  { propertyKey: 'amount', operator: 'gt', value: -1.5 },
  { propertyKey: 'amount', operator: 'lt', value: 1e9 },
  { propertyKey: 'timestamp', operator: 'gte', value: '-24h' },
  { propertyKey: 'properties.timestamp', operator: 'lte', value: 'no date' },
  { propertyKey: 'name', operator: 'contains', value: '' },
  { propertyKey: 'country', operator: 'in', value: ['BR', 7, true] },
  { propertyKey: 'country', operator: 'notIn', value: ['PT'] },
  { propertyKey: 'tags', operator: 'notContains', value: 'x"\\\u2028😀' },
  { propertyKey: 'coupon', operator: 'exists' },
  { propertyKey: 'a.b.c', operator: 'notExists' },
  { propertyKey: 'threadId', operator: 'startsWith', value: 't' },
];
export const SUM = { aggregation: 'sum', propertyKey: 'amount' };
export const STEPS = Array.from({ length: 10 }, (_, index) => ({
  eventName: `step ${index}`,
  label: `Step ${index}`,
  filters: FILTERS.slice(0, index),
}));

const RANGE = { filters: FILTERS, dateFrom: '-7d', dateTo: 'today', timezone: 'America/Sao_Paulo' };
const COMPARED = { compareTo: 'previous_period', format: { prefix: 'R$ ', suffix: ' / day', decimals: 2 } };
/** Each with every member of its type. */
export const FULL: [CardType, object][] = [
  ['number', { eventName: 'order', ...SUM, ...RANGE, ...COMPARED }],
  ['rate', { eventName: 'order', numerator: { eventName: 'paid', filters: FILTERS }, ...RANGE, ...COMPARED }],
  ['line', { eventName: 'order', ...SUM, ...RANGE, dateGrouping: 'day', groupBy: ['plan', 'country'], limit: 5 }],
  ['bar', { eventName: 'order', ...SUM, ...RANGE, dateGrouping: 'week', groupBy: 'plan', limit: 1 }],
  ['pie', { eventName: 'order', ...SUM, ...RANGE, groupBy: ['plan', 'country', 'threadId'], limit: 50 }],
  [
    'table',
    {
      ...{ eventName: 'order', mode: 'raw', ...RANGE, columns: ['id', 'timestamp', 'plan', 'properties.id'] },
      ...{ sortBy: 'amount', sortOrder: 'asc', limit: 1_000, offset: 20 },
    },
  ],
  [
    'table',
    {
      ...{ eventName: 'order', mode: 'aggregate', ...RANGE, groupBy: ['plan', 'country'] },
      metrics: [
        { aggregation: 'count', alias: 'orders' },
        { ...SUM, alias: 'sum' },
      ],
      ...{ sortBy: 'sum', sortOrder: 'desc', limit: 1, offset: 0 },
    },
  ],
  [
    'table',
    {
      ...{ eventName: 'order', mode: 'retention', ...RANGE, start: { filters: FILTERS }, by: 'userId' },
      ...{
        returned: { eventName: 'paid', filters: FILTERS },
        dateGrouping: 'month',
        periods: 12,
        limit: 12,
        offset: 1,
      },
    },
  ],
  ['funnel', { steps: STEPS, by: 'userId', windowSeconds: 3_600, ...RANGE }],
  [
    'gauge',
    {
      ...{ eventName: 'order', ...SUM, ...RANGE, min: -10.5, max: 10, target: 0 },
      thresholds: [{ value: -5 }, { value: 5, label: 'Good', color: '#2b7d4f' }],
    },
  ],
];

/** Without a rate limit. */
export const sharedApp = appOfThisFile({ rateLimit: 0 });

export interface Desk {
  agentId: string;
  /** Bound to the agent, with every scope. */
  key: string;
  request: TestApp['request'];
  /** The answer of GET. */
  cards(): Promise<TestResponse['body']>;
  tabs(): Promise<TestResponse['body']>;
  /** The card, or the tab, after a POST that must succeed. */
  card(members?: object): Promise<TestResponse['body']>;
  tab(members: object): Promise<TestResponse['body']>;
}

let agents = 0;

/** An agent of its own on the shared server, whose dashboard is empty. */
export async function newDesk(tenant = 'default'): Promise<Desk> {
  const app = await sharedApp();
  const agentId = `agent ${++agents}`;
  const key = await app.newKey({ tenant, agentId });
  const request: Desk['request'] = (method, path, body, headers) =>
    app.request(method, path, body, { 'x-api-key': key, ...headers });
  const right = async (method: string, path: string, body?: unknown) => {
    const answer = await request(method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  return {
    agentId,
    key,
    request,
    cards: () => right('GET', CARDS),
    tabs: () => right('GET', TABS),
    card: async (members = {}) => (await right('POST', CARDS, { ...NUMBER, ...members })).card,
    tab: async (members) => (await right('POST', TABS, members)).tab,
  };
}

let tenants = 0;

export async function newTenant(): Promise<string> {
  const { name } = await (await sharedApp()).runtime.tenants.create({ name: `tenant ${++tenants}` });
  return name;
}

/** Exactly the error body of the specification. */
export function assertError(answer: TestResponse, status: number, reason: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'message', 'statusCode']);
  assert.equal(answer.body.statusCode, status);
  assert.equal(answer.body.error, reason);
  assert.equal(Array.isArray(answer.body.message), status === 400, 'an array for 400, a string otherwise');
  assert.ok(answer.headers.get('x-request-id'));
}

/** A 400 whose messages name just these members, in any order. */
export function assertNames(answer: TestResponse, ...paths: string[]): void {
  assertError(answer, 400, 'Bad Request');
  const named = (answer.body.message as string[]).map((message) => message.split(': ', 1)[0]);
  assert.deepEqual(named.sort(), paths.sort(), JSON.stringify(answer.body.message));
}
