import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause, quantile } from './events/measure.ts';
import type { Options } from './events/options.ts';
import { type Line, Report } from './events/report.ts';
import { bodyOf, EVENTS, queryable, type Sender, send } from './events/traffic.ts';
import { agentOf, get, post, serve } from './support.ts';

const SLOWER_MS = 100;
const OWN_EVENTS = 20_000;
const BATCH = 2_000;
const SECONDS_PER_SECOND = 5;
const V1 = '/api/v1/runtime/v1';
const EXECUTIONS = `${V1}/observability/executions`;

type Times = Record<string, number[]>;

/** Demanded percentiles in milliseconds; questions may also take twice what they take on the fast disk. */
const DEMANDED: Record<string, { p50?: number; p99?: number }> = {
  healthz: { p99: 60 },
  'read an execution': { p99: 80 },
  'question of another tenant': { p99: 250 },
  'write a batch': { p50: 350 },
  'write an execution': { p50: 350 },
  'write a file of knowledge': {},
};

/**
 * What small requests take while three clients write calmly, with each sync of a file as it is and
 * 100 ms slower. Needs gcc and Linux.
 */
export async function benchDisks({ seconds, rounds, json }: Options): Promise<void> {
  const report = new Report(json);
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
  const [fast, slow]: [Times, Times] = [{}, {}];
  try {
    const library = join(directory, 'slow-sync.so');
    execFileSync('gcc', ['-shared', '-fPIC', '-o', library, join(import.meta.dirname, 'slow-sync.c'), '-ldl']);
    for (let round = 0; round < rounds; round++) {
      await measure(fast, seconds * SECONDS_PER_SECOND, {});
      await measure(slow, seconds * SECONDS_PER_SECOND, { LD_PRELOAD: library, SLOW_MS: String(SLOWER_MS) });
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  report.table(
    'disks',
    `each sync ${SLOWER_MS} ms slower, ${rounds} rounds of ${seconds * SECONDS_PER_SECOND} s`,
    Object.keys(DEMANDED).flatMap((what) => lineOf(what, fast[what] ?? [], slow[what] ?? [])),
  );
}

function lineOf(what: string, fast: number[], slow: number[]): Line {
  const { p50, p99 } = DEMANDED[what]!;
  const values = {
    'fast p50': quantile(fast, 0.5),
    'fast p99': quantile(fast, 0.99),
    'slow p50': quantile(slow, 0.5),
    'slow p99': quantile(slow, 0.99),
    answers: slow.length,
  };
  if (p99 !== undefined) return { what, values, demanded: { of: 'slow p99', atMost: p99 } };
  return { what, values, ...(p50 !== undefined && { demanded: { of: 'slow p50', atMost: p50 } }) };
}

async function measure(times: Times, seconds: number, environment: Record<string, string>): Promise<void> {
  const server = await serve('product', undefined, environment);
  const sender = { agent: agentOf(32), url: server.url };
  const [busy, other] = (await server.ask<string[]>('tenants 2')) as [string, string];
  let receipt = '';
  for (let sent = 0; sent < OWN_EVENTS; sent += BATCH) receipt = await send(sender, other, bodyOf(BATCH, false));
  await queryable(sender, other, receipt);
  await postTo(sender, busy, EXECUTIONS, { id: 'run', messages: [{ role: 'user', content: 'Hello.' }] });
  await uploadTo(sender, busy);
  const until = performance.now() + seconds * 1_000;
  const each = async (what: string, everyMs: number, call: (count: number) => Promise<unknown>) => {
    times[what] ??= [];
    for (let count = 0; performance.now() < until; count++) {
      const started = performance.now();
      await call(count);
      times[what].push(performance.now() - started);
      await pause(everyMs);
    }
  };
  const messages = [{ role: 'user', content: 'Where is my order?' }];
  await Promise.all([
    each('write a batch', 100, () => send(sender, busy, bodyOf(10, true))),
    each('write an execution', 100, () => postTo(sender, busy, EXECUTIONS, { messages })),
    each('write a file of knowledge', 500, () => uploadTo(sender, busy)),
    each('healthz', 20, () => get(sender.agent, `${sender.url}/healthz`)),
    each('read an execution', 20, () => get(sender.agent, `${sender.url}${EXECUTIONS}/run`, { 'x-api-key': busy })),
    // Another question each time, so that no cached answer is measured.
    each('question of another tenant', 50, (count) => postTo(sender, other, `${EVENTS}/query`, questionOf(count))),
  ]);
  sender.agent.destroy();
  await server.stop();
}

function questionOf(count: number): object {
  const filters = [{ propertyKey: 'amount', operator: 'gt', value: -1 - count }];
  return { eventName: 'purchase_completed', mode: 'aggregate', groupBy: 'plan', filters };
}

function postTo({ agent, url }: Sender, key: string, path: string, body: object): Promise<string> {
  return post(agent, `${url}${path}`, JSON.stringify(body), { 'x-api-key': key });
}

let files = 0;

async function uploadTo({ url }: Sender, key: string): Promise<void> {
  const form = new FormData();
  form.set('vectorStore', 'notes');
  form.set('file', new Blob([`# Note\n\nThe note has the number ${++files}.`]), `note-${files}.md`);
  const answer = await fetch(`${url}${V1}/vectors/files/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: form,
  });
  if (!answer.ok) throw new Error(`the file was answered ${answer.status}: ${await answer.text()}`);
  await answer.text();
}
