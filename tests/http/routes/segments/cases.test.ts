import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS } from '../../../support/app.ts';
import { answerOf } from '../../../tools/support.ts';
import { CARDS } from '../dashboards/support.ts';
import { sharedApp, type Workspace, workspace } from '../metrics/support.ts';

const OBSERVABILITY = '/api/v1/runtime/observability';
const CASES = `${OBSERVABILITY}/cases`;
const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
const REVIEWS = '/reviews';
const PAID = {
  eventName: 'paid',
  aggregation: 'sum',
  propertyKey: 'amount',
  dateFrom: '2026-03-01',
  dateTo: '2026-03-07',
};

/** Two paid in one thread, one in another; the thread has a recorded execution that no event names. */
async function shop(): Promise<Workspace> {
  const one = await workspace();
  const paid = (threadId: string, executionId: string | undefined, plan: string, day: number) => ({
    id: `paid ${day}`,
    eventName: 'paid',
    timestamp: `2026-03-0${day}T12:00:00Z`,
    threadId,
    executionId,
    properties: { amount: day, plan },
  });
  const events = [paid('t1', 'run 1', 'pro', 1), paid('t1', undefined, 'free', 2), paid('t2', 'run 2', 'pro', 3)];
  await (await sharedApp()).ingest([...events, { ...paid('t3', 'run 3', 'pro', 9), id: 'later' }], one.key);
  for (const id of ['run 1', 'unnamed'])
    await one.request('POST', EXECUTIONS, { id, threadId: 't1', messages: [], output: 'done' });
  return one;
}

function hoursAhead(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}

async function toolsOf({ newKey }: Workspace, scopes: Parameters<Workspace['newKey']>[0] = ['mcp:read']) {
  const client = await (await sharedApp()).mcpClient(await newKey(scopes));
  return async (name: string, args: object) =>
    answerOf(await client.callTool({ name, arguments: args as Record<string, unknown> }));
}

test('Cases: the handle of a number lists its events, threads and executions', async () => {
  const one = await shop();
  const call = await toolsOf(one);
  const { data } = await call('aggregate_events', PAID);
  assert.deepEqual([data.value, data.basis.matchedEvents], [6, 3]);
  const { status, body } = await one.request('GET', `${CASES}/${data.basis.cases}?limit=2`);
  assert.equal(status, 200);
  assert.deepEqual(
    body.events.map(({ id }: { id: string }) => id),
    ['paid 3', 'paid 2'],
  );
  assert.deepEqual(Object.keys(body.events[0]), [
    'id',
    'eventName',
    'properties',
    'threadId',
    'executionId',
    'timestamp',
  ]);
  const { events: _, ...rest } = body;
  const ofT1 = { threadId: 't1', events: 2, executionIds: rest.threads[0].executionIds };
  assert.deepEqual(new Set(ofT1.executionIds), new Set(['run 1', 'unnamed']));
  assert.deepEqual(rest, {
    total: 3,
    threads: [ofT1, { threadId: 't2', events: 1, executionIds: [] }],
    totalThreads: 2,
    executions: [
      { executionId: 'run 1', events: 1 },
      { executionId: 'run 2', events: 1 },
    ],
    totalExecutions: 2,
  });
  const next = await one.request('GET', `${CASES}/${data.basis.cases}?limit=2&offset=2`);
  assert.deepEqual(
    next.body.events.map(({ id }: { id: string }) => id),
    ['paid 1'],
  );
});

