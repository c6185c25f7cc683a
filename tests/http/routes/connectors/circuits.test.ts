import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { connectorEvents } from '../../../support/connector-events.ts';
import { collected } from '../../../support/memory.ts';
import { applyConnector, call, json, petsAt, startApi } from '../../../support/outside-api.ts';
import { eventually } from '../../../support/process.ts';
import { rareTest } from '../../../support/rare.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';

const newApp = tenantsOfThisFile();

const GET = { resource: 'getPet', data: { petId: 1 } };

test('POST /connectors: a failing API opens the circuit until a probe succeeds', async (t) => {
  let passed = 0;
  const app = await testApp(t, {}, { ...realEffects, now: () => realEffects.now() + passed });
  let isHealthy = false;
  const api = await startApi(t, (_, response) => json(response, isHealthy ? 200 : 500, {}));
  await applyConnector(app, petsAt(api.url));
  await applyConnector(app, petsAt(api.url, { slug: 'other', name: 'Other' }));
  for (let count = 0; count < 5; count += 1) assert.equal((await call(app, GET)).body.metadata.attempts, 1);
  const open = await call(app, GET);
  assert.deepEqual([open.status, open.headers.get('retry-after'), api.asked.length], [502, '5', 5]);
  assert.equal(open.body.error, '"pets" has failed again and again, and is not asked for 5 s.');
  assert.deepEqual([open.body.metadata.attempts, open.body.metadata.retrySafe], [0, true]);
  assert.equal((await call(app, GET, 'other')).body.metadata.attempts, 1, 'each connector has its own');
  passed += 5_001;
  const tried = await Promise.all(Array.from({ length: 20 }, () => call(app, GET)));
  assert.equal(tried.filter(({ body }) => body.metadata.attempts === 1).length, 1, 'one of all tries it');
  isHealthy = true;
  assert.equal((await call(app, GET)).headers.get('retry-after'), '10', 'longer after a failed try');
  passed += 10_001;
  assert.equal((await call(app, GET)).status, 200);
  const all = await Promise.all(Array.from({ length: 20 }, () => call(app, GET)));
  assert.ok(all.every(({ status }) => status === 200));
});

test('POST /connectors: a cancelled waiting call frees its slot', async (t) => {
  const app = await newApp(t);
  const release = Promise.withResolvers<void>();
  const api = await startApi(t, async (_, response) => {
    await release.promise;
    json(response, 200, {});
  });
  await applyConnector(app, petsAt(api.url, { maxConcurrent: 1 }));
  const first = call(app, GET);
  await eventually('the first is inside', async () => api.asked.length === 1, 5_000);
  for (let count = 0; count < 3; count += 1) {
    const { status, body } = await call(app, { ...GET, options: { timeout: 30 } });
    assert.deepEqual([status, body.metadata.attempts, body.metadata.retrySafe], [504, 0, true]);
  }
  const next = call(app, GET);
  release.resolve();
  assert.deepEqual([(await first).status, (await next).status, api.asked.length], [200, 200, 2]);
});

/** The sizes of the executor's internal maps. */
function held({ runtime }: TestApp): number[] {
  const { breakers, limiter } = runtime.connectorExecution as unknown as {
    breakers: { circuits: Map<string, unknown> };
    limiter: { byKey: Map<string, unknown> };
  };
  return [breakers.circuits.size, limiter.byKey.size];
}

rareTest(
  'POST /connectors: 300 callers of a failing API are answered, without a leak',
  {
    timeout: 60_000,
  },
  async (t) => {
    const app = await testApp(t, { rateLimit: 0 });
    let count = 0;
    let isHealthy = false;
    const api = await startApi(t, (_, response) => {
      count += 1;
      if (isHealthy || count % 3 > 0) return json(response, 200, { text: 'x'.repeat(2_000) });
      if (count % 2 === 0) return response.destroy();
      return json(response, 503, { error: 'for now' });
    });
    await applyConnector(app, petsAt(api.url, { retry: { attempts: 2 } }));
    const statuses = new Map<number, number>();
    const walk = async (until: number) => {
      while (performance.now() < until) {
        const { status } = await call(app, GET);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const round = (ms: number) => {
      const until = performance.now() + ms;
      return Promise.all(Array.from({ length: 300 }, () => walk(until)));
    };
    await round(1_000);
    const before = collected();
    await round(2_000);
    const grown = collected() - before;
    const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    t.diagnostic(`${total} calls: ${JSON.stringify([...statuses])}; grown by ${Math.round(grown / 1024)} KiB`);
    assert.deepEqual(
      [...statuses.keys()].filter((status) => ![200, 502, 503].includes(status)),
      [],
    );
    assert.ok((statuses.get(200) ?? 0) > 0);
    isHealthy = true;
    await eventually('all is well again', async () => (await call(app, GET)).status === 200, 15_000);
    assert.deepEqual(held(app), [0, 0]);
    assert.ok(grown < 40 * 1024 * 1024, `grown by ${grown} bytes`);
    const [one] = await connectorEvents(app, 'executed', statuses.get(200)!);
    assert.equal(one.connector, 'pets');
  },
);

test('POST /connectors: a changed address starts with a closed circuit', async (t) => {
  const app = await newApp(t);
  const [bad, good] = [await startApi(t, (_, response) => json(response, 500, {})), await startApi(t)];
  await applyConnector(app, petsAt(bad.url));
  for (let count = 0; count < 6; count += 1) await call(app, GET);
  await applyConnector(app, petsAt(good.url));
  assert.equal((await call(app, GET)).status, 200);
});
