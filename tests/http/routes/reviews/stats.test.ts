import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { PRIORITIES, RATINGS, REVIEW_STATUSES } from '../../../../src/core/base/shared/review-fields.ts';
import { testApp } from '../../../support/app.ts';
import { assertNames } from '../dashboards/support.ts';
import { COMMENT, newDesk, REVIEWS, STATS } from './support.ts';

const NOTHING = {
  ...{ total: 0, pending: 0, inProgress: 0, resolved: 0, badReviews: 0, needsImprovement: 0, critical: 0 },
  ...{ highPriority: 0, avgResolutionHours: 0 },
};
const HOUR = 3_600_000;

interface Known {
  id: string;
  agentId: string;
  rating: string;
  status: string;
  priority: string;
  createdAt: number;
  resolvedAt: number | null;
}

/** What the statistics say, counted from the reviews themselves. */
function expectedStats(reviews: Known[]) {
  const count = (matches: (one: Known) => boolean) => reviews.filter(matches).length;
  const resolved = reviews.filter(({ status }) => status === 'resolved');
  const took = resolved.reduce((sum, { createdAt, resolvedAt }) => sum + resolvedAt! - createdAt, 0);
  return {
    total: reviews.length,
    pending: count(({ status }) => status === 'pending_review'),
    inProgress: count(({ status }) => status === 'in_progress'),
    resolved: resolved.length,
    badReviews: count(({ rating }) => rating === 'bad'),
    needsImprovement: count(({ rating }) => rating === 'needs_improvement'),
    critical: count(({ priority }) => priority === 'critical'),
    highPriority: count(({ priority }) => priority === 'high'),
    // To 15 significant digits, as every average.
    avgResolutionHours: resolved.length === 0 ? 0 : Number((took / resolved.length / HOUR).toPrecision(15)),
  };
}

test('GET /reviews/stats: zeros without reviews, and the agent is required', async () => {
  const desk = await newDesk();
  assert.deepEqual(await desk.right('GET', `${STATS}?agentId=nobody`), NOTHING);
  for (const query of ['', '?agentId=', '?agentId=a&agentId=b', `?agentId=${'x'.repeat(201)}`]) {
    assertNames(await desk.request('GET', `${STATS}${query}`), 'agentId');
  }
  assertNames(await desk.request('GET', `${STATS}?agentId=a&status=resolved`), 'status');
});

test('GET /reviews/stats: resolution time ends at the first resolution', async (t) => {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const desk = await newDesk(await testApp(t, {}, { ...realEffects, now: () => now }));
  const average = async () => (await desk.right('GET', `${STATS}?agentId=support`)).avgResolutionHours;
  const [first, second] = [await desk.review(), await desk.review()];
  const set = async (hours: number, { id }: { id: string }, members: object) => {
    now += hours * HOUR;
    await desk.right('PATCH', `${REVIEWS}/${id}`, members);
  };
  await set(2, first, { status: 'resolved' });
  assert.equal(await average(), 2);
  await set(2, second, { status: 'resolved' });
  assert.equal(await average(), 3);
  await set(100, first, { status: 'resolved', comment: 'ainda resolvido' });
  assert.equal(await average(), 3, 'it was resolved already');
  await set(0, first, { status: 'in_progress' });
  assert.equal(await average(), 4);
  await set(4, first, { status: 'resolved' });
  assert.equal(await average(), 56);
  await desk.right('DELETE', `${REVIEWS}/${second.id}`);
  assert.equal(await average(), 108);
  await set(0, first, { status: 'wont_fix' });
  assert.equal(await average(), 0);
});

const AGENTS = ['support', 'Support', 'vendas ü'];
const some = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      agentId: some(AGENTS),
      rating: some(RATINGS),
      priority: some(PRIORITIES),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      which: fc.nat(),
      changes: fc.record(
        { status: some(REVIEW_STATUSES), priority: some(PRIORITIES), tags: fc.constant(['x']) },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }) },
);
const life = fc.array(fc.record({ tenant: fc.nat(1), ms: fc.nat(50 * HOUR), step }), { minLength: 15, maxLength: 30 });

test('GET /reviews/stats: equal the reviews after every change', async (t) => {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => now });
  const asCounted = fc.asyncProperty(life, async (steps) => {
    const tenants = [
      { desk: await newDesk(app), reviews: [] as Known[] },
      { desk: await newDesk(app), reviews: [] as Known[] },
    ];
    for (const { tenant, ms, step: taken } of steps) {
      now += ms;
      const { desk, reviews } = tenants[tenant]!;
      const known = 'which' in taken ? reviews[taken.which % (reviews.length || 1)] : undefined;
      if (taken.kind === 'create') {
        const { kind: _, ...members } = taken;
        const { id, status } = await desk.review({ ...members, comment: COMMENT });
        reviews.push({ id, status, ...members, createdAt: now, resolvedAt: null });
      } else if (known && taken.kind === 'remove') {
        await desk.right('DELETE', `${REVIEWS}/${known.id}`);
        reviews.splice(reviews.indexOf(known), 1);
      } else if (known && taken.kind === 'update' && Object.keys(taken.changes).length > 0) {
        await desk.right('PATCH', `${REVIEWS}/${known.id}`, taken.changes);
        const { status } = taken.changes;
        if (status === 'resolved') known.resolvedAt = known.status === 'resolved' ? known.resolvedAt : now;
        Object.assign(known, taken.changes);
      }
      for (const one of tenants) {
        for (const agentId of AGENTS) {
          const stats = await one.desk.right('GET', `${STATS}?agentId=${encodeURIComponent(agentId)}`);
          assert.deepEqual(stats, expectedStats(one.reviews.filter((review) => review.agentId === agentId)));
        }
        assert.deepEqual(await one.desk.right('GET', `${STATS}?agentId=*`), expectedStats(one.reviews));
      }
    }
  });
  await fc.assert(asCounted, { seed: 20_260_401, numRuns: 2 });
});
