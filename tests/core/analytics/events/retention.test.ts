import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Retention } from '../../../../src/core/analytics/events/retention.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { EVENTS, type TestApp, testApp } from '../../../support/app.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

async function remaining(app: TestApp, key = app.key): Promise<string[]> {
  const { body } = await app.request('GET', `${EVENTS}/feed`, undefined, { 'x-api-key': key });
  const names = body.events.map(({ eventName }: { eventName: string }) => eventName);
  assert.equal(body.total, names.length);
  return names;
}

function retentionOf({ runtime }: TestApp, failures: unknown[] = []) {
  const expired: [string, number][] = [];
  const retention = new Retention({
    tenants: runtime.tenantStore,
    store: runtime.eventStore,
    effects: realEffects,
    onExpired: (tenantId, events) => expired.push([tenantId, events]),
    onError: (error) => failures.push(error),
  });
  return { retention, expired };
}

const EVENTS_OF_ALL_AGES = [
  { eventName: 'old', timestamp: daysAgo(31) },
  { eventName: 'recent', timestamp: daysAgo(29) },
  { eventName: 'new', timestamp: daysAgo(0) },
];

test("Retention: removes a tenant's expired events and the names left without events", async (t) => {
  const app = await testApp(t);
  await app.ingest(EVENTS_OF_ALL_AGES);
  const { retention, expired } = retentionOf(app);
  t.after(() => retention.close());
  await retention.run();
  assert.deepEqual(await remaining(app), ['new', 'recent', 'old'], 'without a retention everything stays');

  await app.runtime.tenants.changeSettings('default', { retentionDays: 30 }, null);
  await retention.run();
  assert.deepEqual(await remaining(app), ['new', 'recent']);
  assert.deepEqual(expired, [[app.tenantId, 1]]);
  const known = await app.runtime.eventStore.knownEvents(app.tenantId, null);
  assert.deepEqual(known.map(({ eventName }) => eventName).sort(), ['new', 'recent']);

  await app.runtime.tenants.changeSettings('default', { retentionDays: null }, null);
  await app.ingest([{ eventName: 'old', timestamp: daysAgo(31) }]);
  await retention.run();
  assert.deepEqual(await remaining(app), ['new', 'recent', 'old']);
});

test('Retention: each tenant has its own retention', async (t) => {
  const app = await testApp(t);
  await app.runtime.tenants.create({ name: 'other' });
  const other = await app.newKey({ tenant: 'other' });
  await app.ingest(EVENTS_OF_ALL_AGES);
  await app.ingest(EVENTS_OF_ALL_AGES, other);
  await app.runtime.tenants.changeSettings('other', { retentionDays: 1 }, null);
  const { retention } = retentionOf(app);
  t.after(() => retention.close());
  await retention.run();
  assert.deepEqual(await remaining(app), ['new', 'recent', 'old']);
  assert.deepEqual(await remaining(app, other), ['new']);
});

test('Retention: many tenants expire at once, and one that fails stops no other', async (t) => {
  const asked: string[] = [];
  const all = Promise.withResolvers<void>();
  const expire = async (tenantId: string) => {
    if (asked.push(tenantId) === 3) all.resolve();
    await all.promise;
    if (tenantId === 'b') throw new Error('Fails.');
    return 1;
  };
  const expired: string[] = [];
  const failures: unknown[] = [];
  const retention = new Retention({
    tenants: { shortestRetention: async () => 1, find: async () => ({ retentionDays: 1 }) } as never,
    store: { expire, expiring: async () => ({ a: 0, b: 0, c: null }) } as never,
    effects: realEffects,
    onExpired: (tenantId) => expired.push(tenantId),
    onError: (error) => failures.push(error),
  });
  t.after(() => retention.close());
  await retention.run();
  assert.deepEqual([expired, failures.length], [['a', 'c'], 1]);
});

test('Retention: a value that is not a number of days is refused', async (t) => {
  const app = await testApp(t);
  for (const days of [0, -1, 1.5, 40_000]) {
    await assert.rejects(app.runtime.tenants.changeSettings('default', { retentionDays: days }, null), {
      code: 'invalid',
    });
  }
  await assert.rejects(app.runtime.tenants.changeSettings('nobody', { retentionDays: 1 }, null), { code: 'not_found' });
});
