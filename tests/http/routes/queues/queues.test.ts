import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../../../src/core/base/shared/caller.ts';
import { newDesk } from '../reviews/support.ts';

const QUEUES = '/api/v1/runtime/v1/observability/queues';

test('POST /queues/:name/next: the oldest first, the same again, then done', async () => {
  const desk = await newDesk();
  const at = (minute: number) => `2026-03-01T12:0${minute}:00.000Z`;
  await desk.record({ id: 'b', startedAt: at(2), output: 'x' });
  await desk.record({ id: 'a', startedAt: at(1), output: 'x' });
  const made = await desk.right('POST', QUEUES, { name: 'all', title: 'All' });
  assert.deepEqual([made.name, made.assessors, made.filters, made.people], ['all', 1, {}, []]);
  const next = () => desk.right('POST', `${QUEUES}/all/next`);
  const first = await next();
  assert.equal(first.item.executionId, 'a');
  assert.deepEqual([first.waiting, first.done], [2, 0]);
  assert.equal((await next()).item.executionId, 'a');
  const done = await desk.right('POST', `${QUEUES}/all/items/a/done`);
  assert.deepEqual(done, { item: null, waiting: 1, done: 1 });
  await desk.record({ id: 'c', startedAt: at(0), output: 'x' });
  assert.equal((await next()).item.executionId, 'c', 'recorded later, and older');
  await desk.right('POST', `${QUEUES}/all/items/c/skip`);
  assert.equal((await next()).item.executionId, 'b');
  await desk.right('POST', `${QUEUES}/all/items/b/done`);
  assert.deepEqual(await next(), { item: null, waiting: 1, done: 2 });
  const { people } = await desk.right('GET', `${QUEUES}/all`);
  assert.deepEqual(
    people.map(({ type, label, done: finished, skipped }: never) => [type, label, finished, skipped]),
    [['key', 'test', 2, 1]],
  );
});

test('Queues: without all its scopes a change is 403, and nothing is written', async () => {
  const desk = await newDesk();
  await desk.record({ id: 'a', threadId: 't', output: 'x' });
  await desk.right('POST', QUEUES, { name: 'mine' });
  const outcome = { eventName: 'refund' };
  await desk.right('POST', QUEUES, { name: 'followed', outcome });
  const by = async (scopes: Scope[], ...[method, path, body]: [string, string, object]) =>
    desk.request(method, path, body, { 'x-api-key': await desk.newKey({ scopes }) });
  const lacks = async (scope: string, asked: ReturnType<typeof by>) => {
    const { status, body } = await asked;
    assert.deepEqual([status, String(body.message).includes(scope)], [403, true], String(body.message));
  };
  const before = await desk.right('GET', QUEUES);
  const writes: Scope[] = ['reviews:write'];
  const reads: Scope[] = [...writes, 'executions:read'];
  await lacks('executions:read', by(writes, 'POST', QUEUES, { name: 'new', filters: { search: 'x' } }));
  await lacks('executions:read', by(writes, 'PATCH', `${QUEUES}/mine`, { filters: { search: 'x' } }));
  await lacks('events:read', by(reads, 'POST', QUEUES, { name: 'new', outcome }));
  await lacks('events:read', by(reads, 'PATCH', `${QUEUES}/mine`, { outcome }));
  await lacks('events:read', by(reads, 'PATCH', `${QUEUES}/followed`, { filters: { threadId: 't' } }));
  assert.deepEqual(await desk.right('GET', QUEUES), before, 'nothing was written');
  const made = await by(reads, 'POST', QUEUES, { name: 'new' });
  assert.deepEqual([made.status, made.body.waiting], [201, 1]);
  const changed = await by(reads, 'PATCH', `${QUEUES}/new`, { title: 'New' });
  assert.deepEqual([changed.status, changed.body.title, changed.body.waiting], [200, 'New', 1]);
});
