import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ErasedConversations } from '../../src/core/agents/executions/store.ts';
import { searchTerms } from '../../src/core/agents/reviews/portuguese.ts';
import type { ReviewChanges, ReviewFilter } from '../../src/core/agents/reviews/store.ts';
import { ALL, HOSTILE, openBackend, type ReviewBackend, review } from './reviews.ts';

/** The changes of `ReviewStore`. Every backend runs it. */
export function testReviewStore(backend: ReviewBackend): void {
  const { name } = backend;
  const opened = (t: TestContext, at?: string) => openBackend(t, backend, at);

  test(`ReviewStore (${name}): a review keeps every member, by id and by execution`, async (t) => {
    const { store, create } = await opened(t);
    const full = await create({
      ...{
        executionId: HOSTILE,
        agentId: HOSTILE,
        rating: 'needs_improvement',
        status: 'wont_fix',
        priority: 'critical',
      },
      ...{ comment: `${HOSTILE} ação`, tags: [HOSTILE, 'Tag', 'tag', ' ', 'tag,tag'], actionTaken: HOSTILE },
      ...{ resolutionNotes: '', correctedOutput: HOSTILE, reviewedBy: HOSTILE, updatedBy: HOSTILE },
      ...{ resolvedBy: HOSTILE, resolvedAt: 2 ** 52, createdAt: -1, updatedAt: 253_402_300_799_999 },
    });
    const bare = await create();
    assert.deepEqual(await store.find('one', full.id), full);
    assert.deepEqual(await store.findByExecution('one', HOSTILE), full);
    assert.deepEqual(await store.findByExecution('one', bare.executionId), bare);
    assert.deepEqual((await store.list('one', {}, ALL)).items, [bare, full]);
    assert.equal(await store.find('one', full.executionId), null);
    assert.equal(await store.findByExecution('one', full.id), null);
  });

  test(`ReviewStore (${name}): a second review of an execution is a conflict`, async (t) => {
    const { store, create, idsOf } = await opened(t);
    const first = await create({ executionId: 'same', comment: 'entrega rápida' });
    const second = review({ executionId: 'same', comment: 'atraso enorme', agentId: 'other' });
    assert.equal(await store.create('one', second), 'conflict');
    assert.equal(await store.find('one', second.id), null);
    assert.deepEqual(await store.list('one', {}, ALL), { items: [first], total: 1 });
    assert.deepEqual(await idsOf({ search: searchTerms('atraso') }), []);
    assert.deepEqual(await store.counts('one', 'other'), []);
    assert.equal(await store.create('two', second), 'created', 'of another tenant it is another execution');
    assert.equal(await store.remove('one', first.id), true);
    await create({ executionId: 'same' });
  });

  test(`ReviewStore (${name}): of fifty concurrent reviews of an execution one is created`, async (t) => {
    const { store, idsOf } = await opened(t);
    const made = Array.from({ length: 50 }, () => review({ executionId: 'same' }));
    const results = await Promise.all(made.map((one) => store.create('one', one)));
    assert.equal(results.filter((result) => result === 'created').length, 1);
    assert.deepEqual(await idsOf(), [made[results.indexOf('created')]!.id]);
  });

  test(`ReviewStore (${name}): an update sets exactly what it names`, async (t) => {
    const { store, create, idsOf } = await opened(t);
    let expected = await create({ tags: ['old'], actionTaken: 'before', correctedOutput: 'before', comment: 'atraso' });
    const other = await create();
    const changes: Partial<ReviewChanges>[] = [
      { actionTaken: HOSTILE },
      { actionTaken: null },
      { resolutionNotes: HOSTILE },
      { resolutionNotes: null },
      { correctedOutput: HOSTILE },
      { correctedOutput: null },
      { correctedOutput: '' },
      { comment: `entrega ${HOSTILE}` },
      { priority: 'critical' },
      { tags: ['new', HOSTILE] },
      { tags: [] },
      { status: 'in_progress' },
      { status: 'wont_fix', priority: 'low', comment: 'produto quebrado', tags: ['a'], actionTaken: 'all at once' },
      {},
    ];
    for (const [index, some] of changes.entries()) {
      const given = { ...some, updatedBy: `editor ${index}`, updatedAt: 5_000_000 + index };
      expected = { ...expected, ...given };
      assert.deepEqual(await store.update('one', expected.id, given), expected);
      assert.deepEqual(await store.find('one', expected.id), expected);
    }
    const kept = {
      comment: undefined,
      tags: undefined,
      priority: undefined,
      status: undefined,
      actionTaken: undefined,
    };
    const by = { updatedBy: 'last', updatedAt: 6_000_000 };
    assert.deepEqual(await store.update('one', expected.id, { ...kept, ...by }), { ...expected, ...by });
    assert.deepEqual(await store.find('one', other.id), other);
    assert.deepEqual(await idsOf(), [other.id, expected.id], 'in its place');
    assert.equal(await store.update('one', 'nothing', by), null);
  });

  test(`ReviewStore (${name}): resolving sets who and when; reopening clears them`, async (t) => {
    const { store, create } = await opened(t);
    const { id } = await create();
    let clock = 10_000_000;
    const after = async (changes: Partial<ReviewChanges>, updatedBy: string) => {
      clock += 1_000;
      const { status, resolvedBy, resolvedAt } = (await store.update('one', id, {
        ...changes,
        updatedBy,
        updatedAt: clock,
      }))!;
      return [status, resolvedBy, resolvedAt];
    };
    assert.deepEqual(await after({ status: 'in_progress' }, 'ann'), ['in_progress', null, null]);
    assert.deepEqual(await after({ status: 'resolved' }, 'bob'), ['resolved', 'bob', 10_002_000]);
    assert.deepEqual(await after({ status: 'resolved' }, 'eve'), ['resolved', 'bob', 10_002_000]);
    assert.deepEqual(await after({ comment: 'outra coisa' }, 'eve'), ['resolved', 'bob', 10_002_000]);
    for (const status of ['wont_fix', 'pending_review', 'in_progress'] as const) {
      assert.deepEqual(await after({ status }, 'ann'), [status, null, null]);
      assert.deepEqual(await after({ status: 'resolved' }, 'eve'), ['resolved', 'eve', clock]);
    }
  });

  test(`ReviewStore (${name}): concurrent updates lose none; the first resolver stays`, async (t) => {
    const { store, create } = await opened(t);
    const { id } = await create();
    const members = [
      { actionTaken: 'x' },
      { resolutionNotes: 'y' },
      { correctedOutput: 'z' },
      { priority: 'high' },
    ] as const;
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.update('one', id, {
          ...(members[index] ?? { status: 'resolved' }),
          ...{ updatedBy: `${index}`, updatedAt: 10_000_000 + index },
        }),
      ),
    );
    const resolvers = new Set(results.flatMap((one) => one?.resolvedBy ?? []));
    assert.equal(resolvers.size, 1);
    const found = (await store.find('one', id))!;
    const { actionTaken, resolutionNotes, correctedOutput, priority, resolvedBy, resolvedAt } = found;
    assert.deepEqual([actionTaken, resolutionNotes, correctedOutput, priority], ['x', 'y', 'z', 'high']);
    assert.deepEqual([resolvedBy, resolvedAt], [[...resolvers][0], 10_000_000 + Number([...resolvers][0])]);
    const counted = await store.counts('one', 'support');
    assert.deepEqual(
      counted.map(({ status, priority, reviews, resolutionMs }) => ({ status, priority, reviews, resolutionMs })),
      [{ status: 'resolved', priority: 'high', reviews: 1, resolutionMs: resolvedAt! - found.createdAt }],
    );
  });

  test(`ReviewStore (${name}): a removed review is gone everywhere, once`, async (t) => {
    const { store, create, idsOf } = await opened(t);
    const [gone, kept] = [await create({ comment: 'atraso grande', tags: ['x'] }), await create()];
    const removed = await Promise.all(Array.from({ length: 5 }, () => store.remove('one', gone.id)));
    assert.deepEqual(removed.sort(), [false, false, false, false, true]);
    assert.equal(await store.find('one', gone.id), null);
    assert.equal(await store.findByExecution('one', gone.executionId), null);
    assert.equal(await store.update('one', gone.id, { updatedBy: 'a', updatedAt: 1 }), null);
    assert.deepEqual(await idsOf({ search: searchTerms('atraso') }), []);
    assert.deepEqual(await store.executionIds('one', { tags: ['x'] }, 10), []);
    assert.deepEqual(await idsOf(), [kept.id]);
    assert.deepEqual(
      (await store.trainingPage('one', {}, 0)).map(({ id }) => id),
      [kept.id],
    );
  });

  test(`ReviewStore (${name}): erasing a tenant takes its reviews once, no others`, async (t) => {
    const { store, create, idsOf } = await opened(t);
    for (let index = 0; index < 60; index++) await create({ executionId: `e${index}`, tags: ['x'], comment: 'atraso' });
    const theirs = await create({ executionId: 'e1', tags: ['x'], comment: 'atraso' }, 'two');
    assert.equal(await store.erase('one', null), 60);
    assert.deepEqual(await store.list('one', {}, ALL), { items: [], total: 0 });
    assert.deepEqual(await idsOf({ search: searchTerms('atraso') }), []);
    assert.deepEqual(await store.counts('one', 'support'), []);
    assert.deepEqual(await store.list('two', { search: searchTerms('atraso'), tags: ['x'] }, ALL), {
      ...{ items: [theirs], total: 1 },
    });
    assert.equal(await store.erase('one', null), 0);
    await create({ executionId: 'e1' });
  });

  test(`ReviewStore (${name}): erasing a thread takes reviews of its executions`, async (t) => {
    const { store, create, record } = await opened(t);
    await record({ id: 'recorded', threadId: 'thread' });
    await record({ id: 'without thread' });
    await record({ id: 'of another', threadId: 'other' });
    await record({ id: 'unnamed' });
    await record({ id: 'not recorded here', threadId: 'thread' }, 'two');
    const of = async (executionId: string, tenantId = 'one') => (await create({ executionId }, tenantId)).id;
    const gone = [await of('recorded'), await of('without thread'), await of('not recorded'), await of(HOSTILE)];
    const kept = [await of('of another'), await of('unnamed'), await of('not named'), await of('not recorded here')];
    const theirs = [await of('recorded', 'two'), await of('not recorded', 'two'), await of('not recorded here', 'two')];
    const thread: ErasedConversations = {
      threadIds: ['thread'],
      userId: null,
      executionIds: ['without thread', 'not recorded', 'of another', HOSTILE, 'without review'],
    };
    assert.equal(await store.erase('one', thread), 4);
    for (const id of gone) assert.equal(await store.find('one', id), null);
    for (const id of kept) assert.notEqual(await store.find('one', id), null);
    for (const id of theirs) assert.notEqual(await store.find('two', id), null);
    assert.equal(await store.erase('one', thread), 0);
    assert.equal(await store.erase('one', { threadIds: ['nothing'], executionIds: [], userId: null }), 0);
  });

  test(`ReviewStore (${name}): erasing an end user takes no review of another's execution`, async (t) => {
    const { store, create, record } = await opened(t);
    await record({ id: 'of thread', threadId: 'private', userId: 'u' });
    await record({ id: 'of shared', threadId: 'shared', userId: 'u' });
    await record({ id: 'of another', threadId: 'private', userId: 'another' });
    await record({ id: 'alone', userId: 'another' });
    const of = async (executionId: string) => (await create({ executionId })).id;
    const gone = [await of('of thread'), await of('of shared'), await of('not recorded')];
    const kept = [await of('of another'), await of('alone'), await of('not named')];
    const executionIds = ['of shared', 'of another', 'alone', 'not recorded'];
    assert.equal(await store.erase('one', { threadIds: [], executionIds: [], userId: 'u' }), 0);
    assert.equal(await store.erase('one', { threadIds: ['private'], executionIds, userId: 'u' }), 3);
    for (const id of gone) assert.equal(await store.find('one', id), null);
    for (const id of kept) assert.notEqual(await store.find('one', id), null);
  });

  test(`ReviewStore (${name}): tenants with equal data never see each other`, async (t) => {
    const { store, create } = await opened(t);
    const same = { executionId: 'same', agentId: 'same', tags: ['same'], comment: 'comentário igual', createdAt: 7 };
    const own = await create(same);
    const theirs = await create({ ...same, rating: 'good' }, 'two');
    const filters: ReviewFilter[] = [
      {},
      { agentId: 'same' },
      { tags: ['same'] },
      { search: searchTerms('igual') },
      { from: 7, to: 8 },
      { from: 7, to: 8, agentId: 'same', tags: ['same'], search: searchTerms('comentario') },
    ];
    for (const filter of filters) {
      assert.deepEqual(await store.list('one', filter, ALL), { items: [own], total: 1 }, JSON.stringify(filter));
      assert.deepEqual(await store.list('two', filter, ALL), { items: [theirs], total: 1 }, JSON.stringify(filter));
      for (const [tenantId, { id, rating }] of [
        ['one', own],
        ['two', theirs],
      ] as const) {
        assert.deepEqual(
          (await store.trainingPage(tenantId, filter, 0)).map((one) => one.id),
          [id],
        );
        assert.deepEqual(
          (await store.trainingCounts(tenantId, filter)).map((one) => one.rating),
          [rating],
        );
      }
    }
    const rating: ReviewFilter = { rating: ['good'] };
    assert.deepEqual((await store.list('one', rating, ALL)).total, 0);
    assert.deepEqual(await store.executionIds('one', rating, 9), []);
    assert.deepEqual(
      (await store.counts('one', 'same')).map((one) => one.rating),
      ['bad'],
    );
    assert.equal(await store.find('one', theirs.id), null);
    assert.equal(await store.update('one', theirs.id, { comment: 'roubado', updatedBy: 'a', updatedAt: 1 }), null);
    assert.equal(await store.remove('one', theirs.id), false);
    assert.deepEqual(await store.findByExecution('two', 'same'), theirs);
  });

  test(`ReviewStore (${name}): contents survive closing and are found`, async (t) => {
    const { create, close, at } = await opened(t);
    const kept = await create({ comment: 'atraso na entrega', tags: ['x'] });
    await close();
    const { store } = await opened(t, at);
    const filter = { search: searchTerms('entregas atrasadas'), tags: ['x'] };
    assert.deepEqual(await store.list('one', filter, ALL), { items: [kept], total: 1 });
    assert.equal((await store.counts('one', 'support'))[0]?.reviews, 1);
  });
}
