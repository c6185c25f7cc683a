import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Metrics } from '../../src/metrics/metrics.ts';
import { EVENTS, type TestApp, testApp } from '../support/app.ts';
import { heldEmbedder } from '../support/held-embedder.ts';
import { accepted, ended } from '../support/knowledge.ts';
import { eventually } from '../support/process.ts';
import { appOfThisFile } from '../support/shared.ts';

const shared = appOfThisFile({ rateLimit: 0 });
const TOKEN = 'a-token-for-prometheus';

test('metrics: ingest, queries, tool calls and flushes are counted', async () => {
  const app = await shared();
  const before = await scrape(app);
  await app.ingest([{ eventName: 'seen', id: 'one' }, { eventName: 'seen' }]);
  await app.ingest([{ eventName: 'seen', id: 'one' }]);
  await app.request('POST', `${EVENTS}?partial=true`, { events: [{ eventName: 'seen' }, { eventName: '' }] });
  await app.request('POST', EVENTS, { events: [{ eventName: 7 }] });
  await app.request('POST', `${EVENTS}/query`, { eventName: 'seen' });
  await app.request('POST', `${EVENTS}/query`, { eventName: 'seen', mode: 'aggregate' });
  await app.request('GET', `${EVENTS}/feed`);
  const client = await app.mcpClient();
  await client.callTool({ name: 'aggregate_events', arguments: { eventName: 'seen', aggregation: 'count' } });
  await client.callTool({ name: 'aggregate_events', arguments: { eventName: 'seen', aggregation: 'most' } });
  const after = await scrape(app);
  const grown = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);

  assert.equal(grown('agent_runtime_ingested_events_total{outcome="accepted"}'), 3);
  assert.equal(grown('agent_runtime_ingested_events_total{outcome="duplicate"}'), 1);
  assert.equal(grown('agent_runtime_ingested_events_total{outcome="rejected"}'), 2);
  assert.equal(grown('agent_runtime_ingested_batches_total'), 2);
  assert.ok(grown('agent_runtime_flushed_events_total') >= 2);
  assert.ok(grown('agent_runtime_flush_duration_seconds_count') >= 1);
  assert.ok(grown('agent_runtime_freshness_seconds_count') >= 1);
  assert.equal(grown('agent_runtime_query_duration_seconds_count{kind="raw",outcome="ok"}'), 1);
  assert.equal(grown('agent_runtime_query_duration_seconds_count{kind="feed",outcome="ok"}'), 1);
  assert.equal(grown('agent_runtime_query_duration_seconds_count{kind="aggregate",outcome="ok"}'), 2);
  const tool = (outcome: string) =>
    `agent_runtime_tool_call_duration_seconds_count{tool="aggregate_events",outcome="${outcome}"}`;
  assert.equal(grown(tool('ok')), 1);
  assert.equal(grown(tool('refused')), 1);
  const ingests = (status: number) =>
    `agent_runtime_http_request_duration_seconds_count{method="POST",route="${EVENTS}",status="${status}"}`;
  assert.equal(grown(ingests(202)), 3);
  assert.equal(grown(ingests(400)), 1);
  assert.equal(after.get('agent_runtime_backlog_limit_bytes'), 256 * 1024 * 1024);
  assert.equal(after.get('agent_runtime_flush_failing_seconds'), 0);
  assert.ok(after.get('agent_runtime_store_disk_bytes{file="events"}')! > 0);
  assert.ok(after.get('process_resident_memory_bytes')! > 0);
  assert.ok(after.has('nodejs_eventloop_lag_p99_seconds'));
});

test('metrics: two hundred random paths, methods and names add no series', async () => {
  const app = await shared();
  await app.request('GET', '/nowhere');
  await app.request('DELETE', '/nowhere');
  await app.request('GET', '/api/v1/runtime/observability/dashboard-cards/0');
  // Node.js adds garbage-collection series as they occur.
  const ours = async () =>
    [...(await scrape(app)).keys()].filter((series) => series.startsWith('agent_runtime_')).length;
  const before = await ours();
  for (let round = 0; round < 200; round++) {
    const random = Math.random().toString(36).slice(2);
    const path = round % 2 ? `/${random}` : `/api/v1/runtime/observability/dashboard-cards/${random}`;
    await app.request(round % 4 === 1 ? 'DELETE' : 'GET', path);
  }
  assert.equal(await ours(), before);
});

