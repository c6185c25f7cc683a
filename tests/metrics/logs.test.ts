import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryPlan } from '../../src/core/analytics/events/query-plan.ts';
import type { EventStore } from '../../src/core/analytics/events/store.ts';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { createLog } from '../../src/logging/log.ts';
import { runInRequestContext } from '../../src/logging/request-context.ts';
import { instrumentStore, StoreNotices } from '../../src/metrics/event-store.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { EVENTS } from '../support/app.ts';
import { createKey, newDataDirectory, readyUrl, startProgram } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';

rareTest('createLog: a key never reaches the log, and request lines have their id', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const token = 'metrics-token-that-is-secret';
  const program = startProgram(t, ['serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'trace'], {
    environment: { AGENT_RUNTIME_METRICS_TOKEN: token },
  });
  const url = await readyUrl(program);
  const send = (path: string, headers: Record<string, string>, body?: unknown) =>
    fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then((response) => response.text());
  const authorized = { 'x-api-key': key };
  const call = (name: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { eventName: key, aggregation: 'count', agentId: key, apiKey: key } },
  });
  await send(`${EVENTS}/feed`, { authorization: `Bearer ${key}` });
  await send(`${EVENTS}/feed?agentId=${key}&apiKey=${key}`, authorized);
  await send(`/${key}?key=${key}`, { ...authorized, 'x-request-id': key, 'user-agent': key });
  await send(EVENTS, authorized, {
    events: [{ eventName: key, properties: { apiKey: key, [key]: key } }],
    apiKey: key,
  });
  await send(`${EVENTS}/query`, authorized, {
    eventName: key,
    filters: [{ propertyKey: key, operator: 'eq', value: key }],
  });
  await send('/mcp', authorized, call('aggregate_events'));
  await send('/mcp', authorized, { ...call('nothing'), method: key });
  await send('/metrics', { authorization: `Bearer ${token}` });
  await send(`/metrics`, { authorization: `Bearer ${token}`, forwarded: 'for=somebody' });
  const { stderr } = await program.end('SIGTERM');
  const [, , secret] = key.split('_');
  assert.ok(!stderr.includes(secret!), 'the secret of a key');
  assert.ok(!stderr.includes(token), 'the token for metrics');

  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  const parsed = lines.map((line) => JSON.parse(line) as { msg: string; requestId?: string; tool?: string });
  const requests = parsed.filter(({ msg }) => msg === 'request');
  assert.ok(requests.length >= 9 && requests.every(({ requestId }) => requestId !== undefined));
  const called = parsed.find(({ msg }) => msg === 'tool call');
  assert.equal(called?.tool, 'aggregate_events');
  assert.ok(requests.some(({ requestId }) => requestId === called.requestId));
});

