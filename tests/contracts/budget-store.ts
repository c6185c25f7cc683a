import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { BudgetCheck, BudgetStore, QuotaStore, Reservation } from '../../src/core/limits/quotas/store.ts';
import { openStores, type StateBackend, type StoreBackend } from './backend.ts';

type Backend = StateBackend<{ store: BudgetStore }>;

const QUARTER_MS = 900_000;
const FROM = 100 * QUARTER_MS;
const TO = 200 * QUARTER_MS;

let counter = 0;

export function reservation(members: Partial<Reservation> = {}): Reservation {
  counter += 1;
  return { id: `chat-${counter}`, tenantId: 'one', keyId: 'key', at: FROM, tokens: 0, nanos: 0, ...members };
}

function check(limit: number, members: Partial<BudgetCheck> = {}): BudgetCheck {
  return { keyId: null, unit: 'nanos', limit, from: FROM, to: TO, ...members };
}

export function testBudgetStore(backend: Backend): void {
  const { name } = backend;
  const opened = (t: TestContext, at?: string) => openStores(backend, t, at);
  const spending = (store: BudgetStore, keyId: string | null = null, tenantId = 'one') =>
    store.spending(tenantId, keyId, FROM, TO);
  const amounts = (tokens: number, nanos = tokens) => ({ tokens, nanos });

  test(`BudgetStore (${name}): settling frees a reservation and counts its spending once`, async (t) => {
    const { store } = await opened(t);
    const { id } = reservation();
    assert.equal(await store.reserve(reservation({ id, tokens: 10, nanos: 500 }), []), null);
    for (const keyId of [null, 'key']) {
      assert.deepEqual(await spending(store, keyId), { used: amounts(0), reserved: amounts(10, 500) });
    }
    await store.settle(id, { tokens: 7, nanos: 350 });
    await store.settle(id, { tokens: 7, nanos: 350 });
    for (const keyId of [null, 'key']) {
      assert.deepEqual(await spending(store, keyId), { used: amounts(7, 350), reserved: amounts(0) });
    }
    const nothing = { used: amounts(0), reserved: amounts(0) };
    assert.deepEqual(await spending(store, 'another'), nothing);
    assert.deepEqual(await spending(store, null, 'two'), nothing);
  });

  test(`BudgetStore (${name}): a refused reservation changes nothing; the check is named`, async (t) => {
    const { store } = await opened(t);
    const { id } = reservation();
    assert.equal(await store.reserve(reservation({ id, nanos: 60 }), [check(100)]), null);
    const refused = await store.reserve(reservation({ nanos: 41 }), [check(1_000), check(100), check(1)]);
    assert.deepEqual(refused, { check: 1, taken: { used: amounts(0), reserved: amounts(0, 60) } });
    assert.equal(await store.reserve(reservation({ nanos: 40 }), [check(100)]), null);
    assert.equal((await spending(store)).reserved.nanos, 100);
    // The same id is changed, not added, and keeps what it had when the change does not fit.
    assert.equal((await store.reserve(reservation({ id, nanos: 61 }), [check(100)]))?.taken.reserved.nanos, 40);
    assert.equal((await spending(store)).reserved.nanos, 100);
    assert.equal(await store.reserve(reservation({ id, nanos: 50 }), [check(100)]), null);
    assert.equal((await spending(store)).reserved.nanos, 90);
  });

  test(`BudgetStore (${name}): a window counts reservations by their time, end excluded`, async (t) => {
    const { store } = await opened(t);
    for (const at of [FROM - 1, FROM, TO - 1, TO]) {
      const { id } = reservation();
      await store.reserve(reservation({ id, at, tokens: 1 }), []);
      assert.equal(await store.reserve(reservation({ at, tokens: 1 }), []), null);
      await store.settle(id, amounts(1, 0));
    }
    assert.deepEqual(await spending(store), { used: amounts(2, 0), reserved: amounts(2, 0) });
    await store.prune(TO);
    assert.deepEqual(await store.spending('one', null, 0, TO + QUARTER_MS), {
      ...{ used: amounts(1, 0), reserved: amounts(4, 0) },
    });
  });

  test(`BudgetStore (${name}): reservations survive reopening, and are counted`, async (t) => {
    const { store, close, at } = await opened(t);
    await store.reserve(reservation({ tokens: 5, nanos: 50 }), []);
    await store.reserve(reservation({ tokens: 5, nanos: 50, keyId: null }), []);
    await close();
    const { store: again } = await opened(t, at);
    assert.deepEqual((await spending(again)).reserved, amounts(10, 100));
    assert.equal(await again.settleAbandoned(), 2);
    assert.equal(await again.settleAbandoned(), 0);
    assert.deepEqual(await spending(again), { used: amounts(10, 100), reserved: amounts(0) });
    assert.deepEqual((await spending(again, 'key')).used, amounts(5, 50));
  });

  test(`BudgetStore (${name}): concurrent reservations are checked one after the other`, async (t) => {
    const { store } = await opened(t);
    const asked = Array.from({ length: 200 }, () => store.reserve(reservation({ nanos: 30 }), [check(1_000)]));
    const fitting = (await Promise.all(asked)).filter((refused) => refused === null);
    assert.equal(fitting.length, 33);
    assert.equal((await spending(store)).reserved.nanos, 990);
  });

  test(`BudgetStore (${name}): random reservations keep sums exact and limits intact`, async (t) => {
    const { store } = await opened(t);
    const limit = 10_000;
    const chats = fc.array(
      fc.record({ reserved: fc.integer({ min: 1, max: 3_000 }), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
      { maxLength: 30 },
    );
    let window = 0;
    await fc.assert(
      fc.asyncProperty(chats, async (asked) => {
        window += 1;
        const at = TO + window * QUARTER_MS;
        const bounds = { from: at, to: at + QUARTER_MS };
        let [used, reserved] = [0, 0];
        for (const [index, { reserved: nanos, share }] of asked.entries()) {
          const { id } = reservation();
          const refused = await store.reserve(reservation({ id, at, nanos }), [check(limit, bounds)]);
          assert.equal(refused === null, used + reserved + nanos <= limit);
          if (refused) continue;
          if (index % 3 === 0) reserved += nanos;
          else {
            const spent = Math.floor(nanos * share);
            await store.settle(id, { tokens: 0, nanos: spent });
            used += spent;
          }
          assert.deepEqual(await store.spending('one', null, bounds.from, bounds.to), {
            ...{ used: amounts(0, used), reserved: amounts(0, reserved) },
          });
        }
      }),
      { numRuns: 20 },
    );
  });
}

export function testQuotaStore({ name, open }: StoreBackend<QuotaStore>): void {
  test(`QuotaStore (${name}): quotas are replaced as a whole; empty ones are removed`, async (t) => {
    const store = await open(t);
    await store.put('one', null, { events: 5, 'cost-per-day': 1.5 }, 1);
    await store.put('one', 'key', { 'tokens-per-day': 7 }, 1);
    assert.deepEqual(await store.limits('one'), {
      tenant: { events: 5, 'cost-per-day': 1.5 },
      keys: new Map([['key', { 'tokens-per-day': 7 }]]),
    });
    await store.put('one', null, { documents: 9 }, 2);
    await store.put('one', 'key', {}, 2);
    assert.deepEqual(await store.limits('one'), { tenant: { documents: 9 }, keys: new Map() });
    assert.deepEqual(await store.limits('two'), { tenant: {}, keys: new Map() });
  });
}
