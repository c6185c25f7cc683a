import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from '../events/options.ts';
import { Random } from '../reviews/random.ts';
import { agentOf, get, post, row, type Served, serve } from '../support.ts';
import { filledDirectory } from './fill.ts';
import { benchPage } from './page.ts';
import { AGENTS, someRequest, someWord } from './texts.ts';

const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
const QUERIES = 100;
const RECORDED = 10_000;
const CLIENTS = 16;

/** Executions by the million: lists, searches, recording by 16 clients, the disk that they take, and the page of one. */
export async function benchExecutions({ rows: events, rounds, work }: Options): Promise<void> {
  const rows = Math.ceil(events / 10);
  const directory = work ?? mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
  const { dataDir, sizes } = await filledDirectory(directory, rows);
  row(
    `${rows} executions of ${Math.round(sizes.raw / rows)} bytes: ${Math.round(sizes.disk / rows)} bytes on disk each`,
    `${(sizes.disk / sizes.raw).toFixed(2)} x JSON`,
    '<= 0.5 x',
  );
  const served = await serve('reviews', dataDir);
  try {
    await benchLists(served, rows);
    await benchRecording(served);
  } finally {
    await served.stop();
    if (work === null) rmSync(directory, { recursive: true, force: true });
  }
  await benchPage(rounds);
}

async function benchLists(served: Served, rows: number): Promise<void> {
  const agent = agentOf(1);
  const random = new Random(7);
  const list = 'p50 <= 50 ms';
  const search = 'p50 <= 150 ms';
  const kinds: Record<string, { demanded: string; query: () => string }> = {
    everything: { demanded: list, query: () => '' },
    'agent and status': { demanded: list, query: () => `agentId=${random.of(AGENTS)}&status=failed` },
    'a user': { demanded: list, query: () => `userId=user-${random.below(20_000)}` },
    'tag, model and the last week': { demanded: list, query: () => 'tag=vip&model=gpt-5&dateFrom=-7d' },
    'an unknown name': { demanded: list, query: () => `name=n${random.below(1_000)}` },
    'cost above a dollar': { demanded: list, query: () => 'minCost=1' },
    'by cost': { demanded: list, query: () => `sortBy=cost&agentId=${random.of(AGENTS)}` },
    'a word': { demanded: search, query: () => `search=${someWord(random)}` },
    'two words': { demanded: search, query: () => `search=${someWord(random)}%20${someWord(random)}` },
    'a word and a status': { demanded: search, query: () => `search=${someWord(random)}&status=failed` },
  };
  const ask = (query: string) =>
    get(agent, `${served.url}${EXECUTIONS}?${query}`, { 'x-api-key': served.key }).then(
      (text) => JSON.parse(text) as { total: number | null },
    );
  await ask('search=word');
  await served.ask('loop');
  for (const [name, { demanded, query }] of Object.entries(kinds)) {
    const times: number[] = [];
    let counted = 0;
    for (let index = 0; index < QUERIES; index++) {
      const asked = query();
      const started = performance.now();
      const { total } = await ask(asked);
      times.push(performance.now() - started);
      if (total !== null) counted += 1;
    }
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(share * QUERIES)]!.toFixed(1);
    row(`${rows} executions, ${name}: p95 ${at(0.95)} ms, ${counted} % with a total`, `p50 ${at(0.5)} ms`, demanded);
  }
  const loop = await served.ask<{ p99: number; max: number }>('loop');
  row('event loop meanwhile', `p99 ${loop.p99.toFixed(1)} ms`, '');
  agent.destroy();
}

async function benchRecording(served: Served): Promise<void> {
  const agent = agentOf(CLIENTS);
  const random = new Random(11);
  const now = Date.now();
  const bodies = Array.from({ length: RECORDED }, (_, index) =>
    JSON.stringify({ ...someRequest(random, index, now), id: `new-${now}-${index}` }),
  );
  const send =
    (url: string, headers: Record<string, string> = {}) =>
    async (bodies: string[]) => {
      let next = 0;
      const started = performance.now();
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (next < bodies.length) await post(agent, url, bodies[next++]!, headers);
        }),
      );
      return bodies.length / ((performance.now() - started) / 1_000);
    };
  const record = send(`${served.url}${EXECUTIONS}`, { 'x-api-key': served.key });
  const bare = send(`${served.url}/bare`);
  await record(bodies.slice(0, 1_000));
  const rates = { record: 0, bare: 0 };
  for (let first = 1_000; first < RECORDED; first += 3_000) {
    const some = bodies.slice(first, first + 3_000);
    rates.bare = Math.max(rates.bare, await bare(some));
    rates.record = Math.max(rates.record, await record(some));
  }
  const { bare: bareRate, record: rate } = rates;
  row(
    `recording by ${CLIENTS} clients; a bare insert behind Express ${Math.round(bareRate)} /s`,
    `${Math.round(rate)} /s`,
    '>= 2000 /s',
  );
  agent.destroy();
}
