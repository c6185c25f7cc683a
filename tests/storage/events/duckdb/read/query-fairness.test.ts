import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planTable } from '../../../../../src/core/analytics/events/questions/plan.ts';
import type { EventStore } from '../../../../../src/core/analytics/events/store.ts';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { tableQuestion } from '../../../../reference/questions.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';

const EVENTS = 6_000;
const AT_ONCE = 40;
const REFUSED = 5;

test('DuckdbEventStore: a query does not wait for the queue of another tenant', async (t) => {
  const store = await DuckdbEventStore.open(storeOptions(temporaryDirectory(t)));
  t.after(() => store.close());
  await store.append('busy', some(EVENTS));
  await store.append('other', some(10));
  await store.settle();
  for (const question of [() => ask(store, 'other'), () => store.knownEvents('other', null)]) {
    let answered = 0;
    const busy = Array.from({ length: AT_ONCE }, () => ask(store, 'busy').then(() => ++answered));
    await question();
    assert.ok(answered < AT_ONCE / 4, `${answered} questions were answered first`);
    await Promise.all(busy);
  }
});

test('DuckdbEventStore: the queue of a tenant is bounded, and ping bypasses it', async (t) => {
  const store = await DuckdbEventStore.open(storeOptions(temporaryDirectory(t)));
  t.after(() => store.close());
  await store.append('busy', some(EVENTS));
  await store.settle();
  const leave = new AbortController();
  // Three run and a hundred wait.
  const asked = Array.from({ length: 103 + REFUSED }, () => ask(store, 'busy', leave.signal));
  const settled = Promise.allSettled(asked);
  await assert.rejects(asked.at(-1)!, { code: 'unavailable', retryAfter: 1 });
  await store.ping();
  leave.abort(new Error('left'));
  const refused = (await settled).filter(
    (one) => one.status === 'rejected' && /Too many queries/.test(one.reason.message),
  );
  assert.equal(refused.length, REFUSED);
  await ask(store, 'busy');
});

function ask(store: EventStore, tenantId: string, signal?: AbortSignal) {
  const input = tableQuestion({
    eventName: 'a',
    mode: 'aggregate',
    groupBy: 'user',
    metrics: [{ aggregation: 'distinct_count', propertyKey: 'user', alias: 'users' }],
  });
  return store.query(tenantId, planTable(input, { agentId: null, timezone: 'UTC', now: 0 }), signal);
}

function some(count: number) {
  return Array.from({ length: count }, (_, index) =>
    storedEvent({ properties: JSON.stringify({ user: `user-${index}` }) }),
  );
}
