import { rowObjects } from '../../src/core/analytics/events/questions/ask.ts';
import {
  aggregateEventsSchema,
  type EventsQuery,
  eventsQuerySchema,
  funnelSchema,
} from '../../src/core/analytics/events/schema.ts';

import type { Dialect } from './dialect.ts';
import { caller, type OwnStore } from './own-store.ts';

/** The normalised answer to a question, comparable between engines. */
type Found = unknown[];

/** The rows of each statement. */
type Results = unknown[][][];

/** One question, for the product and in SQL for other engines. */
export interface Question {
  name: string;
  /** The product may take so many times as long as the floor. */
  atMost: number;
  /** Asks the product as its callers do. */
  ask(store: OwnStore): Promise<Found>;
  /** Statements that answer it together; null if the dialect cannot. */
  statements(dialect: Dialect): string[] | null;
  /** Normalises the statements' rows. */
  read(results: Results): Found;
}

const TENANT = 't1';
const PAGES = "event_name = 'page_viewed'";
const PRODUCTS = "event_name = 'product_viewed'";
const from = (dialect: Dialect, tenant = TENANT) => `FROM ${dialect.table} WHERE tenant_id = '${tenant}'`;

interface TableQuestion {
  name: string;
  atMost?: number;
  tenant?: string;
  query: Partial<EventsQuery> & { eventName: string };
  statements: Question['statements'];
  /** By default the rows of the one statement, as the product returns them. */
  read?: Question['read'];
}

/** A question to events/query, normalised to its rows and their total. */
function tableQuestion({ name, atMost = 1.5, tenant = TENANT, query, statements, read }: TableQuestion): Question {
  const input = eventsQuerySchema.parse(query);
  const isRaw = input.mode === 'raw';
  return {
    name,
    atMost,
    ask: async (store) => {
      const table = await store.runtime.events.query(caller(store, tenant), input);
      const rows = rowObjects(table.rows).map((row) => table.columns.map((column) => row[column.key]));
      return isRaw ? [rows, table.total] : inOrder(rows);
    },
    statements,
    read: read ?? ((results) => inOrder(results[0] ?? [])),
  };
}

/** Groups of the same size have no order. */
function inOrder(rows: unknown[][]): unknown[][] {
  return rows.toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
}

const countByDay: Question = {
  name: 'count by day',
  atMost: 1.5,
  ask: async (store) => {
    const { value, series = [] } = await store.runtime.events.aggregate(caller(store, TENANT), byDay);
    const days = series.filter((point) => point.value).map((point) => [point.bucket.slice(0, 10), point.value]);
    return [days, value];
  },
  // The answer contains the single number and its last event too.
  statements: (dialect) => {
    const selected = `${from(dialect)} AND ${PAGES} AND ts >= ${dialect.instant('2026-02-01T00:00:00Z')} AND ts < ${dialect.instant('2026-05-01T00:00:00Z')}`;
    return [
      `SELECT ${dialect.day} AS day, count(*) AS n ${selected} GROUP BY 1 ORDER BY 1`,
      `SELECT count(*), max(${dialect.milliseconds}) ${selected}`,
    ];
  },
  read: ([days, total]) => [days, total?.[0]?.[0]],
};

const byDay = aggregateEventsSchema.parse({
  eventName: 'page_viewed',
  aggregation: 'count',
  dateGrouping: 'day',
  dateFrom: '2026-02-01',
  dateTo: '2026-04-30',
});

const timeByCountry = {
  eventName: 'page_viewed',
  mode: 'aggregate' as const,
  groupBy: 'country',
  metrics: [sumOf('duration_ms')],
};

function sumOf(propertyKey: string) {
  return { aggregation: 'sum' as const, propertyKey, alias: 'sum' };
}

const percentileMetrics = (['median', 'p95', 'p99'] as const).map((aggregation) => ({
  aggregation,
  propertyKey: 'duration_ms',
  alias: aggregation,
}));

const funnelInput = funnelSchema.parse({
  steps: [{ eventName: 'product_viewed' }, { eventName: 'cart_updated' }, { eventName: 'purchase_completed' }],
  by: 'threadId',
  dateFrom: '2026-03-01T00:00:00Z',
  dateTo: '2026-04-01T00:00:00Z',
});

const FUNNEL_END = new Date(Date.parse('2026-04-01T00:00:00Z') + funnelInput.windowSeconds * 1_000).toISOString();

/**
 * Threads last two days and the window is two weeks, so the first event of each step decides: the
 * SQL is shorter than with a window, and the answer the same.
 */
