import assert from 'node:assert/strict';
import type { TestContext, test } from 'node:test';
import fc from 'fast-check';
import { fieldOf } from '../../src/core/analytics/events/predicates.ts';
import { aggregatePlan, type QueryPlan, type Selection } from '../../src/core/analytics/events/query-plan.ts';
import type { EventStore } from '../../src/core/analytics/events/store.ts';
import { storedEvent } from './event-store.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const NAMES = ['a', 'b', 'runtime.chat_completed'];
const TENANTS = ['one', 'other'];

const all: Selection = { agentId: null, eventNames: null, from: null, to: null, predicates: [] };
const on = (eventNames: string[] | null, from: number | null, to: number | null): Selection => ({
  ...all,
  eventNames,
  from: from === null ? null : START + from * DAY,
  to: to === null ? null : START + to * DAY,
});
const counted = (selection: Selection): QueryPlan =>
  aggregatePlan({
    selection,
    groupBy: [fieldOf('threadId')],
    metrics: [{ aggregation: 'count', field: null }],
  });
const bucket = { unit: 'day' as const, offsets: [{ until: null, offset: 0 }] };
const isNamed = (name: string) => ({
  field: fieldOf('eventName'),
  test: { kind: 'oneOf' as const, values: [name] },
  negated: false,
});
const condition = { eventName: 'b', from: START, to: START + 2 * DAY, predicates: [], atLeast: 1 };

const PLANS: QueryPlan[] = [
  counted(on(['a'], 0, 1)),
  counted(on(['a'], 1, null)),
  counted(on(['b'], null, 2)),
  counted(on(['a', 'b'], 0, 2)),
  counted(all),
  counted({ ...all, includesOwn: true }),
  counted({ ...on(['a'], 2, 3), segments: [{ by: fieldOf('threadId'), conditions: [condition] }] }),
  {
    kind: 'funnel',
    selection: on(['a', 'b'], 0, 1),
    steps: ['a', 'b'].map((eventName) => ({ eventName, predicates: [] })),
    by: fieldOf('threadId'),
    windowMs: DAY,
  },
  {
    kind: 'retention',
    selection: on(['a', 'b'], 0, 1),
    start: [isNamed('a')],
    returned: [isNamed('b')],
    by: fieldOf('threadId'),
    bucket,
    periods: 2,
    through: START + 3 * DAY,
  },
];

const change = fc.record({
  tenant: fc.constantFrom(...TENANTS),
  kind: fc.constantFrom('append', 'append', 'append', 'append', 'erase', 'expire'),
  name: fc.constantFrom(...NAMES),
  day: fc.nat(4),
  thread: fc.constantFrom('t1', 't2', 't3'),
});

/** The store must have a result cache. */
export function testResultCache(
  { name, openStore }: { name: string; openStore: (t: TestContext) => Promise<EventStore> },
  define: typeof test,
  runs = 3,
): void {
  define(`${name}: a cached answer is the one that is computed, after every change`, async (t) => {
    const store = await openStore(t);
    const property = fc.asyncProperty(fc.array(change, { minLength: 8, maxLength: 16 }), async (changes) => {
      for (const one of changes) {
        // Answers of questions during the change must not outlive it.
        const asking = PLANS.map((plan) => store.query(one.tenant, plan));
        await apply(store, one);
        for (const tenant of TENANTS) for (const plan of PLANS) await assertCurrent(store, tenant, plan);
        await Promise.all(asking);
      }
      for (const tenant of TENANTS) await store.erase(tenant, {});
    });
    await fc.assert(property, { numRuns: runs });
  });

  define(`${name}: an answer stays until one of its names changes in its range`, async (t) => {
    const store = await openStore(t);
    const events = [0, 1, 2].flatMap((day) => ['a', 'b'].map((name) => ({ name, day, thread: 't1' })));
    for (const one of events) await apply(store, { ...one, tenant: 'one', kind: 'append' });
    const isHit = async (plan: QueryPlan) => {
      const { hits } = (await store.stats()).resultCache;
      await store.query('one', plan);
      return (await store.stats()).resultCache.hits > hits;
    };
    for (const plan of PLANS) assert.equal(await isHit(plan), false);
    for (const plan of PLANS) assert.equal(await isHit(plan), true);
    await apply(store, { tenant: 'one', kind: 'append', name: 'runtime.chat_completed', day: 2, thread: 't1' });
    assert.deepEqual(await eachOf(PLANS, isHit), [true, true, true, true, true, false, true, true, true]);
    await apply(store, { tenant: 'one', kind: 'append', name: 'b', day: 3, thread: 't1' });
    assert.deepEqual(await eachOf(PLANS, isHit), [true, true, true, true, false, false, true, true, true]);
    await apply(store, { tenant: 'one', kind: 'append', name: 'b', day: 1, thread: 't2' });
    assert.deepEqual(await eachOf(PLANS, isHit), [true, true, false, false, false, false, false, false, false]);
    await apply(store, { tenant: 'other', kind: 'append', name: 'a', day: 0, thread: 't1' });
    assert.deepEqual(
      await eachOf(PLANS, isHit),
      PLANS.map(() => true),
    );
    await store.erase('one', { threadId: 't2' });
    assert.deepEqual(
      await eachOf(PLANS, isHit),
      PLANS.map(() => false),
    );
  });
}

async function eachOf<Item, Result>(items: Item[], use: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await use(item));
  return results;
}

async function apply(
  store: EventStore,
  { tenant, kind, name, day, thread }: { tenant: string; kind: string; name: string; day: number; thread: string },
): Promise<void> {
  if (kind === 'erase') await store.erase(tenant, { threadId: thread });
  else if (kind === 'expire') await store.expire(tenant, START + day * DAY);
  else {
    const event = storedEvent({ eventName: name, timestamp: START + day * DAY + 1, threadId: thread });
    const { receipt } = await store.append(tenant, [event]);
    assert.ok(await store.waitFor(receipt, 10_000));
  }
}

let others = 0;

/** A plan with a member that stores ignore is another question for the cache. */
async function assertCurrent(store: EventStore, tenant: string, plan: QueryPlan): Promise<void> {
  others += 1;
  const other: QueryPlan = Object.assign({ ...plan }, { other: others });
  const computed = await store.query(tenant, other);
  assert.deepEqual(await store.query(tenant, plan), computed, JSON.stringify(plan));
}
