import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { AlertChecker } from '../../../../src/core/watch/alerts/checker.ts';
import type { Condition } from '../../../../src/core/watch/alerts/conditions.ts';
import { type BucketRange, measureBuckets } from '../../../../src/core/watch/alerts/evaluate.ts';
import { testApp } from '../../../support/app.ts';
import { ALERTS, alertApp, eventsAt, FEW, few, HOURLY } from './support.ts';

/** The states that became events, oldest first. */
async function recordedStates(app: Awaited<ReturnType<typeof alertApp>>): Promise<string[]> {
  await app.runtime.eventStore.settle();
  const question = { eventName: 'runtime.alert_changed', mode: 'raw', agentId: '*', columns: ['properties.to'] };
  const { body } = await app.request('POST', '/api/v1/runtime/v1/observability/events/query', question);
  return body.rows.map((row: Record<string, unknown>) => row['properties.to']).toReversed();
}

test('Alerts: a change that ends a problem is recorded, and the end is sent', async (t) => {
  const { app, id } = await few(t, { every: '0 * * * *' });
  await app.ingest([...eventsAt('2026-11-24T09:30:00Z', 6), ...eventsAt('2026-11-24T10:30:00Z', 6)]);
  await app.until('2026-11-24T10:01:00Z');
  assert.equal((await app.stateOf(id)).state, 'alerting');

  await app.request('PATCH', `${ALERTS}/${id}`, { condition: { ...FEW, value: 5 } });
  assert.equal((await app.stateOf(id)).state, 'ok');
  const [change] = (await app.history(id)).changes;
  assert.deepEqual([change.from, change.to, change.value, change.notified], ['alerting', 'ok', null, false]);
  await app.until('2026-11-24T11:01:00Z');
  assert.deepEqual(await app.messages(id), [
    'alert.alerting: Few: 6 is below 10',
    'alert.ok: Few: 6, the condition no longer holds',
  ]);
  assert.deepEqual(await recordedStates(app), ['alerting', 'ok', 'ok']);
});

test('Alerts: one that still alerts after a change sends nothing again', async (t) => {
  const { app, id } = await few(t, { every: '0 * * * *' });
  await app.until('2026-11-24T10:01:00Z');
  await app.request('PATCH', `${ALERTS}/${id}`, { condition: { ...FEW, value: 5 } });
  await app.until('2026-11-24T11:01:00Z');
  assert.equal((await app.stateOf(id)).state, 'alerting');
  assert.deepEqual(await app.messages(id), ['alert.alerting: Few: 0 is below 10']);
});

test('Alerts: a removed alert leaves the events of its changes', async (t) => {
  const { app, id } = await few(t, { every: '0 * * * *', targets: [] });
  await app.until('2026-11-24T10:01:00Z');
  await app.request('PATCH', `${ALERTS}/${id}`, { condition: { ...FEW, value: 5 } });
  assert.equal((await app.request('DELETE', `${ALERTS}/${id}`)).status, 204);
  assert.deepEqual((await recordedStates(app)).sort(), ['alerting', 'ok']);
});

test('Alerts: numbers of reviews need their scope, on whatever way', async (t) => {
  const app = await alertApp(t, '2026-11-24T09:58:00Z');
  const reviewed = { ...HOURLY, review: { rating: ['bad'] } };
  const body = { title: 'Bad', question: reviewed, condition: FEW };
  const id = await app.create(body);
  const key = await app.newKey({ scopes: ['alerts:read', 'alerts:write', 'events:read', 'dashboards:read'] });
  const other = await app.create({ title: 'Few', question: HOURLY, condition: FEW });
  for (const [method, path, sent] of [
    ['POST', ALERTS, body],
    ['POST', `${ALERTS}/${id}/test`, {}],
    ['PATCH', `${ALERTS}/${other}`, { question: reviewed }],
    ['PATCH', `${ALERTS}/${other}`, { question: reviewed, enabled: false }],
  ] as const) {
    const answer = await app.request(method, path, sent, { 'x-api-key': key });
    assert.equal(answer.status, 403, `${method} ${path}`);
    assert.match(answer.body.message, /reviews:read/);
  }
});

test('AlertChecker: after 15 minutes a server that cannot answer is a failed check', async (t) => {
  const { app, id } = await few(t, { every: '0 0 1 1 *', targets: [] });
  const stored = (await app.runtime.alertStore.find(app.tenantId, id))!;
  const measure = () => Promise.reject(new RuntimeError('unavailable', 'The events cannot be read.'));
  const checker = new AlertChecker({
    store: app.runtime.alertStore,
    events: { measure, resolveKpi: (caller, input) => app.runtime.events.resolveKpi(caller, input) },
    dashboards: app.runtime.dashboards,
    deliveries: app.runtime.deliveries,
    effects: { now: app.clock.now, newId: () => crypto.randomUUID() },
    portalUrl: () => null,
    onChange: () => undefined,
    onError: () => undefined,
  });
  const { signal } = new AbortController();
  const dueBefore = (minutes: number) => ({ ...stored, nextDue: app.clock.time - minutes * 60_000 });
  await assert.rejects(checker.check(dueBefore(15), signal), { code: 'unavailable' });
  await checker.check(dueBefore(16), signal);
  const { lastCheck, nextCheckAt, state } = await app.stateOf(id);
  assert.deepEqual([lastCheck.error, state], ['The events cannot be read.', 'ok']);
  assert.equal(nextCheckAt, '2026-11-24T10:03:00.000Z', 'a failed check is repeated soon');
});

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
  const times = events.map((text) => (JSON.parse(text) as { timestamp: string }).timestamp);
  assert.deepEqual(times, ['2026-03-02T02:59:00.000Z', '2026-03-01T12:00:00.000Z'], 'the last bucket alone');
});
