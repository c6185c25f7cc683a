import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fill } from '../../support/answers.ts';
import { sharedClickhouse, sharedPostgres } from '../../support/postgres-state.ts';
import { randomNumbers } from '../../support/random.ts';
import { checkDocuments, checkEqualAnswers, checkStored, type EngineOutages, failuresOf } from './checks.ts';
import { MixedLoad } from './load.ts';
import { allReady, type Cluster, newOutage, type Outage, startCluster } from './support.ts';

/** Longer than the lease of the node that moves events. */
const SUSPENDED_MS = 7_000;

export interface Survival {
  seed: number;
  kills: number;
  outages: number;
  suspensions: number;
}

/** A mixed load on three nodes while they and their engines end at random moments; then everything is counted. */
export async function survives(t: TestContext, { seed, kills, outages, suspensions }: Survival): Promise<void> {
  t.diagnostic(`seed ${seed}`);
  const random = randomNumbers(seed);
  const cluster = await startCluster(t);
  const key = await cluster.newKey();
  await fill({ url: cluster.url, key }, 'before');
  const outagesOf: EngineOutages = { postgres: [], clickhouse: [], suspensions: [] };
  const load = new MixedLoad(t, { url: cluster.url, key, seed });
  const steps = shuffled(random, [
    ...Array<Step>(kills).fill(killAndRestart),
    ...Array<Step>(suspensions).fill((cluster, _, random) => suspend(cluster, outagesOf.suspensions, random)),
    ...Array<Step>(outages).fill((_, wait) => stopClickhouse(outagesOf.clickhouse, wait)),
    ...Array<Step>(outages).fill((cluster, wait) => stopPostgres(cluster, outagesOf.postgres, wait)),
  ]);
  const wait = (longestMs: number) => sleep(random() * longestMs);
  for (const step of steps) {
    await wait(1_500);
    await step(cluster, wait, random);
  }
  await wait(1_000);
  await load.stop();
  await allReady(cluster);
  assert.deepEqual(load.unexpected, []);
  await checkStored(cluster, load);
  await checkDocuments(cluster, load, key);
  await checkEqualAnswers(cluster, key);
  const { others } = failuresOf(cluster, outagesOf);
  assert.deepEqual(others, [], 'no other request failed');
  const acknowledged = [...load.events.values()].filter(Boolean).length;
  assert.ok(load.awaited > 0 && acknowledged > 100, 'there was a load');
}

type Step = (cluster: Cluster, wait: (longestMs: number) => Promise<void>, random: () => number) => Promise<void>;

const killAndRestart: Step = async (cluster, wait, random) => {
  const node = anyOf(cluster, random);
  await cluster.kill(node);
  await wait(500);
  await cluster.restart(node);
};

/** As a virtual machine that is moved: it believes that it still holds its leases. */
async function suspend(cluster: Cluster, suspensions: Outage[], random: () => number): Promise<void> {
  const { child } = anyOf(cluster, random).server;
  const suspension = newOutage();
  suspensions.push(suspension);
  child.kill('SIGSTOP');
  await sleep(SUSPENDED_MS);
  child.kill('SIGCONT');
  suspension.to = performance.now();
}

async function stopClickhouse(outages: Outage[], wait: Parameters<Step>[1]): Promise<void> {
  const server = await sharedClickhouse();
  const outage = newOutage();
  outages.push(outage);
  await server.stop();
  await wait(3_000);
  await server.start();
  outage.to = performance.now();
}

async function stopPostgres(cluster: Cluster, outages: Outage[], wait: Parameters<Step>[1]): Promise<void> {
  const server = await sharedPostgres();
  const outage = newOutage();
  outages.push(outage);
  await server.stop();
  await wait(2_000);
  await server.start();
  await allReady(cluster);
  outage.to = performance.now();
}

function anyOf({ nodes }: Cluster, random: () => number) {
  return nodes[Math.floor(random() * nodes.length)]!;
}

function shuffled<One>(random: () => number, items: One[]): One[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
