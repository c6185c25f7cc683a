import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { exactWords, searchTerms } from '../../src/core/agents/reviews/portuguese.ts';
import type { ReviewFilter, StoredReview } from '../../src/core/agents/reviews/store.ts';
import { ALL, openBackend, type ReviewBackend } from './reviews.ts';

const HOUR = 3_600_000;

/** The queries of `ReviewStore`: lists, counts and training pages. Every backend runs it. */
export function testReviewQuestions(backend: ReviewBackend): void {
  const { name } = backend;
  const opened = (t: TestContext, at?: string) => openBackend(t, backend, at);

  test(`ReviewStore (${name}): filters combine with AND, values of a list with OR`, async (t) => {
    const { create, idsOf } = await opened(t);
    const a = (await create({ agentId: 'a', rating: 'good', priority: 'low', tags: ['x', 'y'], comment: 'entrega' }))
      .id;
    const b = (
      await create({ agentId: 'A', rating: 'bad', priority: 'high', tags: ['X'], comment: 'entrega atrasada' })
    ).id;
    const c = (await create({ agentId: 'a', rating: 'needs_improvement', tags: ['y'], status: 'wont_fix' })).id;
    const filters: [ReviewFilter, string[]][] = [
      [{ agentId: 'a' }, [c, a]],
      [{ agentId: 'A' }, [b]],
      [{ agentId: 'nobody' }, []],
      [{ agentId: '' }, []],
      [{ rating: ['good'] }, [a]],
      [{ rating: ['good', 'needs_improvement'] }, [c, a]],
      [{ rating: ['good', 'good'] }, [a]],
      [{ status: ['pending_review'] }, [b, a]],
      [{ status: ['wont_fix', 'resolved'] }, [c]],
      [{ priority: ['medium', 'low'] }, [c, a]],
      [{ tags: ['x'] }, [a]],
      [{ tags: ['X', 'y'] }, [c, b, a]],
      [{ tags: ['xy', 'x y', ''] }, []],
      [{ search: searchTerms('entregas') }, [b, a]],
      [{ search: searchTerms('atrasado entregue') }, [b]],
      [{ search: [] }, []],
      [{ words: exactWords('ENTREGA') }, [b, a]],
      [{ words: exactWords('entregas') }, []],
      [{ words: exactWords('atrasada entrega'), rating: ['bad'] }, [b]],
      [{ words: exactWords('entrega'), search: searchTerms('atraso'), tags: ['X'] }, [b]],
      [{ words: [] }, []],
      [{ agentId: 'a', rating: ['bad'] }, []],
      [{ agentId: 'a', tags: ['y'], priority: ['medium'] }, [c]],
      [{ search: searchTerms('entrega'), tags: ['X', 'x'], rating: ['bad'], status: ['pending_review'] }, [b]],
      [{ agentId: undefined, rating: undefined, tags: undefined, search: undefined, from: null, to: null }, [c, b, a]],
    ];
    for (const [filter, expected] of filters) assert.deepEqual(await idsOf(filter), expected, JSON.stringify(filter));
  });

  test(`ReviewStore (${name}): date ranges exclude their end, alone and with filters`, async (t) => {
    const { store, create, idsOf } = await opened(t);
    const at = async (createdAt: number, tag: string) => (await create({ createdAt, tags: [tag] })).id;
    const [first, second, third] = [await at(1_000, 'x'), await at(2_000, 'y'), await at(3_000, 'x')];
    assert.deepEqual(await idsOf({ from: 2_000 }), [third, second]);
    assert.deepEqual(await idsOf({ from: 2_001 }), [third]);
    assert.deepEqual(await idsOf({ to: 3_000 }), [second, first]);
    assert.deepEqual(await idsOf({ from: 1_000, to: 3_000, tags: ['x'] }), [first]);
    assert.deepEqual(await idsOf({ from: 1_001, tags: ['x', 'y'], search: searchTerms('comentario') }), [
      third,
      second,
    ]);
    assert.deepEqual(await idsOf({ from: 2_000, to: 2_000 }), []);
    assert.deepEqual(await idsOf({ from: 3_000, to: 1_000 }), []);
    assert.deepEqual(await store.executionIds('one', { from: 5_000 }, 9), []);
    assert.deepEqual(await store.trainingCounts('one', { to: 1_000 }), []);
    assert.deepEqual(
      (await store.trainingPage('one', { from: 2_000 }, 0)).map(({ id }) => id),
      [second, third],
    );
  });

  test(`ReviewStore (${name}): lists are newest first, and pages are complete`, async (t) => {
    const { store, create } = await opened(t);
    const made: StoredReview[] = [];
    for (let index = 0; index < 25; index++) {
      // As if the clock had been set back.
      const createdAt = [5_000, 1_000, 3_000][index % 3]! + (index % 2);
      made.unshift(await create({ createdAt, tags: ['x'] }));
    }
    await create({ tags: ['x'] }, 'two');
    const byDate = made.toSorted((one, other) => other.createdAt - one.createdAt);
    const lists: [ReviewFilter, StoredReview[]][] = [
      [{}, made],
      [{ agentId: 'support' }, made],
      [{ tags: ['x'] }, made],
      [{ from: 0 }, byDate],
      [{ from: 0, to: 1e12 }, byDate],
      [{ from: 0, to: 1e12, tags: ['x'] }, made],
      [{ search: searchTerms('numero') }, made],
    ];
    for (const [filter, expected] of lists) {
      const paged: StoredReview[] = [];
      for (let offset = 0; offset < 30; offset += 7) {
        const { items, total } = await store.list('one', filter, { limit: 7, offset });
        assert.equal(total, 25);
        paged.push(...items);
      }
      assert.deepEqual(paged, expected, JSON.stringify(filter));
      assert.deepEqual(await store.list('one', filter, { limit: 1, offset: 25 }), { items: [], total: 25 });
      const far = { limit: 1, offset: Number.MAX_SAFE_INTEGER };
      assert.deepEqual(await store.list('one', filter, far), { items: [], total: 25 });
    }
  });

  test(`ReviewStore (${name}): a review is found by its current text at once`, async (t) => {
    const { store, create, idsOf } = await opened(t);
    const words = { delay: searchTerms('atraso'), quality: searchTerms('qualidade') };
    for (let round = 0; round < 20; round++) {
      const { id } = await create({ comment: 'muito atraso', tags: ['before'] });
      assert.deepEqual(await idsOf({ search: words.delay, tags: ['before'] }), [id]);
      await store.update('one', id, { comment: 'boa qualidade', tags: ['after'], updatedBy: 'a', updatedAt: 1 });
      assert.deepEqual(await idsOf({ search: words.delay }), []);
      assert.deepEqual(await idsOf({ tags: ['before'] }), []);
      assert.deepEqual(await idsOf({ search: words.quality, tags: ['after'], rating: ['bad'] }), [id]);
      await store.update('one', id, { status: 'resolved', updatedBy: 'a', updatedAt: 1 });
      assert.deepEqual(await idsOf({ search: words.quality, status: ['resolved'] }), [id]);
      assert.deepEqual(await idsOf({ search: words.quality, status: ['pending_review'] }), []);
      assert.equal(await store.remove('one', id), true);
      assert.deepEqual(await store.list('one', { search: words.quality }, ALL), { items: [], total: 0 });
    }
  });

  test(`ReviewStore (${name}): counts per kind and agent include resolution times`, async (t) => {
    const { store, create } = await opened(t);
    assert.deepEqual(await store.counts('one', 'support'), []);
    const [first, second, third] = [await create(), await create(), await create({ rating: 'good' })];
    await create({ agentId: 'Support' });
    await create({}, 'two');
    const counts = async () =>
      (await store.counts('one', 'support'))
        .map(({ rating, status, priority, reviews, resolutionMs }) =>
          [rating, status, priority, reviews, resolutionMs].join(' '),
        )
        .sort();
    const resolve = (id: string, updatedAt: number) =>
      store.update('one', id, { status: 'resolved', updatedBy: 'a', updatedAt });
    assert.deepEqual(await counts(), ['bad pending_review medium 2 0', 'good pending_review medium 1 0']);
    await resolve(first.id, first.createdAt + HOUR);
    await resolve(second.id, second.createdAt + 3 * HOUR);
    await resolve(first.id, first.createdAt + 9 * HOUR);
    assert.deepEqual(await counts(), [`bad resolved medium 2 ${4 * HOUR}`, 'good pending_review medium 1 0']);
    await store.update('one', second.id, { status: 'wont_fix', priority: 'high', updatedBy: 'a', updatedAt: 1 });
    await store.remove('one', third.id);
    assert.deepEqual(await counts(), ['bad wont_fix high 1 0', `bad resolved medium 1 ${HOUR}`].sort());
    await store.remove('one', first.id);
    await store.remove('one', second.id);
    assert.deepEqual(await store.counts('one', 'support'), []);
  });

  test(`ReviewStore (${name}): reviewed executions are distinct and limited`, async (t) => {
    const { store, create } = await opened(t);
    const made: StoredReview[] = [];
    for (let index = 0; index < 12; index++) made.push(await create({ rating: index % 3 ? 'good' : 'bad' }));
    await create({ rating: 'bad' }, 'two');
    const ids = (rating: string) => made.filter((one) => one.rating === rating).map((one) => one.executionId);
    assert.deepEqual((await store.executionIds('one', { rating: ['bad'] }, 100)).sort(), ids('bad').sort());
    const all = await store.executionIds('one', {}, 100);
    assert.deepEqual(all.sort(), [...ids('bad'), ...ids('good')].sort());
    const some = await store.executionIds('one', { rating: ['good'] }, 5);
    assert.equal(new Set(some).size, 5);
    assert.ok(some.every((id) => ids('good').includes(id)));
  });

  test(`ReviewStore (${name}): training counts tell rating, correction and shape apart`, async (t) => {
    const { store, create, record } = await opened(t);
    await record({ id: 'a', shape: '1utoo' });
    await record({ id: 'b', shape: '1utoo' });
    await record({ id: 'c', shape: '1-to-' });
    for (const executionId of ['a', 'b', 'c', 'not recorded', 'theirs']) await create({ executionId });
    await record({ id: 'theirs', shape: '1uxxx' }, 'two');
    await create({ executionId: 'good', rating: 'good', correctedOutput: '' });
    const counts = (await store.trainingCounts('one', {})).map(({ rating, wasCorrected, shape, reviews }) =>
      JSON.stringify([rating, wasCorrected, shape, reviews]),
    );
    assert.deepEqual(
      counts.sort(),
      ['["bad",false,"1-to-",1]', '["bad",false,"1utoo",2]', '["bad",false,null,2]', '["good",true,null,1]'].sort(),
    );
    assert.equal((await store.trainingCounts('one', { rating: ['good'] })).length, 1);
    assert.deepEqual(await store.trainingCounts('one', { search: [] }), []);
    assert.deepEqual(await store.trainingCounts('one', { agentId: 'nobody' }), []);
  });

  test(`ReviewStore (${name}): training pages give every review once, in creation order`, async (t) => {
    const { store, create, record } = await opened(t);
    await record({ id: 'recorded', messages: '[1]', output: '"2"' });
    await record({ id: 'late', messages: '[3]' }, 'two');
    const made: StoredReview[] = [];
    for (let index = 0; index < 450; index++) {
      const executionId = index === 7 ? 'recorded' : index === 8 ? 'late' : `e${index}`;
      made.push(
        await create({ executionId, rating: index % 2 ? 'good' : 'bad', correctedOutput: index % 3 ? null : 'c' }),
      );
    }
    await create({ executionId: 'recorded' }, 'two');
    for (const filter of [{}, { rating: ['good'] }, { from: 0, agentId: 'support' }] as ReviewFilter[]) {
      const read = [];
      let after = 0;
      for (;;) {
        const page = await store.trainingPage('one', filter, after);
        if (page.length === 0) break;
        for (const { number } of page) {
          assert.ok(number > after);
          after = number;
        }
        read.push(...page.map(({ number: _, ...rest }) => rest));
      }
      const expected = made
        .filter(({ rating }) => !filter.rating || filter.rating.includes(rating))
        .map(({ id, executionId, rating, correctedOutput }) => ({
          ...{ id, executionId, rating, correctedOutput },
          content: executionId === 'recorded' ? { messages: '[1]', output: '"2"' } : null,
        }));
      assert.deepEqual(read, expected);
    }
    await record({ id: 'late', output: 'true' });
    const late = (await store.trainingPage('one', {}, 0)).find(({ executionId }) => executionId === 'late');
    assert.deepEqual(late?.content, { messages: '[]', output: 'true' });
    assert.deepEqual(await store.trainingPage('one', { search: [] }, 0), []);
  });

  test(`ReviewStore (${name}): training pages are bounded in size and lose none`, async (t) => {
    const { store, create, record } = await opened(t);
    const large = JSON.stringify('x'.repeat(3 * 1024 * 1024));
    const made: string[] = [];
    for (let index = 0; index < 9; index++) {
      const isLarge = index % 3 !== 2;
      await record({ id: `e${index}`, output: isLarge ? large : '"small"' });
      made.push((await create({ executionId: `e${index}`, correctedOutput: isLarge ? null : 'y'.repeat(200_000) })).id);
    }
    const read: string[] = [];
    let pages = 0;
    let after = 0;
    for (;;) {
      const page = await store.trainingPage('one', {}, after);
      if (page.length === 0) break;
      pages += 1;
      const characters = page.reduce((sum, { content }) => sum + (content?.output.length ?? 0), 0);
      assert.ok(characters < 8 * 1024 * 1024, `${characters} at once`);
      read.push(...page.map(({ id }) => id));
      after = page.at(-1)!.number;
    }
    assert.deepEqual(read, made);
    assert.ok(pages > 2);
  });
}