const funnel: Question = {
  name: 'funnel of 3 steps in a month',
  atMost: 1.5,
  ask: async (store) => {
    const { steps } = await store.runtime.events.funnel(caller(store, TENANT), funnelInput);
    return steps.map((step) => step.count);
  },
  statements: (dialect) => {
    const next = (eventName: string, before: string) =>
      `SELECT e.thread_id, min(e.ts) AS at FROM ${dialect.table} AS e JOIN ${before} AS b ON b.thread_id = e.thread_id WHERE e.tenant_id = '${TENANT}' AND e.event_name = '${eventName}' AND e.ts > b.at AND e.ts < ${dialect.instant(FUNNEL_END)} GROUP BY 1`;
    return [
      `WITH viewed AS (SELECT thread_id, min(ts) AS at ${from(dialect)} AND event_name = 'product_viewed' AND ts >= ${dialect.instant('2026-03-01T00:00:00Z')} AND ts < ${dialect.instant('2026-04-01T00:00:00Z')} GROUP BY 1),
        carted AS (${next('cart_updated', 'viewed')}), bought AS (${next('purchase_completed', 'carted')})
      SELECT (SELECT count(*) FROM viewed) AS viewed, (SELECT count(*) FROM carted) AS carted, (SELECT count(*) FROM bought) AS bought`,
    ];
  },
  read: ([counts]) => counts?.[0] ?? [],
};

const retentionInput = eventsQuerySchema.parse({
  ...{ eventName: 'page_viewed', mode: 'retention', returned: { eventName: 'purchase_completed' }, by: 'user_id' },
  ...{ dateGrouping: 'week', periods: 8, dateFrom: '2026-02-02', dateTo: '2026-05-03' },
});

/** Cells `[week since the epoch, period or -1 for the size, users]`. */
const retention: Question = {
  name: 'retention by week, of 13 cohorts',
  atMost: 1.5,
  ask: async (store) => {
    const { rows } = await store.runtime.events.query(caller(store, TENANT), retentionInput);
    const cells = rowObjects(rows).flatMap(({ cohort, size, ...counts }) =>
      [size, ...Object.values(counts)].map((users, at) => [
        Math.floor(weeks(Date.parse(String(cohort)))),
        at - 1,
        users,
      ]),
    );
    return inOrder(cells.filter(([, , users]) => users !== 0));
  },
  statements: (dialect) => {
    const week = (milliseconds: string) => `floor((${milliseconds} + 259200000) / 604800000.0)`;
    const user = dialect.text('user_id');
    const started = `ts >= ${dialect.instant('2026-02-02T00:00:00Z')} AND ts < ${dialect.instant('2026-05-04T00:00:00Z')}`;
    return [
      `WITH viewed AS (SELECT ${user} AS person, min(${dialect.milliseconds}) AS started_ms ${from(dialect)} AND ${PAGES} AND ${started} GROUP BY 1),
        cohorts AS (SELECT person, started_ms, ${week('started_ms')} AS cohort FROM viewed),
        bought AS (SELECT ${user} AS person, ${dialect.milliseconds} AS bought_ms ${from(dialect)} AND event_name = 'purchase_completed' AND ts >= ${dialect.instant('2026-02-02T00:00:00Z')}),
        cells AS (SELECT DISTINCT cohort, ${week('bought_ms')} - cohort AS period, cohorts.person AS person FROM cohorts JOIN bought ON bought.person = cohorts.person WHERE bought_ms > started_ms)
      SELECT cohort, -1 AS period, count(*) AS n FROM cohorts GROUP BY 1 UNION ALL SELECT cohort, period, count(*) FROM cells WHERE period BETWEEN 0 AND 8 GROUP BY 1, 2`,
    ];
  },
  read: ([cells = []]) => inOrder(cells.map((cell) => cell.map(Number))),
};

function weeks(milliseconds: number): number {
  return (milliseconds + 259_200_000) / 604_800_000;
}

