import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { ingested, jobOf } from '../../../support/knowledge.ts';

const DAY_MS = 86_400_000;

test("Removal: jobs are deleted 90 days after their end, by the caller's clock", async (t) => {
  let now = Date.parse('2020-01-01T12:00:00.000Z');
  const app = await testApp(t, {}, { ...realEffects, now: () => now });
  const first = await ingested(app, { name: 'one.md', content: 'A refund takes five days.' });
  await ingested(app, { name: 'two.md', content: 'Lamps are bright.' });
  assert.equal((await jobOf(app, first.jobId)).status, 'completed', 'long ago only by another clock');

  now += 91 * DAY_MS;
  await ingested(app, { name: 'three.md', content: 'Chairs are not.' });
  const { knowledge } = app.runtime;
  // Once an erasure has settled, pending removals are done.
  await knowledge.erase((await app.runtime.tenants.create({ name: 'another' })).id);
  await assert.rejects(jobOf(app, first.jobId), /answered 404/);
});
