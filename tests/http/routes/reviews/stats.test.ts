import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { assertNames } from '../dashboards/support.ts';
import { newDesk, REVIEWS, STATS } from './support.ts';

const NOTHING = {
  ...{ total: 0, pending: 0, inProgress: 0, resolved: 0, badReviews: 0, needsImprovement: 0, critical: 0 },
  ...{ highPriority: 0, avgResolutionHours: 0 },
};
const HOUR = 3_600_000;

test('GET /reviews/stats: zeros without reviews, and the agent is required', async () => {
  const desk = await newDesk();
  assert.deepEqual(await desk.right('GET', `${STATS}?agentId=nobody`), NOTHING);
  for (const query of ['', '?agentId=', '?agentId=a&agentId=b', `?agentId=${'x'.repeat(201)}`]) {
    assertNames(await desk.request('GET', `${STATS}${query}`), 'agentId');
  }
  assertNames(await desk.request('GET', `${STATS}?agentId=a&status=resolved`), 'status');
});

test('GET /reviews/stats: counts by status, rating and priority, of one agent or all', async () => {
  const desk = await newDesk();
  const first = await desk.review({ priority: 'critical' });
  await desk.review({ rating: 'needs_improvement', priority: 'high' });
  await desk.review({ rating: 'good', agentId: 'sales' });
  await desk.right('PATCH', `${REVIEWS}/${first.id}`, { status: 'in_progress' });
  const own = { ...NOTHING, total: 2, pending: 1, inProgress: 1, badReviews: 1, needsImprovement: 1 };
  const ofSupport = { ...own, critical: 1, highPriority: 1 };
  assert.deepEqual(await desk.right('GET', `${STATS}?agentId=support`), ofSupport);
  assert.deepEqual(await desk.right('GET', `${STATS}?agentId=*`), { ...ofSupport, total: 3, pending: 2 });
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