export const questions: Question[] = [
  countByDay,
  tableQuestion({
    name: 'sum by country, plan = pro',
    query: { ...timeByCountry, filters: [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }] },
    statements: (dialect) => [
      `SELECT ${dialect.text('country')} AS g, sum(${dialect.number('duration_ms')}) AS v ${from(dialect)} AND ${PAGES} AND ${dialect.text('plan')} = 'pro' GROUP BY 1 ORDER BY 2 DESC LIMIT 100`,
    ],
  }),
  tableQuestion({
    name: 'count by nested utm.source',
    query: { eventName: 'page_viewed', mode: 'aggregate', groupBy: 'utm.source' },
    statements: (dialect) => [
      `SELECT ${dialect.text('utm.source')} AS g, count(*) AS v ${from(dialect)} AND ${PAGES} GROUP BY 1 ORDER BY 2 DESC LIMIT 100`,
    ],
  }),
  tableQuestion({
    name: 'distinct user_id',
    query: {
      eventName: 'page_viewed',
      mode: 'aggregate',
      metrics: [{ aggregation: 'distinct_count', propertyKey: 'user_id', alias: 'users' }],
    },
    statements: (dialect) => [`SELECT count(DISTINCT ${dialect.text('user_id')}) ${from(dialect)} AND ${PAGES}`],
  }),
  tableQuestion({
    name: 'url contains, in any case',
    query: {
      eventName: 'page_viewed',
      mode: 'aggregate',
      filters: [{ propertyKey: 'url', operator: 'contains', value: 'item-77' }],
    },
    statements: (dialect) => [
      `SELECT count(*) ${from(dialect)} AND ${PAGES} AND ${dialect.contains(dialect.text('url'), 'item-77')}`,
    ],
  }),
  tableQuestion({
    name: 'page of 50 at 100 and total',
    query: {
      eventName: 'page_viewed',
      columns: ['user_id', 'url', 'duration_ms', 'timestamp'],
      filters: [{ propertyKey: 'duration_ms', operator: 'gt', value: 2_000 }],
      limit: 50,
      offset: 100,
    },
    statements: (dialect) => {
      const selected = `${from(dialect)} AND ${PAGES} AND ${dialect.number('duration_ms')} > 2000`;
      return [
        `SELECT ${dialect.text('user_id')} AS a, ${dialect.text('url')} AS b, ${dialect.number('duration_ms')} AS c, ${dialect.milliseconds} AS d ${selected} ORDER BY ts DESC, id DESC LIMIT 50 OFFSET 100`,
        `SELECT count(*) ${selected}`,
      ];
    },
    read: ([rows = [], total]) => [
      rows.map(([user, url, duration, at]) => [user, url, duration, new Date(Number(at)).toISOString()]),
      total?.[0]?.[0],
    ],
  }),
  tableQuestion({
    name: 'p50, p95, p99 of duration_ms',
    atMost: 2.5,
    query: { eventName: 'page_viewed', mode: 'aggregate', metrics: percentileMetrics },
    statements: (dialect) => {
      const list = dialect.percentiles(dialect.number('duration_ms'));
      return list === null ? null : [`SELECT ${list} ${from(dialect)} AND ${PAGES}`];
    },
    read: ([rows]) => [rows?.[0]?.[0]],
  }),
  funnel,
  retention,
  tableQuestion({
    name: 'sum of decimals',
    query: { eventName: 'product_viewed', mode: 'aggregate', metrics: [sumOf('amount')] },
    statements: (dialect) => [`SELECT sum(${dialect.number('amount')}) ${from(dialect)} AND ${PRODUCTS}`],
  }),
  ...(['sum', 'avg'] as const).map((aggregation) =>
    tableQuestion({
      name: `${aggregation} of decimals by country`,
      query: {
        eventName: 'product_viewed',
        mode: 'aggregate',
        groupBy: 'country',
        metrics: [{ aggregation, propertyKey: 'amount', alias: aggregation }],
      },
      statements: (dialect) => [
        `SELECT ${dialect.text('country')} AS g, ${aggregation}(${dialect.number('amount')}) AS v ${from(dialect)} AND ${PRODUCTS} GROUP BY 1 ORDER BY 2 DESC LIMIT 100`,
      ],
    }),
  ),
  tableQuestion({
    name: 'sum by country',
    query: timeByCountry,
    statements: (dialect) => [
      `SELECT ${dialect.text('country')} AS g, sum(${dialect.number('duration_ms')}) AS v ${from(dialect)} AND ${PAGES} GROUP BY 1 ORDER BY 2 DESC LIMIT 100`,
    ],
  }),
];

/** Of the crowded tenant: by keys without a column. */
export const unlearnedQuestions: Question[] = [
  tableQuestion({
    name: 'unlearned: sum of weight by region',
    atMost: 25,
    tenant: 'crowded',
    query: { eventName: 'report_viewed', mode: 'aggregate', groupBy: 'region', metrics: [sumOf('weight')] },
    statements: (dialect) => [
      `SELECT ${dialect.text('region')} AS g, sum(${dialect.number('weight')}) AS v ${from(dialect, 'crowded')} AND event_name = 'report_viewed' GROUP BY 1 ORDER BY 2 DESC LIMIT 100`,
    ],
  }),
  tableQuestion({
    name: 'unlearned: count of title contains',
    atMost: 25,
    tenant: 'crowded',
    query: {
      eventName: 'report_viewed',
      mode: 'aggregate',
      filters: [{ propertyKey: 'title', operator: 'contains', value: 'of the north' }],
    },
    statements: (dialect) => [
      `SELECT count(*) ${from(dialect, 'crowded')} AND event_name = 'report_viewed' AND ${dialect.contains(dialect.text('title'), 'of the north')}`,
    ],
  }),
];
