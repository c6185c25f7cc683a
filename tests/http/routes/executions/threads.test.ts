import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../../../src/core/base/shared/caller.ts';
import { assertError, assertNames } from '../dashboards/support.ts';
import { COMMENT, type Desk, EXECUTIONS, newDesk, reviewsOf } from '../reviews/support.ts';

const OBSERVABILITY = '/api/v1/runtime/v1/observability';
const THREADS = `${OBSERVABILITY}/threads`;

const at = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`;

/** A total that takes too long is null. */
function assertTotal(total: number | null, expected: number): void {
  if (total !== null) assert.equal(total, expected);
}

/** Visible when it resolves. */
async function track({ right }: Desk, events: object[]): Promise<void> {
  const { receipt } = await right('POST', `${OBSERVABILITY}/events`, { events });
  await right('GET', `${OBSERVABILITY}/events/feed`, undefined, { 'x-wait-for': receipt });
}

/** A thread with everything, another, and one that events alone know. */
async function filledDesk(): Promise<Desk> {
  const desk = await newDesk();
  await desk.record({ id: 'a', threadId: 't1', userId: 'ada', cost: 0.1, startedAt: at(1), status: 'completed' });
  await desk.record({ id: 'b', threadId: 't1', cost: 0.2, startedAt: at(4), agentId: 'billing' });
  await desk.record({ id: 'c', threadId: 't2', userId: 'bob', startedAt: at(3) });
  await desk.record({ id: 'd', startedAt: at(9) });
  await track(desk, [
    { id: 'e1', eventName: 'order_paid', threadId: 't1', timestamp: at(4), properties: { amount: 1.5 } },
    { id: 'e2', eventName: 'ticket_opened', threadId: 't1', timestamp: at(2) },
    { id: 'e3', eventName: 'visit', threadId: 'events only', timestamp: at(5) },
  ]);
  await desk.review({ comment: COMMENT }, 'a');
  return desk;
}

const named = ({ items }: { items: { type: string; [type: string]: unknown }[] }) =>
  items.map(({ type, ...item }) => `${type} ${(item[type] as { id: string }).id}`);

test('GET /threads: the newest first, each with its own numbers', async () => {
  const { right } = await filledDesk();
  const { total, ...list } = await right('GET', THREADS);
  assertTotal(total, 2);
  assert.deepEqual(list, {
    threads: [
      { threadId: 't1', userId: 'ada', executions: 2, events: 2, cost: 0.3, firstAt: at(1), lastAt: at(4) },
      { threadId: 't2', userId: 'bob', executions: 1, events: 0, cost: null, firstAt: at(3), lastAt: at(3) },
    ],
    nextCursor: null,
  });
});

test('GET /threads: pages and filters', async () => {
  const { request, right } = await filledDesk();
  const first = await right('GET', `${THREADS}?limit=1`);
  assert.deepEqual([first.threads.length, first.threads[0].threadId], [1, 't1']);
  assertTotal(first.total, 2);
  const second = await right('GET', `${THREADS}?limit=1&cursor=${first.nextCursor}`);
  assert.deepEqual([second.threads[0].threadId, second.nextCursor], ['t2', null]);
  const found = async (query: string) =>
    (await right('GET', `${THREADS}?${query}`)).threads.map(({ threadId }: { threadId: string }) => threadId);
  assert.deepEqual(await found('userId=ada'), ['t1']);
  assert.deepEqual(await found('agentId=support'), ['t2', 't1'], 'by the newest execution that fits');
  assert.deepEqual(await found('agentId=*'), ['t1', 't2']);
  assert.deepEqual(await found(`dateTo=${at(3)}`), ['t1']);
  assert.deepEqual(await found(`dateFrom=${at(5)}`), []);
  assertNames(await request('GET', `${THREADS}?cursor=nonsense`), 'cursor');
  assertNames(await request('GET', `${THREADS}?threadId=t1`), 'threadId');
});

test('GET /threads/:threadId: executions, events and reviews in order', async () => {
  const { right } = await filledDesk();
  const thread = await right('GET', `${THREADS}/t1`);
  assert.deepEqual(
    [thread.threadId, thread.nextCursor, named(thread).slice(0, 4)],
    ['t1', null, ['execution a', 'event e2', 'execution b', 'event e1']],
  );
  assertTotal(thread.total, 5);
  const [execution, event, , , review] = thread.items;
  assert.equal(execution.at, at(1));
  const { executions } = await right('GET', `${EXECUTIONS}?threadId=t1`);
  assert.deepEqual(execution.execution, executions[1], 'a row of the list');
  assert.deepEqual(event, {
    type: 'event',
    at: at(2),
    event: {
      id: 'e2',
      eventName: 'ticket_opened',
      properties: {},
      threadId: 't1',
      executionId: null,
      timestamp: at(2),
    },
  });
  assert.deepEqual(review.review, await right('GET', `${OBSERVABILITY}/reviews/${review.review.id}`));
  assert.equal(review.at, review.review.createdAt);
});

test('GET /threads/:threadId: pages of any size give every item once, also at one time', async () => {
  const desk = await newDesk();
  const { right } = desk;
  for (let index = 0; index < 6; index += 1) {
    await desk.record({ id: `x${index}`, threadId: 't', startedAt: at(Math.floor(index / 3)) });
  }
  await track(
    desk,
    Array.from({ length: 6 }, (_, index) => ({
      id: `e${index}`,
      eventName: 'visit',
      threadId: 't',
      timestamp: at(index % 2),
    })),
  );
  for (const id of ['x0', 'x4']) await right('POST', reviewsOf(id), { rating: 'bad', comment: COMMENT });
  const all = named(await right('GET', `${THREADS}/t`));
  assert.equal(new Set(all).size, 14);
  assert.deepEqual(
    all.slice(0, 6).map((item) => item.split(' ')[0]),
    [...Array.from({ length: 3 }, () => 'execution'), ...Array.from({ length: 3 }, () => 'event')],
  );
  for (const limit of [1, 2, 3, 5, 13]) {
    const read: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await right('GET', `${THREADS}/t?limit=${limit}${cursor && `&cursor=${cursor}`}`);
      assert.ok(page.items.length <= limit);
      read.push(...named(page));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    assert.deepEqual(read, all, `${limit} a page`);
  }
});

test('GET /threads/:threadId: events alone are answered, an unknown one is 404', async () => {
  const { request, right } = await filledDesk();
  assert.deepEqual(named(await right('GET', `${THREADS}/events%20only`)), ['event e3']);
  assertError(await request('GET', `${THREADS}/nothing`), 404, 'Not Found');
  const { nextCursor } = await right('GET', `${THREADS}/t1?limit=1`);
  assert.deepEqual((await right('GET', `${THREADS}/nothing?cursor=${nextCursor}`)).items, []);
  const forged = Buffer.from(JSON.stringify(['event', 1, 2])).toString('base64url');
  assertNames(await request('GET', `${THREADS}/t1?cursor=${forged}`), 'cursor');
});

test('threads: events and reviews need their own scopes', async () => {
  const desk = await filledDesk();
  const withScopes = async (...scopes: Scope[]) => {
    const key = await desk.newKey({ scopes });
    return (path: string) => desk.request('GET', path, undefined, { 'x-api-key': key });
  };
  const reads = await withScopes('executions:read');
  const { body: list } = await reads(THREADS);
  assert.deepEqual(
    list.threads.map(({ events }: { events: unknown }) => events),
    [null, null],
  );
  const { body: bare } = await reads(`${THREADS}/t1`);
  assert.deepEqual(named(bare), ['execution a', 'execution b']);
  assertTotal(bare.total, 2);
  assertError(await reads(`${THREADS}/events%20only`), 404, 'Not Found');
  const { body: withEvents } = await (await withScopes('executions:read', 'events:read'))(`${THREADS}/t1`);
  assert.equal(withEvents.items.length, 4);
  assertTotal(withEvents.total, 4);
  const { body: withReviews } = await (await withScopes('executions:read', 'reviews:read'))(`${THREADS}/t1`);
  assert.equal(withReviews.items.length, 3);
  assertTotal(withReviews.total, 3);
  const lacks = await withScopes('events:read', 'reviews:read');
  for (const path of [THREADS, `${THREADS}/t1`]) assertError(await lacks(path), 403, 'Forbidden');
});

test('threads: another tenant has its own of the same name', async () => {
  const { right } = await filledDesk();
  const other = await newDesk();
  const { threads, total } = await other.right('GET', THREADS);
  assert.deepEqual(threads, []);
  assertTotal(total, 0);
  assertError(await other.request('GET', `${THREADS}/t1`), 404, 'Not Found');
  await other.record({ id: 'theirs', threadId: 't1' });
  assert.deepEqual(named(await other.right('GET', `${THREADS}/t1`)), ['execution theirs']);
  assert.equal((await right('GET', THREADS)).threads.length, 2);
});
