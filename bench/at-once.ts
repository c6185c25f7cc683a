import { median, quantile } from './events/measure.ts';
import type { Options } from './events/options.ts';
import { Report } from './events/report.ts';
import { EVENTS, makeEvent, seeded } from './events/traffic.ts';
import { allVisible, BATCH, cpuSeconds, ROOT, type Server, withServer } from './served.ts';
import { agentOf, post } from './support.ts';

const SHARE_OF_ROWS = 0.02;
const DAYS = 90;
const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-06-01T00:00:00Z');
const CLIENTS = 50;
const ALONE = 150;
const WARM = 100;

interface Asked {
  perSecond: number;
  aloneMs: number;
  cpuMs: number;
}

/**
 * Questions whose ranges begin anywhere, so that no answer is cached: of one client, and of 50 at once. With --against,
 * both checkouts in turns, each with a server of its own. Linux only.
 */
export async function benchAtOnce({ rows, rounds, seconds, against, json }: Options): Promise<void> {
  const report = new Report(json);
  const events = Math.round(rows * SHARE_OF_ROWS);
  const roots = [...(against === null ? [] : [against]), ROOT];
  const found = new Map<string, Asked[]>(roots.map((root) => [root, []]));
  const measure = async (servers: Server[]): Promise<void> => {
    const root = roots[servers.length];
    if (root !== undefined) return withServer((server) => measure([...servers, server]), root);
    for (const server of servers) await fill(server, events);
    let count = 0;
    const ask = (server: Server) => {
      count += 1;
      return post(agent, `${server.url}${EVENTS}/query`, question(count), { 'x-api-key': server.key });
    };
    // Each server goes first equally often: the first of a round is up to 8 % faster.
    for (let round = 0; round < rounds + (rounds % 2); round += 1) {
      for (const [at, server] of servers.entries()) found.get(roots[at]!)!.push(await asked(server, ask, seconds));
      servers.reverse();
      roots.reverse();
    }
  };
  const agent = agentOf(CLIENTS);
  await measure([]);
  agent.destroy();
  const medianOf = (root: string, key: keyof Asked) => median(found.get(root)!.map((one) => one[key]));
  report.table(
    'at-once',
    `questions over ${events.toLocaleString('en-US')} events`,
    [...found.keys()].map((root) => ({
      what: root,
      values: {
        'questions/s of 50': medianOf(root, 'perSecond'),
        'one alone ms': medianOf(root, 'aloneMs'),
        'CPU ms': medianOf(root, 'cpuMs'),
      },
    })),
  );
}

export async function fill(server: Server, events: number): Promise<void> {
  const random = seeded(45);
  for (let sent = 0; sent < events; sent += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, events - sent) }, (_, at) => {
      const timestamp = new Date(FIRST + Math.floor(((sent + at) / events) * DAYS * DAY_MS)).toISOString();
      return { ...makeEvent(random), timestamp };
    });
    await server.send('/v1/observability/events', { events: batch });
  }
  await allVisible(() => server.send('/v1/observability/events/query', { eventName: 'page_viewed', limit: 1 }));
}

async function asked(server: Server, ask: (server: Server) => Promise<unknown>, seconds: number): Promise<Asked> {
  for (let count = 0; count < WARM; count += 1) await ask(server);
  const alone: number[] = [];
  while (alone.length < ALONE) {
    const started = performance.now();
    await ask(server);
    alone.push(performance.now() - started);
  }
  const cpu = cpuSeconds(server.child);
  const until = performance.now() + seconds * 1_000;
  let answers = 0;
  const client = async () => {
    for (; performance.now() < until; answers += 1) await ask(server);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const cpuMs = ((cpuSeconds(server.child) - cpu) * 1_000) / answers;
  return { perSecond: answers / seconds, aloneMs: quantile(alone, 0.5), cpuMs };
}

const NAMES = ['page_viewed', 'message_sent', 'product_viewed', 'purchase_completed'];
const GROUPS = ['plan', 'country', 'is_new'];

/** Another `shift`, in milliseconds, makes the same question one that is not cached. */
export function question(count: number, shift = 0): string {
  const name = count % NAMES.length;
  const property = name < 2 ? 'duration_ms' : 'amount';
  const metrics = [
    { aggregation: 'count', alias: 'n' },
    ...['sum', 'avg', 'p95'].map((aggregation) => ({ aggregation, propertyKey: property, alias: aggregation })),
  ];
  const from = FIRST + ((count * 7_919) % (DAYS * 1_000)) * (DAY_MS / 1_000) + count + shift;
  return JSON.stringify({
    eventName: NAMES[name],
    mode: 'aggregate',
    groupBy: GROUPS[count % GROUPS.length],
    metrics: [metrics[Math.floor(count / NAMES.length) % metrics.length]],
    ...(count % 2 === 0 ? {} : { filters: [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }] }),
    dateFrom: new Date(from).toISOString(),
  });
}