test('Cases: tables take a handle, with filters and groups beside it', async () => {
  const one = await shop();
  const call = await toolsOf(one);
  const { cases } = (await call('aggregate_events', PAID)).data.basis;
  const rows = (await call('query_events', { cases, columns: ['id', 'plan'], sortOrder: 'asc' })).data;
  assert.deepEqual(rows.rows, [
    { id: 'paid 1', plan: 'pro' },
    { id: 'paid 2', plan: 'free' },
    { id: 'paid 3', plan: 'pro' },
  ]);
  assert.deepEqual([rows.basis.from, rows.basis.to], ['2026-03-01T00:00:00.000Z', '2026-03-08T00:00:00.000Z']);
  const filters = [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }];
  const grouped = await one.request('POST', `${EVENTS}/query`, {
    cases,
    filters,
    mode: 'aggregate',
    groupBy: 'threadId',
  });
  assert.deepEqual(grouped.body.rows, [
    { threadId: 't1', count: 1 },
    { threadId: 't2', count: 1 },
  ]);
  const both = await one.request('POST', `${EVENTS}/query`, { cases, eventName: 'paid', dateFrom: '-7d' });
  assert.deepEqual(
    [both.status, both.body.message],
    [400, ['cases: has its own eventName, dateFrom: leave them out, or leave out cases']],
  );
  const neither = await one.request('POST', `${EVENTS}/query`, { columns: ['id'] });
  assert.deepEqual([neither.status, neither.body.message], [400, ['eventName: is required']]);
});

test('Cases: those of a range that goes on do not grow with later events', async () => {
  const one = await shop();
  const call = await toolsOf(one);
  const asked = { eventName: 'paid', aggregation: 'count' };
  const { basis } = (await call('aggregate_events', asked)).data;
  assert.equal(basis.matchedEvents, 4);
  await (await sharedApp()).ingest([{ eventName: 'paid' }], one.key);
  assert.equal((await call('aggregate_events', asked)).data.value, 5);
  assert.equal((await one.request('GET', `${CASES}/${basis.cases}`)).body.total, 4);
});

test('Cases: those of a range without events that ends in the future stay none', async () => {
  const one = await shop();
  const call = await toolsOf(one);
  const asked = { eventName: 'refunded', aggregation: 'count', dateTo: '9999-12-31' };
  const { basis } = (await call('aggregate_events', asked)).data;
  await (await sharedApp()).ingest([{ eventName: 'refunded', timestamp: hoursAhead(1) }], one.key);
  assert.equal((await call('aggregate_events', asked)).data.value, 1);
  const { status, body } = await one.request('GET', `${CASES}/${basis.cases}`);
  assert.deepEqual([status, body.total], [200, 0]);
});

test('Cases: cards, explanations and tables of groups have a handle, single rows none', async () => {
  const one = await shop();
  const call = await toolsOf(one);
  const totalOf = async (cases: string) => (await one.request('GET', `${CASES}/${cases}`)).body.total;
  const config = { eventName: 'paid', aggregation: 'count', dateFrom: PAID.dateFrom, dateTo: PAID.dateTo };
  for (const cardType of ['number', 'line', 'bar']) {
    const { body } = await one.request('POST', `${CARDS}/preview`, { title: 'Paid', cardType, config });
    assert.equal(await totalOf(body.basis.cases), 3, cardType);
  }
  assert.equal(await totalOf((await call('explain_change', PAID)).data.basis.cases), 3);
  const steps = [{ eventName: 'paid' }, { eventName: 'paid' }];
  const { eventName: _, aggregation: __, ...range } = config;
  const funnel = { title: 'Paid', cardType: 'funnel', config: { ...range, steps, windowSeconds: 60 } };
  assert.equal(await totalOf((await one.request('POST', `${CARDS}/preview`, funnel)).body.basis.cases), 3, 'funnel');
  const { dateFrom, dateTo, eventName } = PAID;
  const table = { eventName, dateFrom, dateTo };
  assert.equal(await totalOf((await call('query_events', { ...table, mode: 'aggregate' })).data.basis.cases), 3);
  assert.equal((await call('query_events', table)).data.basis.cases, undefined);
});

test('Cases: of a metric, and of a segment, they stay what they were when it changes', async () => {
  const one = await shop();
  const call = await toolsOf(one);
  const formula = {
    expression: 'pro / all_paid',
    parts: {
      pro: {
        eventName: 'paid',
        aggregation: 'count',
        filters: [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }],
      },
      all_paid: { eventName: 'paid', aggregation: 'count' },
    },
  };
  await one.approved({ name: 'pro_share', title: 'Share of pro', formula });
  const segment = { name: 'buyers', by: 'threadId', conditions: [{ eventName: 'paid', atLeast: 2 }] };
  await one.request('POST', `${OBSERVABILITY}/segments`, segment);
  const asked = { metric: 'pro_share', segment: 'buyers', dateFrom: '2026-03-01', dateTo: '2026-03-09' };
  const { data } = await call('aggregate_events', asked);
  assert.deepEqual([data.value, data.basis.matchedEvents], [0.5, 2]);
  await one.request('DELETE', `${OBSERVABILITY}/segments/buyers`);
  await one.request('DELETE', `${OBSERVABILITY}/metrics/pro_share`);
  const { body } = await one.request('GET', `${CASES}/${data.basis.cases}`);
  assert.deepEqual([body.total, body.totalThreads], [2, 1]);
});

