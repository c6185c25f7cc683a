import { randomUUID } from 'node:crypto';
import { agentOf, post, row, type Served, serve } from './support.ts';

const EVENTS = '/api/v1/runtime/v1/observability/events';
const CONNECTIONS = 16;
const BATCH = 100;
const SECONDS = 4;
const PROBES = 4;

/** Ingest over HTTP against one DuckDB commit per request behind the same HTTP, with and without caller ids. */
export async function benchIngest(): Promise<void> {
  const product = await serve('product');
  const direct = await serve('direct');
  for (const ids of [false, true]) {
    const best = { product: 0, direct: 0 };
    for (let round = 0; round < 3; round++) {
      best.product = Math.max(best.product, await eventsPerSecond(product, ids));
      best.direct = Math.max(best.direct, await eventsPerSecond(direct, ids));
    }
    const rates = `${Math.round(best.product)} events/s, a commit per request ${Math.round(best.direct)}`;
    row(
      `ingest ${ids ? 'with' : 'without'} caller ids: ${rates}`,
      `${(best.product / best.direct).toFixed(1)} x`,
      '>= 2 x',
    );
  }
  await direct.stop();
  await benchFreshness(product);
  await product.stop();
}

async function eventsPerSecond(server: Served, ids: boolean): Promise<number> {
  const agent = agentOf(CONNECTIONS);
  const until = performance.now() + SECONDS * 1_000;
  let sent = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        await post(agent, server.url + EVENTS, batchOf(ids), { 'x-api-key': server.key });
        sent += BATCH;
      }
    }),
  );
  agent.destroy();
  return (sent / (performance.now() - started)) * 1_000;
}

/** How long until an event can be queried while the server is loaded, and what its event loop feels. */
async function benchFreshness(server: Served): Promise<void> {
  const agent = agentOf(CONNECTIONS + PROBES);
  const headers = { 'x-api-key': server.key };
  const until = performance.now() + 12_000;
  await server.ask('loop');
  const load = Array.from({ length: CONNECTIONS }, async () => {
    while (performance.now() < until) await post(agent, server.url + EVENTS, batchOf(true), headers);
  });
  const delays: number[] = [];
  const probe = async () => {
    while (performance.now() < until) {
      const eventName = `probe_${randomUUID()}`;
      const started = performance.now();
      await post(agent, server.url + EVENTS, JSON.stringify({ events: [{ eventName }] }), headers);
      for (;;) {
        const answer = await post(agent, `${server.url}${EVENTS}/query`, JSON.stringify({ eventName }), headers);
        if ((JSON.parse(answer) as { total: number }).total > 0) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      delays.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: PROBES }, probe));
  await Promise.all(load);
  const loop = await server.ask<{ p50: number; p99: number; max: number }>('loop');
  delays.sort((one, other) => one - other);
  const p99 = delays[Math.floor(delays.length * 0.99)] ?? 0;
  row(
    `freshness under load, ${delays.length} probes: p50 ${at(delays, 0.5)} ms`,
    `p99 ${p99.toFixed(0)} ms`,
    '< 2000 ms',
  );
  row(
    `event loop meanwhile: p50 ${loop.p50.toFixed(1)} ms, max ${loop.max.toFixed(1)} ms`,
    `p99 ${loop.p99.toFixed(1)} ms`,
    '< 20 ms',
  );
  agent.destroy();
}

function at(sorted: number[], quantile: number): string {
  return (sorted[Math.floor(sorted.length * quantile)] ?? 0).toFixed(0);
}

function batchOf(ids: boolean): string {
  const events = Array.from({ length: BATCH }, (_, index) => ({
    ...(ids ? { id: randomUUID() } : {}),
    eventName: 'page_viewed',
    threadId: `thread-${index % 20}`,
    properties: {
      plan: index % 3 === 0 ? 'pro' : 'free',
      url: `/item-${index}`,
      duration: index * 1.5,
      utm: { source: 'mail' },
    },
  }));
  return JSON.stringify({ events });
}