test('createLog: passwords, tokens and new keys never reach the log', async (t) => {
  const dataDir = newDataDirectory(t);
  const program = startProgram(t, ['serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'trace']);
  const url = await readyUrl(program);
  const [, email, password] =
    /Portal user +(\S+)\n +Portal password +(\S+)\n/.exec(readFileSync(join(dataDir, 'first-run.txt'), 'utf8')) ?? [];
  const send = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, string>;
  };
  const wrong = 'a wrong password that somebody typed';
  const { token } = await send('POST', '/api/v1/portal/login', {}, { email, password });
  await send('POST', '/api/v1/portal/login', {}, { email, password: wrong });
  await send('POST', '/api/v1/portal/login', {}, { email: wrong, password, secret: password });
  await send('POST', `/api/v1/portal/login?password=${password}`, { 'x-request-id': token! }, [password]);
  const bearer = { authorization: `Bearer ${token}` };
  const { key } = await send('POST', '/api/v1/portal/keys', bearer, { label: 'x', scopes: ['*'] });
  await send('POST', `/api/v1/portal/keys/${key}/rotate`, bearer);
  await send('GET', `/api/v1/portal/${token}?token=${token}`, { ...bearer, 'user-agent': token! });
  await send('GET', `${EVENTS}/feed`, { 'x-api-key': token! });
  await send('GET', `${EVENTS}/feed`, { authorization: `Bearer ${token}x` });
  const { stderr } = await program.end('SIGTERM');
  const [, claims, signature] = token!.split('.');
  const [, , secret] = key!.split('_');
  const secrets = { password, wrong: encodeURIComponent(wrong), plain: wrong, token, claims, signature, secret };
  for (const [name, text] of Object.entries(secrets)) assert.ok(text && !stderr.includes(text), name);
  assert.match(stderr, /"path":"\/api\/v1\/portal\/eyJ[\w-]+\.\[redacted\]"/);
});

test('instrumentStore: a slow query is logged with tenant, kind and time only', async () => {
  const { log, lines } = capturedLog();
  const store = instrumentStore(
    storeThat(() => sleep(1_050)),
    new Metrics(),
    log,
  );
  const plan = {
    kind: 'aggregate',
    bucket: null,
    selection: { predicates: [{ value: 'a private value' }], eventNames: ['private_event'] },
  } as unknown as QueryPlan;
  await new Promise<void>((resolve, reject) => {
    runInRequestContext('request-1', () => void store.query('tenant-1', plan).then(() => resolve(), reject));
  });
  const [{ ms, time: _, ...line }] = lines() as [Record<string, unknown>];
  assert.deepEqual(line, {
    level: 'warn',
    requestId: 'request-1',
    tenantId: 'tenant-1',
    kind: 'aggregate',
    outcome: 'ok',
    msg: 'slow query',
  });
  assert.ok(Number(ms) >= 1_000 && lines().length === 1);
});

test('instrumentStore: records the outcome of a query', async () => {
  const metrics = new Metrics();
  const errors: [string, Error][] = [
    ['timeout', new RuntimeError('timeout', 'late')],
    ['refused', new RuntimeError('unprocessable', 'too large')],
    ['failed', new Error('defect')],
  ];
  for (const [, error] of errors) {
    const store = instrumentStore(
      storeThat(() => Promise.reject(error)),
      metrics,
      capturedLog().log,
    );
    await assert.rejects(store.query('tenant', { kind: 'funnel' } as QueryPlan), error);
  }
  const left = instrumentStore(
    storeThat(() => Promise.reject(new Error('left'))),
    metrics,
    capturedLog().log,
  );
  await assert.rejects(left.query('tenant', { kind: 'funnel' } as QueryPlan, AbortSignal.abort()));
  const outcomes = metrics.queries.samples().filter(({ metricName }) => metricName?.endsWith('_count'));
  assert.deepEqual(
    outcomes.map(({ labels }) => labels.outcome),
    [...errors.map(([outcome]) => outcome), 'aborted'],
  );
});

test('StoreNotices: a repeated failure is logged once a minute', () => {
  const { log, lines } = capturedLog();
  let now = 0;
  const notices = new StoreNotices(log, new Metrics(), () => now);
  const levels = () => lines().map(({ level, msg }) => `${level}: ${msg}`);
  for (; now < 150_000; now += 1_000) notices.fault(new Error('The disk is full.'));
  assert.deepEqual(levels(), ['error: event store', 'error: event store', 'error: event store']);
  assert.deepEqual([lines()[1]!.times, lines()[1]!.since], [60, new Date(0).toISOString()]);
  notices.notice({ kind: 'flushed', events: 1, ms: 5, freshnessMs: 10 });
  notices.notice({ kind: 'flushed', events: 1, ms: 5, freshnessMs: 10 });
  notices.notice({ kind: 'compacted', step: 'sort', events: 20, ms: 30 });
  notices.notice({ kind: 'compacted', step: 'merge', events: 20, ms: 3_000 });
  notices.notice({ kind: 'quarantined', events: 2 });
  assert.deepEqual(levels().slice(3), [
    'debug: flushed',
    'info: event store works again',
    'debug: flushed',
    'debug: events were sorted',
    'info: events were sorted',
    'warn: events were refused by the engine and set aside; see "Quarantine" in docs/operation.md',
  ]);
  const { events, file } = lines().at(-1)!;
  assert.deepEqual([events, file], [2, 'quarantine.ndjson']);
});

function capturedLog() {
  const written: string[] = [];
  const log = createLog('trace', { write: (line) => written.push(line) });
  return { log, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

/** A store with this `query`; nothing else is called. */
function storeThat(query: () => Promise<unknown>): EventStore {
  return { query } as unknown as EventStore;
}
