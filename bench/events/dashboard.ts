import { agentOf, post, serve } from '../support.ts';
import type { Bench } from './bench.ts';
import { sendAll } from './meanwhile.ts';
import { pause, quantile } from './measure.ts';
import { sourceEvents } from './source-rows.ts';
import { EVENTS, paced, queryable } from './traffic.ts';

const PACE = { eventsPerSecond: 1_000, batch: 50, ids: false };
const EVERY_MS = 1_000;

const LAST_30_DAYS = { dateFrom: '2026-05-31T00:00:00Z' };
const LAST_QUARTER = { dateFrom: '2026-04-01T00:00:00Z' };
const count = { aggregation: 'count', alias: 'n' };
const of = (aggregation: string, propertyKey: string) => ({ aggregation, propertyKey, alias: aggregation });
const card = (eventName: string, groupBy: string | null, metrics: unknown[], more: object = LAST_30_DAYS) =>
  JSON.stringify({ eventName, mode: 'aggregate', ...(groupBy && { groupBy }), metrics, ...more });

/** Counts, sums, averages, a percentile and a distinct count, alone and by group. */
const CARDS = [
  card('page_viewed', null, [count]),
  card('page_viewed', 'country', [count]),
  card('page_viewed', 'utm.source', [count, of('avg', 'duration_ms')], LAST_QUARTER),
  card('page_viewed', null, [of('p95', 'duration_ms')]),
  card('page_viewed', 'plan', [of('sum', 'duration_ms')]),
  card('purchase_completed', null, [of('sum', 'amount')]),
  card('purchase_completed', 'country', [of('sum', 'amount'), of('avg', 'amount')], LAST_QUARTER),
  card('purchase_completed', 'currency', [count, of('sum', 'item_count')]),
  card('cart_updated', 'plan', [of('sum', 'amount')]),
  card('cart_updated', null, [of('distinct_count', 'sku')]),
  card('product_viewed', 'sku', [count, of('avg', 'amount')], { ...LAST_30_DAYS, limit: 10 }),
  card('search_performed', 'is_new', [count, of('max', 'duration_ms')]),
];

/** Twelve cards asked together each second, while 1,000 events arrive a second, and while none do. */
export async function benchDashboard({ options, datasets, report }: Bench): Promise<void> {
  const source = await datasets.source(options.rows);
  const server = await serve('product');
  const sender = { agent: agentOf(64), url: server.url };
  report.progress(`sending ${options.rows.toLocaleString('en-US')} events`);
  await sendAll(sender, server.key, sourceEvents(source));
  const askFor = async (seconds: number) => {
    const times: number[] = [];
    for (let second = 0; second < seconds; second += 1) {
      const started = performance.now();
      await Promise.all(
        CARDS.map((question) =>
          post(sender.agent, `${server.url}${EVENTS}/query`, question, { 'x-api-key': server.key }),
        ),
      );
      times.push(performance.now() - started);
      await pause(Math.max(0, EVERY_MS - times.at(-1)!));
    }
    return times;
  };
  const first = await askFor(30);
  const idle = await askFor(options.seconds);
  const until = performance.now() + options.seconds * 1_000;
  const arriving = paced(sender, [server.key], PACE, () => performance.now() < until);
  const busy = await askFor(options.seconds);
  for (const receipt of (await arriving).receipts.values()) await queryable(sender, server.key, receipt);
  sender.agent.destroy();
  await server.stop();
  const shown = (times: number[]) => ({ 'p50 ms': quantile(times, 0.5), 'p99 ms': quantile(times, 0.99) });
  report.table('dashboard', `twelve cards over ${options.rows.toLocaleString('en-US')} events, all answered`, [
    { what: 'at first', values: { 'p50 ms': first[0]!, 'p99 ms': quantile(first, 0.99) } },
    { what: 'while nothing arrives', values: shown(idle) },
    { what: 'while 1,000 events a second arrive', values: shown(busy), demanded: { of: 'p50 ms', atMost: 30 } },
    { what: 'the slowest of them', values: shown(busy), demanded: { of: 'p99 ms', atMost: 120 } },
  ]);
}