test('Cases: events after the answer add no subject to its segment', async () => {
  const one = await shop();
  const call = await toolsOf(one);
  await one.request('POST', `${OBSERVABILITY}/segments`, {
    name: 'repeat_buyers',
    by: 'threadId',
    conditions: [{ eventName: 'paid', atLeast: 2 }],
  });
  const { basis } = (await call('aggregate_events', { ...PAID, segment: 'repeat_buyers' })).data;
  assert.equal(basis.matchedEvents, 2);
  await (await sharedApp()).ingest([{ eventName: 'paid', threadId: 't2', timestamp: hoursAhead(1) }], one.key);
  assert.equal((await call('aggregate_events', { ...PAID, segment: 'repeat_buyers' })).data.basis.matchedEvents, 3);
  assert.equal((await one.request('GET', `${CASES}/${basis.cases}`)).body.total, 2);
  const table = (await call('query_events', { cases: basis.cases, mode: 'aggregate' })).data;
  assert.deepEqual([table.rows, table.basis.matchedEvents], [[{ count: 2 }], 2]);
  assert.ok(table.basis.segment.conditions[0].to <= new Date().toISOString(), 'the basis says where they end');
  assert.equal((await one.request('GET', `${CASES}/${table.basis.cases}`)).body.total, 2);
});

test('Cases: a broken handle is a 400 that says what to send', async () => {
  const one = await shop();
  const { cases } = (await (await toolsOf(one))('aggregate_events', PAID)).data.basis;
  const says = 'is not a handle, or not a whole one; send basis.cases of an answer as it is';
  for (const broken of [cases.slice(0, -1), 'abc', `${cases}A`, encodeURIComponent('../events')]) {
    const answer = await one.request('GET', `${CASES}/${broken}`);
    assert.deepEqual([answer.status, answer.body.message], [400, [`handle: ${says}`]], broken);
  }
  const refused = await one.request('POST', `${EVENTS}/query`, { cases: 'abc' });
  assert.deepEqual([refused.status, refused.body.message], [400, [`cases: ${says}`]]);
});

test('Cases: a handle gives no right: not to other tenants, not without scopes', async () => {
  const [one, other] = [await shop(), await workspace()];
  const { cases } = (await (await toolsOf(one))('aggregate_events', PAID)).data.basis;
  assert.equal((await other.request('GET', `${CASES}/${cases}`)).body.total, 0);
  const writer = { 'x-api-key': await one.newKey(['events:write']) };
  assert.equal((await one.request('GET', `${CASES}/${cases}`, undefined, writer)).status, 403);
  assert.equal((await one.request('GET', `${CASES}/${cases}`, undefined, { 'x-api-key': 'none' })).status, 401);
});

test('Cases: those of a question about reviews need the right to read reviews', async () => {
  const one = await shop();
  const reviewed = await one.request('POST', `${EXECUTIONS}/${encodeURIComponent('run 1')}${REVIEWS}`, {
    rating: 'good',
    comment: 'Well done, and quickly',
  });
  assert.equal(reviewed.status, 201, JSON.stringify(reviewed.body));
  const call = await toolsOf(one, ['mcp:read', 'reviews:read']);
  const { basis } = (await call('aggregate_events', { ...PAID, review: { rating: ['good'] } })).data;
  assert.equal(basis.matchedEvents, 1);
  const path = `${CASES}/${basis.cases}`;
  assert.equal((await one.request('GET', path)).body.total, 1);
  const reader = { 'x-api-key': await one.newKey(['events:read']) };
  assert.equal((await one.request('GET', path, undefined, reader)).status, 403);
});
