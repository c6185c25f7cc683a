import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../src/core/effects.ts';
import { testApp } from '../support/app.ts';
import { endOfJob, ingestText } from '../support/knowledge.ts';

const DAY_MS = 86_400_000;

test('jobs are forgotten 90 days after their end, by the clock that told their end', async (t) => {
  let now = Date.parse('2020-01-01T12:00:00.000Z');
  const app = await testApp(t, {}, { ...realEffects, now: () => now });
  const first = await ingestText(app, 'A refund takes five days.', { name: 'one.md' });
  await ingestText(app, 'Lamps are bright.', { name: 'two.md' });
  assert.equal((await endOfJob(app, first.jobId)).status, 'completed', 'long ago only by another clock');

  now += 91 * DAY_MS;
  await ingestText(app, 'Chairs are not.', { name: 'three.md' });
  const { knowledge } = app.runtime;
  // Whatever is being taken away has gone once an erasure has settled.
  await knowledge.erase((await app.runtime.auth.createTenant({ name: 'another' })).id);
  await assert.rejects(endOfJob(app, first.jobId), /answered 404/);
});
