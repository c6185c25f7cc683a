import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ITEM_LEASE_MS } from '../../../src/core/agents/queues/hands.ts';
import { isInShare } from '../../../src/core/agents/queues/share.ts';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { assessment } from '../assessment-store.ts';
import { review } from '../reviews.ts';
import { newDesk, openDesk, type QueueBackend } from './support.ts';

export function testQueueFilling(backend: QueueBackend): void {
  const { name } = backend;
  const open = (t: TestContext) => newDesk(t, backend);

  test(`QueueFilling (${name}): what matches, also of before, and what comes to match`, async (t) => {
    const { record, make, finishAll, next, queues, boss } = await open(t);
    await record('before', { startedAt: 5, userId: 'u', status: 'failed' });
    await record('runs', { startedAt: 1, userId: 'u', status: 'running' });
    await record('other', { userId: 'v', status: 'failed' });
    await record('before', { userId: 'u', status: 'failed' }, 'two');
    await make({ filters: { userId: 'u', status: 'failed' } });
    assert.equal(await finishAll(), 'before');
    await record('runs', { status: 'failed' });
    await record('late', { startedAt: 2, userId: 'u', status: 'failed' });
    assert.equal(await next('ana'), 'runs');
    await record('late', { userId: 'v' });
    assert.equal((await queues.get(boss, 'queue')).waiting, 1, 'what nobody was handed leaves');
    await record('runs', { userId: 'v' });
    assert.equal((await queues.get(boss, 'queue')).waiting, 1, 'what somebody was handed stays');
    assert.equal(await finishAll(), 'runs');
  });

  test(`QueueFilling (${name}): reviews made and removed count`, async (t) => {
    const { record, make, next, reviews, finishAll } = await open(t);
    await record('a');
    await make({ filters: { hasReview: false } });
    await make({ name: 'bad', filters: { rating: 'bad' } });
    const made = review({ executionId: 'a', rating: 'bad' });
    await reviews.create('one', made);
    assert.deepEqual([await next('ana'), await next('ana', 'bad')], [null, 'a']);
    await reviews.remove('one', made.id);
    assert.equal(await finishAll(), 'a');
  });

  test(`QueueFilling (${name}): assessments made and removed count`, async (t) => {
    const { record, make, next, assessments, finishAll } = await open(t);
    await record('a');
    await make({ filters: { hasAssessment: false } });
    await make({ name: 'judged', filters: { hasAssessment: true } });
    const made = assessment({ executionId: 'a' });
    await assessments.put('one', made);
    assert.deepEqual([await next('ana'), await next('ana', 'judged')], [null, 'a']);
    await assessments.remove('one', made.id);
    assert.equal(await finishAll(), 'a');
  });

  test(`QueueFilling (${name}): what was given back, or its lease ended, may leave`, async (t) => {
    const { record, make, next, release, skip, reviews, queues, clock, boss } = await open(t);
    for (const [index, id] of [...'abcd'].entries()) await record(id, { startedAt: index });
    await make({ filters: { hasReview: false } });
    const waiting = async () => (await queues.get(boss, 'queue')).waiting;
    const judge = (executionId: string) => reviews.create('one', review({ executionId }));
    assert.equal(await next('ana'), 'a');
    await judge('a');
    assert.equal(await waiting(), 4, 'ana holds it');
    await release('a', 'ana');
    assert.equal(await waiting(), 3);
    assert.equal(await next('ana'), 'b');
    await judge('b');
    assert.equal(await waiting(), 3);
    clock.now += ITEM_LEASE_MS;
    const taken = await Promise.all([next('bob'), next('cid')]);
    assert.deepEqual(taken.toSorted(), ['c', 'd']);
    assert.equal(await waiting(), 2);
    await skip('c', taken[0] === 'c' ? 'bob' : 'cid');
    await judge('c');
    clock.now += ITEM_LEASE_MS;
    assert.equal(await next('ana'), 'c', 'somebody skipped it');
    assert.equal(await next('eva'), 'd', 'it matches, and nobody holds it any more');
  });

  test(`QueueFilling (${name}): words enter once they are found`, async (t) => {
    const { record, make, next, executions } = await open(t);
    t.after(() => (executions as unknown as { close(): Promise<void> }).close());
    await make({ filters: { search: 'entrega' } });
    await record('a', { output: '"a entrega"' });
    await record('b', { output: '"outra"' });
    assert.equal(await next(), null);
    await executions.indexSome();
    assert.equal(await next(), 'a');
  });

  test(`QueueFilling (${name}): a share is a stable part`, async (t) => {
    const { record, make, finishAll } = await open(t);
    const ids = Array.from({ length: 60 }, (_, index) => `e${String(index).padStart(2, '0')}`);
    for (const id of ids.slice(0, 30)) await record(id);
    await make({ share: 0.5 });
    for (const id of ids.slice(30)) await record(id);
    const expected = ids.filter((id) => isInShare(0.5, 'queue', id));
    assert.ok(expected.length > 15 && expected.length < 45, `${expected.length}`);
    assert.equal(await finishAll(), expected.join(' '));
    await make({ name: 'none', share: 0 });
    assert.equal(await finishAll('ana', 'none'), '');
    await make({ name: 'whole', share: 1 });
    assert.equal((await finishAll('ana', 'whole')).split(' ').length, 60);
  });

  test(`QueueFilling (${name}): other rules fill it anew, other titles do not`, async (t) => {
    const { record, make, next, done, finishAll, queues, boss } = await open(t);
    for (const [index, id] of [...'abcd'].entries()) {
      await record(id, { startedAt: index, userId: index % 2 === 0 ? 'u' : 'v' });
    }
    await make({ filters: { userId: 'u' } });
    assert.equal(await next(), 'a');
    await done('a');
    const { title, filters } = await queues.update(boss, 'queue', { title: 'Theirs', filters: { userId: 'v' } });
    assert.deepEqual([title, filters], ['Theirs', { userId: 'v' }]);
    assert.equal(await next(), 'b');
    const changed = await queues.update(boss, 'queue', { title: null, filters: {}, assessors: 1 });
    assert.deepEqual([changed.title, changed.waiting, changed.done], [undefined, 3, 1]);
    assert.equal(await finishAll(), 'b c d');
  });

  test(`QueueFilling (${name}): walks as far as is needed, also past what is not for one`, async (t) => {
    const { record, make, store, next, skip, finishAll } = await newDesk(t, backend, {
      limits: { atOnce: 5, waiting: 12 },
    });
    const ids = Array.from({ length: 33 }, (_, index) => `e${String(index).padStart(2, '0')}`);
    for (const [index, id] of ids.entries()) await record(id, { startedAt: index });
    const { waiting } = await make({ assessors: 2 });
    assert.deepEqual([waiting, (await store.find('one', 'queue'))!.isWalked], [15, false]);
    for (const id of ids) {
      assert.equal(await next(), id);
      await skip(id);
    }
    assert.deepEqual([await next(), (await store.find('one', 'queue'))!.isWalked], [null, true]);
    assert.equal(await finishAll('bob'), ids.join(' '));
  });

  test(`QueueFilling (${name}): erased executions leave, a removed queue takes all`, async (t) => {
    const { record, make, next, done, executions, queues, boss, store } = await open(t);
    await record('a', { threadId: 'thread' });
    await record('b', { threadId: 'thread' });
    await record('c');
    await make();
    await next('ana');
    await done('a');
    await next('ana');
    await record('b', { threadId: 'thread', name: 'changed' });
    await executions.erase('one', { threadIds: ['thread'], executionIds: [], userId: null });
    const { waiting, done: finished, people } = await queues.get(boss, 'queue');
    assert.deepEqual([waiting, finished, people], [1, 0, []]);
    assert.equal(await next('ana'), 'c');
    await record('c', { name: 'changed' });
    await queues.remove(boss, 'queue');
    await assert.rejects(queues.get(boss, 'queue'), { code: 'not_found' });
    assert.deepEqual(await store.changes('one', 10), [], 'nobody would look at them');
    await record('c', { name: 'changed again' });
    assert.deepEqual(await store.changes('one', 10), []);
    await make();
    assert.equal(await next('bob'), 'c');
  });

  test(`QueueFilling (${name}): a change while another one is looked at is seen`, async (t) => {
    const place = await backend.place(t);
    const [one, other] = [openDesk(await place()), openDesk(await place())];
    await one.make({ filters: { userId: 'u' } });
    await one.record('a', { userId: 'v' });
    const changes = await one.store.changes('one', 10);
    await other.record('a', { userId: 'u' });
    await one.store.changesSeen('one', changes);
    assert.equal(await one.next(), 'a');
  });

  test(`QueueFilling (${name}): rules that change while it is filled win`, async (t) => {
    const { make, record, store, queues, boss } = await open(t);
    await make({ filters: { userId: 'u' } });
    await record('a', { userId: 'v' });
    const { number } = (await store.changes('one', 1))[0]!;
    const state = (await store.find('one', 'queue'))!;
    await queues.update(boss, 'queue', { filters: { userId: 'w' } });
    await store.enter(state, [number], { isWalked: false });
    assert.equal((await queues.get(boss, 'queue')).waiting, 0);
  });

  test(`QueueFilling (${name}): events that are away hold up their queue alone`, async (t) => {
    let isAway = true;
    const errors: unknown[] = [];
    const query = async () => {
      if (isAway) throw new RuntimeError('unavailable', 'away');
      return { rows: [['thread', 2_000_000]] };
    };
    const { make, record, next } = await newDesk(t, backend, {
      events: { query } as never,
      onError: (error) => errors.push(error),
    });
    await make();
    await record('a', { threadId: 'thread', startedAt: 1 });
    await make({ name: 'followed', outcome: { eventName: 'refund' } });
    await record('b', { threadId: 'thread', startedAt: 2 });
    await assert.rejects(next('ana', 'followed'), { code: 'unavailable' });
    assert.deepEqual([await next('ana'), await next('bob'), await next('cid')], ['a', 'b', null]);
    assert.ok(errors.length > 0);
    isAway = false;
    assert.deepEqual([await next('ana', 'followed'), await next('bob', 'followed')], ['a', 'b']);
  });

  test(`QueueFilling (${name}): names, limits and pages of queues`, async (t) => {
    const { make, queues, boss } = await open(t);
    for (const queue of ['b', 'a', 'c']) await make({ name: queue });
    await assert.rejects(make({ name: 'a' }), { code: 'conflict' });
    await assert.rejects(make({ name: 'd', rubric: 'unknown' }), { code: 'unprocessable', message: /rubric/ });
    await make({ name: 'd', rubric: 'known' });
    await assert.rejects(make({ name: 'e', filters: { dateFrom: 'never' } }), { code: 'invalid' });
    const first = await queues.list(boss, { limit: 3 });
    assert.deepEqual([first.queues.map((one) => one.name), first.total], [['a', 'b', 'c'], 4]);
    const second = await queues.list(boss, { limit: 3, cursor: first.nextCursor! });
    assert.deepEqual([second.queues.map((one) => one.name), second.nextCursor], [['d'], null]);
    for (let index = 4; index < 100; index += 1) await make({ name: `queue_${index}` });
    await assert.rejects(make({ name: 'more' }), { code: 'unprocessable', message: /at most 100 queues/ });
  });
}
