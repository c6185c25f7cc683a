import { pause, quantile } from './events/measure.ts';
import type { Options } from './events/options.ts';
import { type Line, Report } from './events/report.ts';
import { EVENTS, queryable, type Sender, send } from './events/traffic.ts';
import { agentOf, get, post, type Served, serve } from './support.ts';

const CLIENTS = 4;
const EVENTS_OF_EACH = 300;
const BATCH = 50;
const DAYS = 1_000;
const DAY_MS = 86_400_000;
const PROBE_EVERY_MS = 10;
const CARDS = '/api/v1/runtime/observability/dashboard-cards/preview';

/** Properties of 60 KB, each costly in a way of its own. */
const PROPERTIES: Record<string, (number: number) => object> = {
  text: (number) => ({ text: `${number} ${'lorem ipsum '.repeat(5_000)}` }),
  numbers: (number) => ({ list: Array.from({ length: 30_000 }, (_, at) => (at + number) % 10) }),
  objects: (number) => ({ list: Array.from({ length: 3_000 }, (_, at) => ({ a: at, b: `x${number}` })) }),
};

type Ask = (count: number) => Promise<unknown>;

/** `/healthz` while four clients fetch the largest pages, series and pictures without pause. */
export async function benchLargeAnswers({ seconds, json }: Options): Promise<void> {
  const report = new Report(json);
  const server = await serve('product');
  const sender = { agent: agentOf(32), url: server.url };
  try {
    await fill(sender, server.key);
    const lines: Line[] = [];
    for (const [what, ask] of Object.entries(questions(sender, server))) {
      lines.push({ what, ...(await besides(sender, ask, seconds)) });
    }
    report.table('large-answers', `${CLIENTS} clients without pause, ${seconds} s each`, lines);
  } finally {
    sender.agent.destroy();
    await server.stop();
  }
}

async function fill(sender: Sender, key: string): Promise<void> {
  const events = Object.entries(PROPERTIES).flatMap(([eventName, properties]) =>
    Array.from({ length: EVENTS_OF_EACH }, (_, number) => ({ eventName, properties: properties(number) })),
  );
  const daily = Array.from({ length: 10 * DAYS }, (_, at) => ({
    eventName: 'daily',
    timestamp: new Date(Date.now() - Math.floor(at / 10) * DAY_MS).toISOString(),
    properties: { channel: `channel ${at % 10}`, amount: at % 97 },
  }));
  let receipt = '';
  const all = [...events, ...daily];
  for (let at = 0; at < all.length; at += BATCH) {
    receipt = await send(sender, key, JSON.stringify({ events: all.slice(at, at + BATCH) }));
  }
  await queryable(sender, key, receipt);
}

function questions({ agent, url }: Sender, { key }: Served): Record<string, Ask> {
  const ask = (path: string, body: object, accept: string) =>
    post(agent, `${url}${path}`, JSON.stringify(body), { 'x-api-key': key, accept });
  const tool = (name: string, args: object) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    return ask('/mcp', call, 'application/json, text/event-stream');
  };
  const picture = (type: string) => (count: number) => {
    const config = { eventName: 'daily', aggregation: 'sum', propertyKey: 'amount', groupBy: 'channel' };
    const card = { title: 'Amounts', cardType: 'line', config: { ...config, dateFrom: '-92d', dateGrouping: 'day' } };
    return ask(`${CARDS}?width=${640 + (count % 400)}&height=400`, card, type);
  };
  const pages = Object.keys(PROPERTIES).flatMap((eventName): [string, Ask][] => [
    [
      `query: a page of 4 MB, ${eventName}`,
      (count) => ask(`${EVENTS}/query`, { eventName, limit: 1_000, offset: count % 7 }, 'application/json'),
    ],
    [
      `feed: 100 events, ${eventName}`,
      (count) =>
        get(agent, `${url}${EVENTS}/feed?eventName=${eventName}&limit=100&offset=${count % 7}`, { 'x-api-key': key }),
    ],
    [`query_events, ${eventName}`, (count) => tool('query_events', { eventName, limit: 100, offset: count % 7 })],
  ]);
  return {
    nothing: () => pause(PROBE_EVERY_MS),
    ...Object.fromEntries(pages),
    [`aggregate_events: a series of ${DAYS} days`]: () =>
      tool('aggregate_events', {
        eventName: 'daily',
        aggregation: 'count',
        dateGrouping: 'day',
        dateFrom: `-${DAYS - 1}d`,
      }),
    'a card of 10 series of 92 days as SVG': picture('image/svg+xml'),
    'the same as PNG': picture('image/png'),
  };
}

async function besides({ agent, url }: Sender, ask: Ask, seconds: number): Promise<Omit<Line, 'what'>> {
  await ask(0);
  const until = performance.now() + seconds * 1_000;
  const times: number[] = [];
  let answers = 0;
  const client = async (first: number) => {
    for (let count = first; performance.now() < until; count += CLIENTS) {
      await ask(count);
      answers += 1;
    }
  };
  const probe = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      await get(agent, `${url}/healthz`);
      times.push(performance.now() - started);
      await pause(PROBE_EVERY_MS);
    }
  };
  await Promise.all([probe(), ...Array.from({ length: CLIENTS }, (_, index) => client(index))]);
  return {
    values: { 'answers/s': answers / seconds, 'healthz p50 ms': quantile(times, 0.5), 'p99 ms': quantile(times, 0.99) },
    demanded: { of: 'p99 ms', atMost: 50 },
  };
}
