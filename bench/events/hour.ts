import { writeFileSync } from 'node:fs';
import { agentOf, get, post, type Served, serve } from '../support.ts';
import type { Bench } from './bench.ts';
import { probeOnce } from './freshness.ts';
import { drawHour, type Sample } from './hour-plot.ts';
import { median, pause, quantile } from './measure.ts';
import type { Line } from './report.ts';
import { EVENTS, nothingYet, paced, type Sender } from './traffic.ts';

const PART = 'hour';
const TENANTS = 20;
const PACE = { eventsPerSecond: 2_000, batch: 50, ids: true };
const QUERIES_PER_SECOND = 3;
const FEEDS_PER_SECOND = 2;
const SAMPLE_SECONDS = 10;
const FEWEST_SAMPLES = 12;

/** One server under a long paced mixed load: whether memory, disk and latencies are stable. */
export async function benchHour({ options, report }: Bench): Promise<void> {
  const server = await serve('product');
  const sender = { agent: agentOf(64), url: server.url };
  const keys = await server.ask<string[]>(`tenants ${TENANTS}`);
  const started = performance.now();
  const until = started + options.minutes * 60_000;
  const goesOn = () => performance.now() < until;
  const load = nothingYet();
  const queries = repeated(sender, keys, QUERIES_PER_SECOND, goesOn, askTable);
  const feeds = repeated(sender, keys, FEEDS_PER_SECOND, goesOn, askFeed);
  const loading = paced(sender, keys, PACE, goesOn, load);
  const samples: Sample[] = [];
  const every = Math.min(SAMPLE_SECONDS, (options.minutes * 60) / FEWEST_SAMPLES) * 1_000;
  while (goesOn()) {
    await pause(Math.max(0, Math.min(until, started + (samples.length + 1) * every) - performance.now()));
    const freshMs = await probeOnce(sender, keys[samples.length % keys.length]!);
    const times = { queries: queries.take(), feeds: feeds.take(), accepted: load.acknowledged.splice(0) };
    samples.push({ ...(await sampleOf(server, times)), minutes: minutesSince(started), events: load.events, freshMs });
    writeFileSync(options.svg.replace(/(\.svg)?$/, '.json'), `${JSON.stringify(samples, null, 1)}\n`);
    writeFileSync(options.svg, drawHour(samples));
  }
  await Promise.all([loading, queries.ended, feeds.ended]);
  sender.agent.destroy();
  await server.stop();
  report.table(PART, `${options.minutes} minutes, ${load.events.toLocaleString('en-US')} events`, summary(samples));
}

interface Times {
  queries: number[];
  feeds: number[];
  accepted: number[];
}

async function sampleOf(server: Served, { queries, feeds, accepted }: Times) {
  const memory = await server.ask<{ now: number }>('memory');
  const disk = await server.ask<{ tables: number; spool: number; all: number }>('disk');
  const loop = await server.ask<{ p99: number }>('loop');
  return {
    memoryMb: memory.now,
    tablesMb: disk.tables / 1e6,
    spoolMb: disk.spool / 1e6,
    diskMb: disk.all / 1e6,
    backlogMb: (await server.ask<number>('backlog')) / 1e6,
    queryP50Ms: quantile(queries, 0.5),
    queryP99Ms: quantile(queries, 0.99),
    feedP50Ms: quantile(feeds, 0.5),
    feedP99Ms: quantile(feeds, 0.99),
    acceptP99Ms: quantile(accepted, 0.99),
    loopP99Ms: loop.p99,
  };
}

type Ask = (sender: Sender, key: string, count: number) => Promise<unknown>;

/** Calls at a pace, one tenant after the other; `take` returns the times since its last call. */
function repeated(sender: Sender, keys: string[], perSecond: number, goesOn: () => boolean, ask: Ask) {
  let times: number[] = [];
  const run = async () => {
    for (let count = 0; goesOn(); count++) {
      const started = performance.now();
      await ask(sender, keys[count % keys.length]!, count);
      times.push(performance.now() - started);
      await pause(Math.max(0, 1_000 / perSecond - (performance.now() - started)));
    }
  };
  const take = () => {
    const taken = times;
    times = [];
    return taken;
  };
  return { ended: run(), take };
}

const QUESTIONS = [
  {
    eventName: 'page_viewed',
    mode: 'aggregate',
    groupBy: 'country',
    metrics: [{ aggregation: 'sum', propertyKey: 'duration_ms', alias: 'sum' }],
    filters: [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }],
  },
  { eventName: 'purchase_completed', mode: 'aggregate', groupBy: 'plan', dateFrom: '-24h' },
  {
    eventName: 'message_sent',
    columns: ['user_id', 'url', 'duration_ms'],
    filters: [{ propertyKey: 'duration_ms', operator: 'gt', value: 2_000 }],
    limit: 50,
  },
].map((question) => JSON.stringify(question));

const askTable: Ask = ({ agent, url }, key, count) =>
  post(agent, `${url}${EVENTS}/query`, QUESTIONS[count % QUESTIONS.length]!, { 'x-api-key': key });

const askFeed: Ask = ({ agent, url }, key) => get(agent, `${url}${EVENTS}/feed?limit=50`, { 'x-api-key': key });

function minutesSince(started: number): number {
  return (performance.now() - started) / 60_000;
}

/** The second sixth, when everything is warm, against the last. */
function summary(samples: Sample[]): Line[] {
  const sixth = Math.floor(samples.length / 6);
  const early = samples.slice(sixth, 2 * sixth);
  const late = samples.slice(-sixth);
  const names: [keyof Sample, string][] = [
    ['memoryMb', 'memory, MB'],
    ['diskMb', 'disk, MB'],
    ['spoolMb', 'spool and ids, MB'],
    ['backlogMb', 'backlog, MB'],
    ['queryP50Ms', 'query p50, ms'],
    ['queryP99Ms', 'query p99, ms'],
    ['feedP50Ms', 'feed p50, ms'],
    ['acceptP99Ms', 'accepting a batch p99, ms'],
    ['freshMs', 'from sending to finding, ms'],
    ['loopP99Ms', 'event loop p99, ms'],
  ];
  return names.map(([name, what]) => {
    const of = (some: Sample[]) => median(some.map((sample) => sample[name]));
    const most = Math.max(...samples.map((sample) => sample[name]));
    return { what, values: { early: of(early), late: of(late), most, 'late / early': of(late) / of(early) } };
  });
}
