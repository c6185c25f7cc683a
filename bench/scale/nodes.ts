import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { startCluster } from '../../tests/process/nodes/support.ts';
import { EVENTS } from '../../tests/support/app.ts';
import { ask } from '../../tests/support/knowledge.ts';
import { median } from '../events/measure.ts';
import type { Report } from '../events/report.ts';

/*
 * What two nodes accept against one. Each node is limited to a share of a processor by a control group (cgroup v1, as root),
 * so that nodes are the bottleneck and not the engines beside them: it stands for nodes with processors of their own. It
 * says nothing about engines that are the bottleneck.
 */

/** Of a processor, for each node. */
const SHARE = 0.15;
const CLIENTS = 4;
const BATCH = 100;
const DEMANDED = 1.6;
const GROUPS = '/sys/fs/cgroup/cpu';
const PERIOD_US = 20_000;

function limit(pid: number, ends: (() => unknown)[]): void {
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
async function accepted(urls: string[], key: string, seconds: number): Promise<number> {
  const started = performance.now();
  let events = 0;
  const clients = urls.flatMap((url) => Array<string>(CLIENTS).fill(url));
  await Promise.all(
    clients.map(async (url) => {
      while (performance.now() < started + seconds * 1_000) {
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

export async function benchNodes(
  report: Report,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  if (!existsSync(`${GROUPS}/cgroup.procs`)) {
    report.progress(
      `scale-nodes: this machine has no ${GROUPS}; nodes cannot be limited, and would share its processors`,
    );
    return;
  }
  const ends: (() => unknown)[] = [];
  try {
    const scope = { after: (end: () => unknown) => ends.push(end) } as unknown as TestContext;
    const cluster = await startCluster(scope, { count: 2 });
    const key = await cluster.newKey();
    for (const { server } of cluster.nodes) limit(server.pid, ends);
    const [first, second] = cluster.nodes.map(({ url }) => url) as [string, string];
    const rates: Record<'one' | 'two', number[]> = { one: [], two: [] };
    // Round 0 warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const one = await accepted([round % 2 === 0 ? first : second], key, seconds);
      const two = await accepted([first, second], key, seconds);
      if (round === 0) continue;
      rates.one.push(one);
      rates.two.push(two);
    }
    const [one, two] = [median(rates.one), median(rates.two)];
    const line = {
      what: `batches of ${BATCH} with caller ids, ${CLIENTS} clients a node`,
      values: { 'one node, events/s': one, 'two nodes, events/s': two, ratio: two / one },
      demanded: { of: 'ratio', atLeast: DEMANDED },
    };
    report.table('scale', `nodes limited to ${SHARE} of a processor each`, [line]);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
