import { mkdtempSync, rmSync } from 'node:fs';
import { get as request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from '../events/options.ts';
import { agentOf, alternate, get, post, row, type Served, serve, timeCalls } from '../support.ts';
import { filledDirectory, RECORDED_AGENT } from './fill.ts';
import { Random } from './random.ts';

const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
const REVIEWS = '/api/v1/runtime/v1/observability/reviews';
const QUERIES = 300;

/** Reviews by the million: lists with searches, statistics, the training export, and what creating one costs. */
export async function benchReviews({ rows, work }: Options): Promise<void> {
  const directory = work ?? mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
  const counts = { reviews: Math.ceil(rows / 10), recorded: Math.ceil(rows / 100) };
  const dataDir = await filledDirectory(directory, counts, (text) => console.error(text));
  const served = await serve('reviews', dataDir);
  try {
    await benchLists(served, counts.reviews);
    await benchExport(served, counts.recorded);
    await benchCreate(served);
  } finally {
    await served.stop();
    if (work === null) rmSync(directory, { recursive: true, force: true });
  }
}

async function benchLists(served: Served, reviews: number): Promise<void> {
  const agent = agentOf(1);
  const headers = { 'x-api-key': served.key };
  const random = new Random(7);
  const kinds: Record<string, { demanded: string; query: () => string }> = {
    'a word': { demanded: 'p50 < 50 ms', query: () => `?search=${random.word()}` },
    'two words': { demanded: 'p50 < 50 ms', query: () => `?search=${random.word()}%20${random.word()}` },
    'a word, rating and status': {
      demanded: 'p50 < 50 ms',
      query: () => `?search=${random.word()}&rating=bad&status=resolved`,
    },
    'a word, rating and the last month': {
      demanded: 'p50 < 50 ms',
      query: () => `?search=${random.word()}&rating=bad&dateFrom=-30d`,
    },
    'rating and status': { demanded: '', query: () => `?rating=bad&status=resolved&offset=${random.below(1_000)}` },
    'the last month': { demanded: '', query: () => `?dateFrom=-30d&offset=${random.below(1_000)}` },
    everything: { demanded: '', query: () => `?offset=${random.below(1_000)}` },
    'statistics of an agent': { demanded: 'p50 < 50 ms', query: () => '/stats?agentId=vendas' },
  };
  await get(agent, `${served.url}${REVIEWS}?search=a`, headers);
  await served.ask('loop');
  for (const [name, { demanded, query }] of Object.entries(kinds)) {
    const times: number[] = [];
    for (let index = 0; index < QUERIES; index++) {
      const path = query();
      const started = performance.now();
      await get(agent, `${served.url}${REVIEWS}${encodeURI(decodeURI(path))}`, headers);
      times.push(performance.now() - started);
    }
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(share * QUERIES)]!.toFixed(1);
    row(`${reviews} reviews, ${name}: p95 ${at(0.95)}, most ${at(0.999)} ms`, `p50 ${at(0.5)} ms`, demanded);
  }
  const loop = await served.ask<{ p99: number; max: number }>('loop');
  row('event loop meanwhile', `p99 ${loop.p99.toFixed(1)} ms`, '');
  agent.destroy();
}

async function benchExport(served: Served, recorded: number): Promise<void> {
  const { now: before } = await served.ask<{ now: number }>('memory');
  for (const format of ['openai-conversational', 'openai-jsonl', 'dpo-jsonl', 'kto-jsonl']) {
    const best = await alternate(3, {
      export: async () => {
        const started = performance.now();
        const { examples } = await download(served, format);
        return (performance.now() - started) / examples;
      },
    });
    const { bytes, examples } = await download(served, format);
    const megabytes = (bytes / 1e6).toFixed(0);
    row(
      `export ${format}: ${examples} examples of ${recorded} reviews, ${megabytes} MB`,
      `${Math.round(1_000 / best.export)} /s`,
      '>= 20000 /s',
    );
  }
  const { now, peak } = await served.ask<{ now: number; peak: number }>('memory');
  row(`memory: ${before.toFixed(0)} MB before, ${now.toFixed(0)} MB after`, `peak ${peak.toFixed(0)} MB`, '');
}

const NEWLINE = 10;

/** Counts what comes without keeping it, at little cost: the server needs the machine. */
function download(served: Served, format: string): Promise<{ bytes: number; examples: number }> {
  const path = `${REVIEWS}/export/training-data?agentId=${RECORDED_AGENT}&format=${format}`;
  return new Promise((resolve, reject) => {
    request(`${served.url}${path}`, { headers: { 'x-api-key': served.key } }, (response) => {
      let bytes = 0;
      let lines = 0;
      let last = '';
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
        last = (last + chunk.subarray(-40).toString('latin1')).slice(-40);
      });
      response.on('end', () => resolve({ bytes, examples: Number(/"total":(\d+)\}$/.exec(last)?.[1] ?? lines) }));
    }).on('error', reject);
  });
}

async function benchCreate(served: Served): Promise<void> {
  const agent = agentOf(8);
  const random = new Random(11);
  const headers = { 'x-api-key': served.key };
  const body = () =>
    JSON.stringify({ rating: 'bad', comment: random.comment(), priority: 'high', tags: ['tag-1', 'tag-2'] });
  for (const concurrency of [1, 8]) {
    const best = await alternate(6, {
      bare: () => timeCalls(300, concurrency, () => post(agent, `${served.url}/bare`, body())),
      create: () =>
        timeCalls(300, concurrency, () =>
          post(
            agent,
            `${served.url}${EXECUTIONS}/bench-${random.below(2 ** 32)}-${Date.now()}/reviews`,
            body(),
            headers,
          ),
        ),
    });
    row(
      `create, ${concurrency} at a time: ${best.create.toFixed(3)} ms, bare insert behind Express ${best.bare.toFixed(3)} ms`,
      `${(best.create / best.bare).toFixed(2)} x bare`,
      '<= 2 x',
    );
  }
  agent.destroy();
}
