import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from './events/measure.ts';
import type { Options } from './events/options.ts';
import { type Line, Report } from './events/report.ts';
import { EVENTS, makeEvent, seeded } from './events/traffic.ts';
import { cpuSeconds, ROOT, type Server, withServer } from './served.ts';

const IMPORTED_SHARE = 0.1;
const SAMPLE_MS = 50;
/** Until the engine has sorted what came last, and given memory back. */
const REST_SECONDS = 40;
const POINTS = 30;
const EVENTS_PER_SECOND = 50;
const REQUESTS_PER_SECOND = 6;
const V1 = '/api/v1/runtime/v1';
const EXECUTIONS = '/v1/observability/executions';

/**
 * Anonymous memory of a server: while a tenth of --rows events are imported at full speed, after it, and for --minutes
 * in a calm workspace. With --against, both checkouts in turns. Linux only.
 */
export async function benchFootprint({ rows, rounds, minutes, against, json }: Options): Promise<void> {
  const report = new Report(json);
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
  try {
    const events = Math.round(rows * IMPORTED_SHARE);
    const file = await writeEvents(join(directory, 'events.ndjson'), events);
    const imports: Line[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const root of [...(against === null ? [] : [against]), ROOT]) {
        imports.push(await importing(report, root, file));
      }
    }
    report.table('footprint', `importing ${events.toLocaleString('en-US')} events`, imports);
    report.table('footprint', `a calm workspace, ${minutes} minutes`, [await calm(report, minutes)]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function writeEvents(path: string, count: number): Promise<string> {
  const random = seeded(7);
  const first = Date.now() - count * 1_000;
  const file = createWriteStream(path);
  for (let index = 0; index < count; index++) {
    const timestamp = new Date(first + index * 1_000).toISOString();
    const isFull = !file.write(`${JSON.stringify({ ...makeEvent(random), id: `event-${index}`, timestamp })}\n`);
    if (isFull) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return path;
}

async function importing(report: Report, root: string, file: string): Promise<Line> {
  let line: Line | undefined;
  const use = async ({ child, dataDir }: Server) => {
    await pause(2_000);
    const curve = sampling(child);
    const [started, cpu] = [performance.now(), cpuSeconds(child)];
    const importer = spawn(
      process.execPath,
      [join(root, 'bin/agent-runtime.js'), 'import', file, '--data-dir', dataDir],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const [code] = await once(importer, 'exit');
    if (code !== 0) throw new Error(`import ended with ${code}`);
    const values = { seconds: (performance.now() - started) / 1_000, 'CPU s': cpuSeconds(child) - cpu };
    await pause(REST_SECONDS * 1_000);
    const samples = curve.end();
    report.progress(`${root}: ${shown(samples)} MB`);
    const demanded = { of: 'peak MB', atMost: 700 };
    line = {
      what: root,
      values: { 'peak MB': Math.max(...samples), 'at rest MB': samples.at(-1)!, ...values },
      demanded,
    };
  };
  await withServer(use, root);
  return line!;
}

/** Events and requests of all kinds, at a pace that leaves the server idle most of the time. */
async function calm(report: Report, minutes: number): Promise<Line> {
  let line: Line | undefined;
  await withServer(async (server) => {
    await upload(server);
    await server.send(EXECUTIONS, { id: 'first', messages: [{ role: 'user', content: 'Hello.' }] });
    const curve = sampling(server.child);
    const random = seeded(11);
    const until = performance.now() + minutes * 60_000;
    const each = async (perSecond: number, call: (count: number) => Promise<unknown>) => {
      for (let count = 0; performance.now() < until; count++) {
        const started = performance.now();
        await call(count);
        await pause(Math.max(0, 1_000 / perSecond - (performance.now() - started)));
      }
    };
    const batch = EVENTS_PER_SECOND / 5;
    await Promise.all([
      each(5, () =>
        server.send('/v1/observability/events', { events: Array.from({ length: batch }, () => makeEvent(random)) }),
      ),
      each(REQUESTS_PER_SECOND, (count) => REQUESTS[count % REQUESTS.length]!(server, count)),
    ]);
    const samples = curve.end();
    report.progress(`${shown(samples)} MB`);
    const third = samples.slice(-Math.ceil(samples.length / 3));
    const values = {
      'peak MB': Math.max(...samples),
      'after a third MB': samples[Math.floor(samples.length / 3)]!,
      'at the end MB': third.reduce((sum, one) => sum + one, 0) / third.length,
    };
    line = { what: '50 events/s, 6 requests/s', values, demanded: { of: 'peak MB', atMost: 350 } };
  });
  return line!;
}

type Request = (server: Server, count: number) => Promise<unknown>;

const question: Request = ({ send }, count) =>
  send('/v1/observability/events/query', {
    eventName: 'purchase_completed',
    mode: 'aggregate',
    groupBy: ['plan', 'country'][count % 2],
    metrics: [{ aggregation: 'sum', propertyKey: 'amount', alias: 'revenue' }],
    filters: [{ propertyKey: 'amount', operator: 'gt', value: count % 500 }],
  });

const REQUESTS: Request[] = [
  question,
  ({ send }) =>
    send(EXECUTIONS, { messages: [{ role: 'user', content: 'Where is my order?' }], output: 'On its way.' }),
  (server) => fetched(server, `${EVENTS}/feed?limit=50`),
  ({ send }) => send('/v1/vectors/stores/manual/search', { query: 'repair the machine' }),
  (server) => fetched(server, `${V1}/observability/executions/first`),
  ({ url, key }, count) =>
    posted(`${url}/mcp`, key, {
      jsonrpc: '2.0',
      id: count,
      method: 'tools/call',
      params: { name: 'query_events', arguments: { eventName: 'page_viewed', mode: 'aggregate', groupBy: 'country' } },
    }),
];

async function fetched({ url, key }: Server, path: string): Promise<void> {
  const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  await response.text();
}

async function posted(url: string, key: string, body: object): Promise<void> {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  await response.text();
}

async function upload({ url, key }: Server): Promise<void> {
  const form = new FormData();
  form.set('vectorStore', 'manual');
  const lines = Array.from(
    { length: 5_000 },
    (_, index) => `Step ${index}: how to repair part ${index % 97} of the machine.`,
  );
  form.set('file', new Blob([lines.join('\n\n')]), 'manual.md');
  const response = await fetch(`${url}${V1}/vectors/files/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: form,
  });
  if (!response.ok) throw new Error(`the file was answered ${response.status}: ${await response.text()}`);
}

function sampling(child: ChildProcess) {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(anonymousMegabytes(child)), SAMPLE_MS);
  child.once('exit', () => clearInterval(timer));
  return {
    end: () => {
      clearInterval(timer);
      return samples;
    },
  };
}

/** The largest of each part of the time. */
function shown(samples: number[]): string {
  const length = Math.ceil(samples.length / POINTS);
  const parts = Array.from({ length: Math.ceil(samples.length / length) }, (_, part) =>
    Math.round(Math.max(...samples.slice(part * length, (part + 1) * length))),
  );
  return parts.join(' ');
}

function anonymousMegabytes({ pid }: ChildProcess): number {
  const [, kilobytes] = /RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) * 1_024) / 1e6;
}
