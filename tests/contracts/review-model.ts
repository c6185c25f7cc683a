import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exactWords, searchTerms } from '../../src/core/agents/reviews/portuguese.ts';
import type { ReviewChanges, ReviewFilter, StoredReview } from '../../src/core/agents/reviews/store.ts';
import { PRIORITIES, RATINGS, REVIEW_STATUSES } from '../../src/core/base/shared/review-fields.ts';
import { openBackend, type ReviewBackend, review } from './reviews.ts';

/*
 * Model-based test: random steps on a store and on plain arrays, for two tenants with the same
 * names, with equal answers after each.
 */

const TENANTS = ['one', 'two'] as const;
const AGENTS = ['a', 'A', 'á'];
const TAGS = ['x', 'X', 'x y', '😀'];
const WORDS = ['entrega', 'produto', 'qualidade', 'cliente'];

const some = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const several = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 1 });
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const time = fc.nat(50);
const comment = fc.array(some(WORDS), { maxLength: 3 }).map((words) => words.join(' '));
const tenant = some(TENANTS);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      tenant,
      executionId: fc.nat(30).map((number) => `execution ${number}`),
      agentId: some(AGENTS),
      rating: some(RATINGS),
      priority: some(PRIORITIES),
      tags: fc.subarray(TAGS),
      comment,
      createdAt: time,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      tenant,
      which: fc.nat(),
      at: time,
      changes: fc.record(
        {
          status: some(REVIEW_STATUSES),
          priority: some(PRIORITIES),
          tags: fc.subarray(TAGS),
          comment,
          correctedOutput: some([null, '', 'better']),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), tenant, which: fc.nat() }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const question = fc.record({
  words: maybe(fc.subarray(WORDS, { minLength: 1, maxLength: 2 })),
  isExact: fc.boolean(),
  filter: fc.record({
    agentId: maybe(some([...AGENTS, 'b'])),
    rating: maybe(several(RATINGS)),
    status: maybe(several(REVIEW_STATUSES)),
    priority: maybe(several(PRIORITIES)),
    tags: maybe(several(TAGS)),
    from: maybe(time),
    to: maybe(time),
  }),
  limit: fc.integer({ min: 1, max: 5 }),
  offset: fc.nat(6),
});
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

/** The expected state of one tenant, in order of creation. */
class Model {
  reviews: StoredReview[] = [];

  create(made: StoredReview): 'created' | 'conflict' {
    if (this.reviews.some(({ executionId }) => executionId === made.executionId)) return 'conflict';
    this.reviews.push(made);
    return 'created';
  }

  update(id: string, changes: ReviewChanges): StoredReview | null {
    const before = this.reviews.find((one) => one.id === id);
    if (!before) return null;
    const after: StoredReview = { ...before, ...changes };
    if (changes.status !== undefined && changes.status !== 'resolved') {
      Object.assign(after, { resolvedBy: null, resolvedAt: null });
    }
    if (changes.status === 'resolved' && before.status !== 'resolved') {
      Object.assign(after, { resolvedBy: changes.updatedBy, resolvedAt: changes.updatedAt });
    }
    this.reviews = this.reviews.map((one) => (one === before ? after : one));
    return after;
  }

  remove(id: string): boolean {
    const before = this.reviews.length;
    this.reviews = this.reviews.filter((one) => one.id !== id);
    return this.reviews.length < before;
  }

  matching({ filter, words }: Question): StoredReview[] {
    const isOneOf = <Value>(values: readonly Value[] | undefined, value: Value) => values?.includes(value) ?? true;
    return this.reviews.filter(
      (one) =>
        isOneOf(filter.agentId === undefined ? undefined : [filter.agentId], one.agentId) &&
        isOneOf(filter.rating, one.rating) &&
        isOneOf(filter.status, one.status) &&
        isOneOf(filter.priority, one.priority) &&
        (filter.tags?.some((tag) => one.tags.includes(tag)) ?? true) &&
        one.createdAt >= (filter.from ?? 0) &&
        one.createdAt < (filter.to ?? 1_000) &&
        (words?.every((word) => one.comment.split(' ').includes(word)) ?? true),
    );
  }

  newestFirst(asked: Question): StoredReview[] {
    const { from, to, ...others } = asked.filter;
    const byDate = from !== undefined || to !== undefined;
    const alone = asked.words === undefined && Object.values(others).every((value) => value === undefined);
    const newest = this.matching(asked).reverse();
    return byDate && alone ? newest.sort((one, other) => other.createdAt - one.createdAt) : newest;
  }
}

