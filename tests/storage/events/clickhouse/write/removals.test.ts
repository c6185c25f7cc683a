import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { planTable } from '../../../../../src/core/analytics/events/questions/plan.ts';
import type { EventStore } from '../../../../../src/core/analytics/events/store.ts';
import { CONTEXT, storedEvent } from '../../../../contracts/event-store.ts';
import { tableQuestion } from '../../../../reference/questions.ts';
import { eventually } from '../../../../support/process.ts';
import { rareTest } from '../../../../support/rare.ts';
import { openNode, type Place, skip, useEngines } from '../places.ts';

const engines = useEngines();

type Answer = (statement: string, forward: (statement: string) => Promise<void>, response: ServerResponse) => unknown;

async function openBehind(
  t: TestContext,
  place: Place,
  answer: Answer,
  { observer = {}, onStatement = (_statement: string, _settings: URLSearchParams) => {} } = {},
) {
  const target = new URL(place.clickhouseUrl);
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    onStatement(String(body), new URL(request.url!, target.origin).searchParams);
    const forward = async (sent: Buffer | string) => {
      const answered = await fetch(new URL(request.url!, target.origin), { method: 'POST', body: sent });
      const code = answered.headers.get('x-clickhouse-exception-code');
      response.writeHead(answered.status, code === null ? {} : { 'x-clickhouse-exception-code': code });
      response.end(Buffer.from(await answered.arrayBuffer()));
    };
    if (/^ALTER TABLE \S+ DELETE/.test(String(body))) await answer(String(body), forward, response);
    else await forward(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const clickhouseUrl = `http://127.0.0.1:${port}${target.pathname}`;
  const store = await openNode({ ...place, clickhouseUrl }, {}, observer);
  t.after(async () => {
    await store.close();
    server.closeAllConnections();
    server.close();
  });
  return store;
}

function refuse(response: ServerResponse): void {
  response.writeHead(500, { 'x-clickhouse-exception-code': '62' });
  response.end('Code: 62. DB::Exception: Max query size exceeded. (SYNTAX_ERROR)');
}

async function count(store: EventStore): Promise<number> {
  return (await store.query('t', planTable(tableQuestion({ eventName: 'a', mode: 'aggregate' }), CONTEXT))).matched;
}

async function appendVisibly(store: EventStore, ...threads: (string | null)[]): Promise<void> {
  const events = threads.map((threadId) => storedEvent({ threadId }));
  const { receipt } = await store.append('t', events);
  assert.equal(await store.waitFor(receipt, 10_000), true);
}

rareTest('Remover: thousands of executions are erased in statements of bounded size', { skip }, async (t) => {
  const lengths: number[] = [];
  const store = await openBehind(t, await (await engines()).place(), (statement, forward) => {
    lengths.push(statement.length);
    return forward(statement);
  });
  const executionIds = Array.from({ length: 12_000 }, (_, index) => `${index}`.padStart(36, '0'));
  const stored = executionIds.filter((_, index) => index % 3_000 === 7);
  await store.append('t', [...stored.map((executionId) => storedEvent({ executionId })), storedEvent()]);
  assert.equal(await store.erase('t', { executionIds }), stored.length);
  assert.equal(await count(store), 1);
  assert.ok(lengths.length > 0 && Math.max(...lengths) < 262_144, String(lengths));
});

test('Remover: a removal that the engine refuses does not stop the others', { skip }, async (t) => {
  const faults: unknown[] = [];
  let isRefused = true;
  const store = await openBehind(
    t,
    await (await engines()).place(),
    (statement, forward, response) =>
      isRefused && statement.includes('refused') ? refuse(response) : forward(statement),
    { observer: { onFault: (error: unknown) => faults.push(error) } },
  );
  await appendVisibly(store, 'refused', 'x', 'y', null);
  const refused = store.erase('t', { threadId: 'refused' });
  assert.deepEqual(
    await Promise.all([store.erase('t', { threadId: 'x' }), store.erase('t', { threadId: 'y' })]),
    [1, 1],
  );
  assert.equal(await count(store), 2);
  await eventually('the refusal is reported', async () => faults.length > 0, 10_000);
  isRefused = false;
  assert.equal(await refused, 1);
  assert.equal(await count(store), 1);
});

test('Remover: its own statements may take longer than questions', { skip }, async (t) => {
  const limits: number[] = [];
  const onStatement = (statement: string, settings: URLSearchParams) => {
    if (/^SELECT .*tenant = /.test(statement)) limits.push(Number(settings.get('max_execution_time')));
  };
  const store = await openBehind(t, await (await engines()).place(), (sent, forward) => forward(sent), { onStatement });
  await appendVisibly(store, 'x', null);
  await store.erase('t', { threadId: 'x' });
  assert.ok(limits.length > 0 && Math.min(...limits) > 60, String(limits));
});

test('Remover: events become visible while the engine removes others', { skip }, async (t) => {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const store = await openBehind(t, await (await engines()).place(), async (statement, forward) => {
    reached.resolve();
    await released.promise;
    await forward(statement);
  });
  await appendVisibly(store, 'x', null);
  const erased = store.erase('t', { threadId: 'x' });
  await reached.promise;
  await appendVisibly(store, 'x', null);
  const later = store.erase('t', { threadId: 'nobody' });
  assert.equal(await later, 0);
  released.resolve();
  assert.equal(await erased, 1);
  assert.equal(await count(store), 3);
  const [known] = await store.knownEvents('t', null);
  assert.equal(known?.events, 3);
});

test('Remover: a mutation whose answer does not arrive is not started again', { skip }, async (t) => {
  const { clickhouse, place: newPlace } = await engines();
  const place = await newPlace();
  const run = (statement: string) => clickhouse.rows(place.clickhouseUrl, statement);
  let started = 0;
  const lost = Promise.withResolvers<void>();
  const store = await openBehind(t, place, async (statement, _, response) => {
    started += 1;
    // The engine of the tests answers one statement at a time.
    await run(statement.replace('mutations_sync = 2', 'mutations_sync = 0'));
    response.destroy();
    lost.resolve();
  });
  await appendVisibly(store, 'x', null);
  await run('SYSTEM STOP MERGES {database}.events');
  t.after(() => run('SYSTEM START MERGES {database}.events'));
  const erased = store.erase('t', { threadId: 'x' });
  await lost.promise;
  for (let flushes = 0; flushes < 5; flushes += 1) await appendVisibly(store, null);
  await run('SYSTEM START MERGES {database}.events');
  assert.equal(await erased, 1);
  assert.deepEqual([started, await count(store)], [1, 6]);
});

rareTest('Remover: the expiries of many tenants share a mutation', { skip }, async (t) => {
  const statements: string[] = [];
  const store = await openBehind(t, await (await engines()).place(), (statement, forward) => {
    statements.push(statement);
    return forward(statement);
  });
  const tenants = Array.from({ length: 20 }, (_, index) => `tenant ${index}`);
  await Promise.all(tenants.map((tenant) => store.append(tenant, [storedEvent({ timestamp: 1 }), storedEvent()])));
  await store.settle();
  assert.deepEqual(
    await Promise.all(tenants.map((tenant) => store.expire(tenant, 2))),
    tenants.map(() => 1),
  );
  assert.ok(statements.length <= 3, statements.join('\n'));
});