test('metrics: ingestion jobs are counted, and a scrape creates no database', async (t) => {
  const { url: embeddingUrl, letGo } = await heldEmbedder(t);
  const app = await testApp(t, { embedder: 'compatible/held', embeddingUrl, ingestThreads: 1 });
  const queue = async () => {
    const series = await scrape(app);
    return ['queued', 'processing'].map((status) => series.get(`agent_runtime_ingestion_jobs{status="${status}"}`));
  };
  assert.deepEqual(await queue(), [0, 0]);
  assert.ok(!existsSync(join(app.runtime.config.dataDir, 'knowledge.sqlite')));

  const jobs = [];
  for (const name of ['one.md', 'two.md', 'three.md']) jobs.push(await accepted(app, { name, content: `A ${name}.` }));
  await eventually('one is being ingested', async () => (await queue()).join() === '2,1', 10_000);
  letGo();
  for (const jobId of jobs) await ended(app, jobId);
  assert.deepEqual(await queue(), [0, 0]);
});

test('metrics: no label holds a tenant, an agent, an event name or a property', async () => {
  const app = await shared();
  await app.ingest([{ eventName: 'very_private_event', properties: { very_private_key: 'very private' } }]);
  await app.request('POST', `${EVENTS}/query`, { eventName: 'very_private_event', columns: ['very_private_key'] });
  const text = await (await fetch(`${app.url}/metrics`)).text();
  assert.doesNotMatch(text, /very.private/);
  assert.ok(!text.includes(app.tenantId) && !text.includes('support'));
});

test('GET /metrics: local requests need no key; the response is uncached text', async () => {
  const app = await shared();
  const { status, headers } = await app.request('GET', '/metrics', undefined, { authorization: 'Bearer wrong' });
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/plain; ?version=0\.0\.4/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal((await app.request('POST', '/metrics', {})).status, 405);
});

test('GET /metrics: a browser gets the page of that path, whatever it may scrape', async () => {
  const app = await shared();
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'x-forwarded-for': '203.0.113.5' };
  const page = await fetch(`${app.url}/metrics`, { headers });
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  const accept = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1';
  const scraped = await fetch(`${app.url}/metrics`, { headers: { accept } });
  assert.match(scraped.headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal(scraped.headers.get('vary'), 'Accept');
});

test('GET /metrics: a request that a proxy forwards is not local', async () => {
  const app = await shared();
  for (const header of ['x-forwarded-for', 'forwarded']) {
    const { status, body } = await app.request('GET', '/metrics', undefined, { [header]: '127.0.0.1' });
    assert.deepEqual([status, body.statusCode, body.error], [403, 403, 'Forbidden']);
  }
});

test('GET /metrics: another machine needs the token', async (t) => {
  const address = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (address === undefined) return t.skip('this machine has no address but loopback');
  const [open, guarded] = await Promise.all([
    testApp(t, { host: '0.0.0.0' }),
    testApp(t, { host: '0.0.0.0', metricsToken: TOKEN }),
  ]);
  const ask = (app: TestApp, authorization?: string) =>
    fetch(`http://${address}:${new URL(app.url).port}/metrics`, { headers: authorization ? { authorization } : {} });
  const refused = await ask(open, `Bearer ${TOKEN}`);
  assert.equal(refused.status, 403);
  assert.match(((await refused.json()) as { message: string }).message, /AGENT_RUNTIME_METRICS_TOKEN/);
  for (const authorization of [undefined, 'Bearer wrong', TOKEN, `Basic ${TOKEN}`]) {
    const answer = await ask(guarded, authorization);
    assert.equal(answer.status, 401);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
  assert.equal((await ask(guarded, `Bearer ${TOKEN}`)).status, 200);
  assert.equal((await fetch(`${guarded.url}/metrics`)).status, 200, 'loopback stays open');
});

/** Every series of /metrics with its value. */
async function scrape(app: TestApp): Promise<Map<string, number>> {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

const PAGE = readFileSync(new URL('../../docs/operation.md', import.meta.url), 'utf8');

test("docs/operation.md: the table of metrics is the program's", () => {
  const rows = [...PAGE.matchAll(/^\| `agent_runtime_\w+` \|.*$/gm)].map(([row]) => row);
  const expected = new Metrics().recorders.map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  assert.deepEqual(rows, expected);
});

test('metrics: names follow the Prometheus conventions', () => {
  for (const { name, type, help } of new Metrics().recorders) {
    assert.match(name, /^agent_runtime_[a-z][a-z_]*[a-z]$/);
    assert.equal(name.endsWith('_total'), type === 'counter', name);
    if (type === 'histogram') assert.match(name, /_seconds$/);
    assert.match(help, /^[A-Z].*\.$/);
  }
});