function counted(entries: { key: unknown; sums: number[] }[]): string[] {
  const sums = new Map<string, number[]>();
  for (const { key, sums: added } of entries) {
    const before = sums.get(JSON.stringify(key)) ?? added.map(() => 0);
    sums.set(
      JSON.stringify(key),
      added.map((number, index) => number + before[index]!),
    );
  }
  return [...sums].map(([key, values]) => `${key} ${values}`).sort();
}

export function testReviewModel(backend: ReviewBackend, { seed, numRuns }: { seed: number; numRuns: number }): void {
  const { name } = backend;

  test(`ReviewStore (${name}): random changes match a model of plain arrays`, async (t) => {
    const { store } = await openBackend(t, backend);
    const life = fc.array(fc.tuple(step, fc.array(question, { minLength: 2, maxLength: 2 })), {
      minLength: 15,
      maxLength: 25,
    });
    const asTheModel = fc.asyncProperty(life, async (steps) => {
      const models = { one: new Model(), two: new Model() };
      for (const tenantId of TENANTS) await store.erase(tenantId, null);
      for (const [taken, questions] of steps) {
        await take(taken, models[taken.tenant]);
        for (const tenantId of TENANTS) {
          await checkCounts(tenantId, models[tenantId]);
          for (const asked of questions) await check(tenantId, models[tenantId], asked);
        }
      }
    });
    await fc.assert(asTheModel, { seed, numRuns });

    async function take(taken: Step, model: Model): Promise<void> {
      const { tenant: tenantId } = taken;
      if (taken.kind === 'create') {
        const { kind: _, tenant: __, ...members } = taken;
        const made = review({ ...members, updatedAt: members.createdAt });
        assert.equal(await store.create(tenantId, made), model.create(made));
        return;
      }
      const id = model.reviews[taken.which % (model.reviews.length + 1)]?.id ?? 'nothing';
      if (taken.kind === 'remove') {
        assert.equal(await store.remove(tenantId, id), model.remove(id));
        return;
      }
      const changes = { ...taken.changes, updatedBy: `at ${taken.at}`, updatedAt: taken.at };
      assert.deepEqual(await store.update(tenantId, id, changes), model.update(id, changes));
    }

    async function checkCounts(tenantId: string, { reviews }: Model): Promise<void> {
      for (const agentId of AGENTS) {
        const counts = await store.counts(tenantId, agentId);
        assert.deepEqual(
          counts
            .map(({ rating, status, priority, reviews, resolutionMs }) => ({
              key: [rating, status, priority],
              sums: [reviews, resolutionMs],
            }))
            .map(({ key, sums }) => `${JSON.stringify(key)} ${sums}`)
            .sort(),
          counted(
            reviews
              .filter((one) => one.agentId === agentId)
              .map(({ rating, status, priority, resolvedAt, createdAt }) => ({
                key: [rating, status, priority],
                sums: [1, resolvedAt === null ? 0 : resolvedAt - createdAt],
              })),
          ),
        );
      }
    }

    async function check(tenantId: string, model: Model, asked: Question): Promise<void> {
      const { limit, offset, words, isExact } = asked;
      const filter: ReviewFilter = { ...asked.filter };
      if (words && isExact) filter.words = exactWords(words.join(' '));
      if (words && !isExact) filter.search = searchTerms(words.join(' '));
      const matching = model.matching(asked);
      assert.deepEqual(await store.list(tenantId, filter, { limit, offset }), {
        items: model.newestFirst(asked).slice(offset, offset + limit),
        total: matching.length,
      });
      assert.deepEqual(
        (await store.executionIds(tenantId, filter, 1_000)).sort(),
        matching.map(({ executionId }) => executionId).sort(),
      );
      assert.deepEqual(
        (await store.trainingPage(tenantId, filter, 0)).map(({ id, correctedOutput }) => [id, correctedOutput]),
        matching.map(({ id, correctedOutput }) => [id, correctedOutput]),
      );
      assert.deepEqual(
        (await store.trainingCounts(tenantId, filter))
          .map(
            ({ rating, wasCorrected, shape, reviews }) => `${JSON.stringify([rating, wasCorrected, shape])} ${reviews}`,
          )
          .sort(),
        counted(
          matching.map(({ rating, correctedOutput }) => ({ key: [rating, correctedOutput !== null, null], sums: [1] })),
        ),
      );
    }
  });
}
