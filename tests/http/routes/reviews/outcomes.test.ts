import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDesk, REVIEWS, sharedApp } from './support.ts';

const at = (minute: number) => new Date(Date.parse('2026-03-12T10:00:00Z') + minute * 60_000).toISOString();

async function shop() {
  const desk = await newDesk();
  const { runtime } = await sharedApp();
  const ingest = async (events: object[]) => {
    await desk.right('POST', '/api/v1/runtime/v1/observability/events', { events });
    await runtime.eventStore.settle();
  };
  const run = async (id: string, rating: string, members: object = {}) => {
    await desk.record({ id, startedAt: at(0), output: 'x', ...members });
    await desk.review({ rating }, id);
  };
  const outcomes = async (query: string) => {
    const { ratings } = await desk.right('GET', `${REVIEWS}/outcomes?eventName=book_bought&${query}`);
    return ratings.map(({ converted, reviews }: { converted: number; reviews: number }) => `${converted}/${reviews}`);
  };
  return { ...desk, ingest, run, outcomes };
}

test('GET /reviews/outcomes: events that name it or follow in its thread', async () => {
  const { ingest, run, outcomes, review, right } = await shop();
  await run('named', 'good');
  await run('followed', 'good', { threadId: 'a' });
  await run('preceded', 'bad', { threadId: 'b' });
  await run('again', 'good', { threadId: 'b', startedAt: at(-20) });
  await run('nothing', 'bad', { threadId: 'c' });
  await review({ rating: 'needs_improvement' }, 'not recorded');
  const bought = (members: object) => ({ eventName: 'book_bought', timestamp: at(1), ...members });
  await ingest([
    bought({ executionId: 'named', timestamp: at(-60) }),
    bought({ executionId: 'not recorded' }),
    bought({ threadId: 'a', agentId: 'shop' }),
    bought({ threadId: 'a', timestamp: at(-60) }),
    bought({ threadId: 'b', timestamp: at(-10) }),
    { eventName: 'book_seen', threadId: 'c', timestamp: at(1) },
  ]);
  assert.deepEqual(await outcomes(''), ['3/3', '0/2', '1/1']);
  assert.deepEqual(await outcomes('agentId=nobody'), ['0/0', '0/0', '0/0']);
  assert.deepEqual(await outcomes('dateTo=2020-01-01'), ['0/0', '0/0', '0/0']);
  const answer = await right('GET', `${REVIEWS}/outcomes?eventName=never`);
  assert.deepEqual([answer.eventName, answer.isCut, answer.ratings[0].converted], ['never', false, 0]);
});

test('GET /reviews/outcomes: needs both scopes, and sees no other tenant', async () => {
  const { ingest, run, newKey, request } = await shop();
  await run('run', 'good', { threadId: 'a' });
  await ingest([{ eventName: 'book_bought', threadId: 'a' }]);
  const path = `${REVIEWS}/outcomes?eventName=book_bought`;
  for (const [scopes, status] of [
    [['reviews:read'], 403],
    [['events:read'], 403],
    [['reviews:read', 'events:read'], 200],
  ] as const) {
    const key = await newKey({ scopes: [...scopes] });
    assert.equal((await request('GET', path, undefined, { 'x-api-key': key })).status, status, scopes.join());
  }
  const other = await newDesk();
  const { ratings } = await other.right('GET', path);
  assert.deepEqual(ratings[0], { rating: 'good', reviews: 0, converted: 0 });
  const { status, body } = await other.request('GET', `${REVIEWS}/outcomes`);
  assert.deepEqual([status, /eventName/.test(body.message)], [400, true]);
});
