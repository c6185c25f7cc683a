import { agentOf, post, type Served, serve } from '../support.ts';
import type { Bench } from './bench.ts';
import { pause, quantile } from './measure.ts';
import { EVENTS, queryable, type Sender, send } from './traffic.ts';

const PART = 'fairness-queries';
const BATCH = 5_000;
const EVENTS_OF_B = 2_000;
const PAUSE_MS = 20;
const SLOW_AT_ONCE = 40;
const HUNGRY_AT_ONCE = 4;

const SMALL = {
  eventName: 'work_done',
  mode: 'aggregate',
  groupBy: 'country',
  metrics: [{ aggregation: 'sum', propertyKey: 'n', alias: 'sum' }],
};
const SLOW = {
  eventName: 'work_done',
  mode: 'aggregate',
  groupBy: 'word',
  metrics: [
    { aggregation: 'distinct_count', propertyKey: 'text', alias: 'texts' },
    { aggregation: 'p95', propertyKey: 'n', alias: 'p95' },
  ],
};
/** Every group is one event, and every metric stores all of its values. */
const HUNGRY = {
  ...SLOW,
  groupBy: ['user', 'word', 'text'],
  metrics: ['p95', 'median', 'distinct_count'].flatMap((aggregation) =>
    ['n', 'm', 'text'].flatMap((propertyKey) =>
      propertyKey === 'text' && aggregation !== 'distinct_count'
        ? []
        : [{ aggregation, propertyKey, alias: `${aggregation}_${propertyKey}` }],
    ),
  ),
};

interface Measured {
  times: number[];
  failures: number;
  freshness: number[];
  /** Responses to the busy tenant by status. */
  answers: Map<string, number>;
}

/** Small queries of one tenant while another is busy, and without it, alternating. */
export async function benchFairnessOfQueries({ options, report }: Bench): Promise<void> {
  const rows = Math.round(options.rows / 25);
  const server = await serve('product');
  const sender = { agent: agentOf(128), url: server.url };
  try {
    const [greedy, modest] = await server.ask<[string, string]>('tenants 2');
    report.progress(`sending ${rows.toLocaleString('en-US')} events`);
    await fill(sender, greedy, rows);
    await fill(sender, modest, EVENTS_OF_B);
    await pause(8_000);
    const attacks: [string, number, object][] = [
      [`${SLOW_AT_ONCE} slow questions at once`, SLOW_AT_ONCE, SLOW],
      [`${HUNGRY_AT_ONCE} questions that use up the memory`, HUNGRY_AT_ONCE, HUNGRY],
    ];
    for (const [what, width, question] of attacks) {
      const idle: Measured[] = [];
      const busy: Measured[] = [];
      for (let round = 0; round <= options.rounds; round += 1) {
        const one = await measure(sender, modest, options.seconds);
        const other = await besides(sender, { key: greedy, width, question }, () =>
          measure(sender, modest, options.seconds),
        );
        await pause(1_000);
        if (round === 0) continue;
        idle.push(one);
        busy.push(other);
      }
      show(report, what, idle, busy);
    }
  } finally {
    sender.agent.destroy();
    await (server as Served).stop();
  }
}

function show(report: Bench['report'], what: string, idle: Measured[], busy: Measured[]): void {
  const all = (measured: Measured[], of: 'times' | 'freshness') => measured.flatMap((one) => one[of]);
  const row = (of: 'times' | 'freshness', share: number) => {
    const [one, other] = [quantile(all(idle, of), share), quantile(all(busy, of), share)];
    return { 'idle ms': one, 'busy ms': other, ratio: other / one };
  };
  const failures = busy.reduce((sum, one) => sum + one.failures, 0);
  const answers = new Map<string, number>();
  for (const one of busy)
    for (const [status, count] of one.answers) answers.set(status, (answers.get(status) ?? 0) + count);
  report.table(PART, `one tenant asks ${what}; small questions of another`, [
    { what: 'p50', values: row('times', 0.5) },
    { what: 'p99', values: row('times', 0.99), demanded: { of: 'ratio', atMost: 3 } },
    { what: 'p50 of its events until they are visible', values: row('freshness', 0.5) },
    { what: 'most', values: row('freshness', 1), demanded: { of: 'busy ms', atMost: 2_000 } },
    { what: 'failures', values: { count: failures }, demanded: { of: 'count', atMost: 0 } },
  ]);
  report.progress(`answers to the one that asks for much: ${JSON.stringify([...answers])}`);
}

/** Runs `use` while so many of these queries run all the time. */
async function besides(
  { agent, url }: Sender,
  { key, width, question }: { key: string; width: number; question: object },
  use: () => Promise<Measured>,
): Promise<Measured> {
  let asking = true;
  const answers = new Map<string, number>();
  const body = JSON.stringify({ ...question, limit: 10 });
  const all = Array.from({ length: width }, async () => {
    while (asking) {
      const status = await post(agent, `${url}${EVENTS}/query`, body, { 'x-api-key': key }).then(
        () => '200',
        (error: unknown) => /answered (\d+)/.exec(String(error))?.[1] ?? String(error),
      );
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status !== '200') await pause(100);
    }
  });
  await pause(500);
  const measured = await use();
  asking = false;
  await Promise.all(all);
  return { ...measured, answers };
}

async function measure(sender: Sender, key: string, seconds: number): Promise<Measured> {
  const measured: Measured = { times: [], failures: 0, freshness: [], answers: new Map() };
  const until = performance.now() + seconds * 1_000;
  const body = JSON.stringify(SMALL);
  const asks = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      await post(sender.agent, `${sender.url}${EVENTS}/query`, body, { 'x-api-key': key }).catch((error: unknown) => {
        measured.failures += 1;
        console.error(String(error));
      });
      measured.times.push(performance.now() - started);
      await pause(PAUSE_MS);
    }
  };
  const sends = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      const receipt = await send(sender, key, bodyOf(0, 5));
      await queryable(sender, key, receipt);
      measured.freshness.push(performance.now() - started);
      await pause(500);
    }
  };
  await Promise.all([asks(), sends()]);
  return measured;
}

async function fill(sender: Sender, key: string, count: number): Promise<void> {
  let receipt = '';
  for (let first = 0; first < count; first += BATCH)
    receipt = await send(sender, key, bodyOf(first, Math.min(BATCH, count - first)));
  await queryable(sender, key, receipt);
}

/** Events whose property values are all different. */
function bodyOf(first: number, count: number): string {
  const events = Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return {
      eventName: 'work_done',
      properties: {
        user: `user-${number}`,
        word: `word ${(number * 7_919) % 1e6}`,
        text: `some text of some length ${number * 31}`,
        country: ['DE', 'FR', 'BR', 'US'][number % 4],
        n: number % 1_000,
        m: number % 997,
      },
    };
  });
  return JSON.stringify({ events });
}
