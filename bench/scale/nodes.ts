import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { TestContext } from 'node:test';
import { startCluster } from '../../tests/process/nodes/support.ts';
import { EVENTS } from '../../tests/support/app.ts';
import { ask } from '../../tests/support/knowledge.ts';
import { median } from '../events/measure.ts';

/*
 * `node bench/scale/nodes.ts [SECONDS [SHARE]]`: what two nodes accept against one. Each node is limited to SHARE of a
 * processor by a control group (cgroup v1, as root), so that nodes are the bottleneck and not the engines beside them: it
 * stands for nodes with processors of their own. It says nothing about engines that are the bottleneck.
 */

const SECONDS = Number(process.argv[2] ?? 8);
const SHARE = Number(process.argv[3] ?? 0.2);
const ROUNDS = 3;
const CLIENTS = 4;
const BATCH = 100;
const DEMANDED = 1.6;
const GROUPS = '/sys/fs/cgroup/cpu';
const PERIOD_US = 20_000;

const ends: (() => unknown)[] = [];
const scope = { after: (end: () => unknown) => ends.push(end) } as unknown as TestContext;

function limit(pid: number): void {
  const group = `${GROUPS}/agent-runtime-bench-${pid}`;
  mkdirSync(group);
  writeFileSync(`${group}/cpu.cfs_period_us`, String(PERIOD_US));
  writeFileSync(`${group}/cpu.cfs_quota_us`, String(Math.round(PERIOD_US * SHARE)));
  writeFileSync(`${group}/cgroup.procs`, String(pid));
  // The first to start is the last to be undone: the process has ended by then.
  ends.unshift(() => rmdirSync(group));
}

let serial = 0;

/** Accepted events a second, from as many clients for each node. */
async function accepted(urls: string[], key: string): Promise<number> {
  const started = performance.now();
  let events = 0;
  const clients = urls.flatMap((url) => Array<string>(CLIENTS).fill(url));
  await Promise.all(
    clients.map(async (url) => {
      while (performance.now() < started + SECONDS * 1_000) {
        const batch = Array.from({ length: BATCH }, () => ({
          ...{ id: `event-${++serial}`, eventName: 'purchase', properties: { plan: 'pro', amount: serial % 100 } },
        }));
        const { status, body } = await ask({ url, key }, 'POST', EVENTS, { events: batch });
        if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`);
        events += BATCH;
      }
    }),
  );
  return events / ((performance.now() - started) / 1_000);
}

try {
  if (!existsSync(`${GROUPS}/cpu.cfs_quota_us`) && !existsSync(`${GROUPS}/cgroup.procs`)) {
    throw new Error(
      `This machine has no ${GROUPS}: nodes cannot be limited, and two would share the processors of one.`,
    );
  }
  const cluster = await startCluster(scope, { count: 2 });
  const key = await cluster.newKey();
  for (const { server } of cluster.nodes) limit(server.pid);
  const urls = cluster.nodes.map(({ url }) => url);
  const rates: Record<'one' | 'two', number[]> = { one: [], two: [] };
  // Round 0 warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = await accepted([urls[round % 2]!], key);
    const two = await accepted(urls, key);
    if (round > 0) rates.one.push(one);
    if (round > 0) rates.two.push(two);
  }
  const [one, two] = [median(rates.one), median(rates.two)];
  console.log(`${availableParallelism()} processors; each node limited to ${SHARE} of one by a control group`);
  console.log(`one node: ${Math.round(one)} events/s; two: ${Math.round(two)} events/s`);
  console.log(`ratio ${(two / one).toFixed(2)} (demanded: ${DEMANDED})`);
  if (two / one < DEMANDED) process.exitCode = 1;
} finally {
  for (const end of ends.toReversed()) await end();
}
