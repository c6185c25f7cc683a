import { randomUUID } from 'node:crypto';
import { post, type Served } from '../support.ts';
import type { Bench } from './bench.ts';
import { PART } from './ingest-part.ts';
import { pause, quantile } from './measure.ts';
import type { Line } from './report.ts';
import { bodyOf, EVENTS, type Pace, paced, queryable, type Sender, send } from './traffic.ts';

/** Few and slow enough that probing is no load of its own. */
const PROBES = 2;
const POLL_MS = 40;
/** Freshness needs longer than a rate: a probe takes a third of a second. */
const ROUNDS_LONG = 6;

interface Situation {
  what: string;
  tenants: number;
  /** Null: as much as the server accepts. */
  pace: Pace | null;
  atMost: number;
}

const PACE = { eventsPerSecond: 5_000, batch: 10, ids: true };
/** Under maximum load, the limit is the API's promise. */
const SITUATIONS: Situation[] = [
  { what: '5,000 events/s, 1 tenant', tenants: 1, pace: PACE, atMost: 1_500 },
  { what: '5,000 events/s, 50 tenants', tenants: 50, pace: PACE, atMost: 1_500 },
  { what: '5,000 events/s, 200 tenants', tenants: 200, pace: PACE, atMost: 1_500 },
  { what: 'flat out, 1 tenant', tenants: 1, pace: null, atMost: 2_000 },
];

/** The time until an event can be queried under load, and the delay of the event loop. */
export async function benchFreshness(bench: Bench, server: Served, sender: Sender): Promise<void> {
  const lines: Line[] = [];
  const loops: Line[] = [];
  for (const situation of SITUATIONS) {
    const keys = await server.ask<string[]>(`tenants ${situation.tenants}`);
    const until = performance.now() + bench.options.seconds * ROUNDS_LONG * 1_000;
    const goesOn = () => performance.now() < until;
    await server.ask('loop');
    const started = performance.now();
    const loading = situation.pace
      ? paced(sender, keys, situation.pace, goesOn).then(({ events }) => events)
      : flatOut(sender, keys, goesOn);
    const probing = Array.from({ length: PROBES }, (_, probe) => probeFreshness(sender, keys, probe, goesOn));
    const delays = (await Promise.all(probing)).flat();
    const rate = ((await loading) / (performance.now() - started)) * 1_000;
    const loop = await server.ask<{ p50: number; p99: number; max: number }>('loop');
    for (const key of keys) await queryable(sender, key, await send(sender, key, bodyOf(1, false)));
    lines.push({
      what: situation.what,
      values: {
        'events/s': Math.round(rate),
        probes: delays.length,
        'p50 ms': quantile(delays, 0.5),
        'p99 ms': quantile(delays, 0.99),
      },
      demanded: { of: 'p99 ms', atMost: situation.atMost },
    });
    loops.push({
      what: situation.what,
      values: { 'p50 ms': loop.p50, 'p99 ms': loop.p99, 'max ms': loop.max },
      demanded: { of: 'p99 ms', atMost: 15 },
    });
  }
  bench.report.table(PART, 'from sending an event until a query finds it', lines);
  bench.report.table(PART, "delay of the server's event loop meanwhile", loops);
}

async function flatOut(sender: Sender, keys: string[], goesOn: () => boolean): Promise<number> {
  let events = 0;
  const sending = Array.from({ length: 16 }, async (_, connection) => {
    for (; goesOn(); events += 100) await send(sender, keys[connection % keys.length]!, bodyOf(100, true));
  });
  await Promise.all(sending);
  return events;
}

async function probeFreshness(sender: Sender, keys: string[], probe: number, goesOn: () => boolean): Promise<number[]> {
  const delays: number[] = [];
  for (let count = probe; goesOn(); count += PROBES) delays.push(await probeOnce(sender, keys[count % keys.length]!));
  return delays;
}

/** The timeout of a probe, which then counts as this. */
const PROBE_LIMIT_MS = 60_000;

/**
 * Milliseconds from sending one event until a query finds it. Polls without the receipt, which
 * would speed up the flush.
 */
export async function probeOnce(sender: Sender, key: string): Promise<number> {
  const threadId = randomUUID();
  const started = performance.now();
  await send(sender, key, JSON.stringify({ events: [{ eventName: 'probe', threadId }] }));
  const taken = () => performance.now() - started;
  while (!(await isFound(sender, key, threadId)) && taken() < PROBE_LIMIT_MS) await pause(POLL_MS);
  return taken();
}

async function isFound({ agent, url }: Sender, key: string, threadId: string): Promise<boolean> {
  const filters = [{ propertyKey: 'threadId', operator: 'eq', value: threadId }];
  const question = JSON.stringify({ eventName: 'probe', columns: ['threadId'], filters, limit: 1, dateFrom: '-15min' });
  const answer = await post(agent, `${url}${EVENTS}/query`, question, { 'x-api-key': key });
  return (JSON.parse(answer) as { total: number }).total > 0;
}
