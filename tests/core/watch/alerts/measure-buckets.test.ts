import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition } from '../../../../src/core/watch/alerts/conditions.ts';
import { type BucketRange, measureBuckets } from '../../../../src/core/watch/alerts/evaluate.ts';
import { testApp } from '../../../support/app.ts';

const NOW = Date.parse('2026-03-02T10:20:00Z');

test('measureBuckets: counts the last complete bucket of the zone, and those before it', async (t) => {
  const app = await testApp(t, {}, { now: () => NOW, newId: () => crypto.randomUUID() });
  const at = (time: string) => ({ eventName: 'order', timestamp: time });
  await app.ingest([
    ...['2026-02-28T12:00:00Z', '2026-03-01T02:30:00Z', '2026-03-01T12:00:00Z', '2026-03-02T02:59:00Z'].map(at),
    ...['2026-03-02T09:00:00Z', '2026-03-02T10:10:00Z'].map(at),
  ]);
  const ask = (range: BucketRange) =>
    app.runtime.events.measure(app.caller, { eventName: 'order', aggregation: 'count', ...range });
  const points = async (condition: Condition, unit: 'hour' | 'day', timezone = 'UTC') => {
    const checked = await measureBuckets({ condition, unit, timezone, now: NOW }, ask);
    return checked.points.map(({ bucket, value }) => [bucket, value]);
  };
  const threshold: Condition = { type: 'threshold', operator: 'gt', value: 1 };
  const change: Condition = { type: 'change', operator: 'gt', ratio: 1, compareTo: 'previous_period' };
  assert.deepEqual(await points(threshold, 'day'), [['2026-03-01T00:00:00+00:00', 2]]);
  // The day in São Paulo ends at 03:00 UTC.
  assert.deepEqual(await points(change, 'day', 'America/Sao_Paulo'), [
    ['2026-02-28T00:00:00-03:00', 2],
    ['2026-03-01T00:00:00-03:00', 2],
  ]);
  assert.deepEqual(await points(threshold, 'hour'), [['2026-03-02T09:00:00+00:00', 1]]);
  assert.equal((await points({ type: 'anomaly' }, 'day')).length, 57);
  const none = await measureBuckets({ condition: { type: 'no_data' }, unit: 'hour', timezone: 'UTC', now: NOW }, ask);
  assert.equal(none.matched, 1, 'the running hour does not count');

  const { cases } = await measureBuckets(
    { condition: change, unit: 'day', timezone: 'America/Sao_Paulo', now: NOW },
    ask,
  );
  const { events } = await app.runtime.events.cases(app.caller, cases!, { limit: 10, offset: 0 });
  const times = events.map(({ timestamp }) => timestamp);
  assert.deepEqual(times, ['2026-03-02T02:59:00.000Z', '2026-03-01T12:00:00.000Z'], 'the last bucket alone');
});
