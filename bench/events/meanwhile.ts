import { agentOf, post, serve } from '../support.ts';
import type { Bench } from './bench.ts';
import { PART } from './ingest-part.ts';
import { median, pause, quantile } from './measure.ts';
import { type SourceEvent, sourceEvents } from './source-rows.ts';
import { EVENTS, paced, queryable, type Sender, send } from './traffic.ts';

const PACE = { eventsPerSecond: 10_000, batch: 100, ids: false };
const BATCH = 5_000;
const PAUSE_MS = 50;

/** Of the earlier events: arrivals meanwhile do not enlarge the query. */
const QUESTION = JSON.stringify({
  eventName: 'page_viewed',
  mode: 'aggregate',
  groupBy: 'country',
  metrics: [{ aggregation: 'sum', propertyKey: 'duration_ms', alias: 'sum' }],
  filters: [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }],
  dateTo: '2026-07-01T00:00:00Z',
});

/** A query over HTTP while events arrive, against the same query without, alternating. */
export async function benchQueriesMeanwhile({ options, datasets, report }: Bench): Promise<void> {
  const rows = Math.round(options.rows / 10);
  const source = await datasets.source(rows);
  const server = await serve('product');
  const sender = { agent: agentOf(64), url: server.url };
  report.progress(`sending ${rows.toLocaleString('en-US')} events`);
  await sendAll(sender, server.key, sourceEvents(source));
  const rounds: Record<'idle' | 'busy', number[][]> = { idle: [], busy: [] };
  for (let round = 0; round <= options.rounds; round++) {
    const idle = await askFor(sender, server.key, options.seconds);
    const until = performance.now() + (options.seconds + 1) * 1_000;
    const arriving = paced(sender, [server.key], PACE, () => performance.now() < until);
    await pause(1_000);
    const busy = await askFor(sender, server.key, options.seconds);
    for (const receipt of (await arriving).receipts.values()) await queryable(sender, server.key, receipt);
    await pause(1_000);
    if (round === 0) continue;
    rounds.idle.push(idle);
    rounds.busy.push(busy);
  }
  sender.agent.destroy();
  await server.stop();
  const ratioAt = (share: number) => {
    const [idle, busy] = [rounds.idle, rounds.busy].map((each) => median(each.map((times) => quantile(times, share))));
    return { 'idle ms': idle!, 'busy ms': busy!, ratio: busy! / idle! };
  };
  report.table(PART, `sum by country over ${rows.toLocaleString('en-US')} events while 10,000 a second arrive`, [
    { what: 'p50', values: ratioAt(0.5), demanded: { of: 'ratio', atMost: 1.3 } },
    { what: 'p99', values: ratioAt(0.99) },
  ]);
}

async function askFor({ agent, url }: Sender, key: string, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const started = performance.now();
    await post(agent, `${url}${EVENTS}/query`, QUESTION, { 'x-api-key': key });
    times.push(performance.now() - started);
    await pause(PAUSE_MS);
  }
  return times;
}

/** All events to one tenant. */
export async function sendAll(sender: Sender, key: string, events: AsyncIterable<SourceEvent[]>): Promise<void> {
  let batch: string[] = [];
  let receipt = '';
  const flush = async () => {
    if (batch.length > 0) receipt = await send(sender, key, `{"events":[${batch.join(',')}]}`);
    batch = [];
  };
  for await (const some of events) {
    for (const { event } of some) if (batch.push(textOf(event)) === BATCH) await flush();
  }
  await flush();
  await queryable(sender, key, receipt);
}

function textOf({ eventName, agentId, timestamp, threadId, properties }: SourceEvent['event']): string {
  const own = { eventName, agentId, threadId, timestamp: new Date(timestamp).toISOString() };
  return `${JSON.stringify(own).slice(0, -1)},"properties":${properties}}`;
}
