import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { ApiKey } from '../../src/core/access/auth/schema.ts';
import type { KeyStore } from '../../src/core/access/auth/store.ts';
import type { QuotaLimits } from '../../src/core/limits/quotas/schema.ts';
import type { BudgetCheck, BudgetStore, QuotaStore, Reservation } from '../../src/core/limits/quotas/store.ts';
import { openStores, type StateBackend } from './backend.ts';
import { storedKey } from './key-store.ts';

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

  test(`BudgetStore (${name}): quarters have usage, of the tenant or a key`, async (t) => {
    const { store } = await opened(t);
    const use = async (at: number, members: Partial<Reservation>, spent: { tokens: number; nanos: number }) => {
      const { id } = reservation();
      await store.reserve(reservation({ id, at, ...members }), []);
      await store.settle(id, spent);
    };
    await use(FROM + 3 * QUARTER_MS, {}, amounts(5, 50));
    await use(FROM + 1, {}, amounts(1, 10));
    await use(FROM + 2, { keyId: 'another' }, amounts(2, 20));
    await use(FROM, { tenantId: 'two' }, amounts(100));
    await use(FROM - 1, {}, amounts(1));
    await use(TO, {}, amounts(1));
    await store.reserve(reservation({ at: FROM, tokens: 9 }), []);
    const quarters = (keyId: string | null) => store.quarters({ tenantId: 'one', keyId }, FROM, TO);
    const later = { quarter: FROM + 3 * QUARTER_MS, tokens: 5, nanos: 50 };
    assert.deepEqual(await quarters(null), [{ quarter: FROM, tokens: 3, nanos: 30 }, later]);
    assert.deepEqual(await quarters('key'), [{ quarter: FROM, tokens: 1, nanos: 10 }, later]);
    assert.deepEqual(await quarters('nobody'), []);
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

type QuotaBackend = StateBackend<{ store: QuotaStore; keys: KeyStore }>;

export function testQuotaStore(backend: QuotaBackend): void {
  const { name } = backend;
  const [tenant, key] = [
    { tenantId: 'one', keyId: null },
    { tenantId: 'one', keyId: 'key' },
  ];

  test(`QuotaStore (${name}): quotas are replaced as a whole; empty ones are removed`, async (t) => {
    const { store } = await openStores(backend, t);
    const first = { events: 5, 'cost-per-day': 1.5 };
    assert.equal(await store.replace(tenant, { before: {}, after: first }, 1), true);
    assert.equal(await store.replace(key, { before: {}, after: { 'tokens-per-day': 7 } }, 1), true);
    assert.deepEqual(await store.limits('one'), { tenant: first, keys: new Map([['key', { 'tokens-per-day': 7 }]]) });
    assert.equal(await store.replace(tenant, { before: first, after: { documents: 9 } }, 2), true);
    assert.equal(await store.replace(key, { before: { 'tokens-per-day': 7 }, after: {} }, 2), true);
    assert.deepEqual(await store.limits('one'), { tenant: { documents: 9 }, keys: new Map() });
    assert.deepEqual(await store.limits('two'), { tenant: {}, keys: new Map() });
  });

  test(`QuotaStore (${name}): limits that are other ones by now are not replaced`, async (t) => {
    const { store } = await openStores(backend, t);
    const [mine, theirs] = [{ events: 1 }, { events: 2 }];
    assert.equal(await store.replace(tenant, { before: mine, after: theirs }, 1), false, 'there are none');
    assert.equal(await store.replace(tenant, { before: mine, after: {} }, 1), false);
    assert.equal(await store.replace(tenant, { before: {}, after: theirs }, 1), true);
    for (const after of [mine, {}]) {
      assert.equal(await store.replace(tenant, { before: {}, after: mine }, 1), false, 'there are some');
      assert.equal(await store.replace(tenant, { before: mine, after }, 1), false);
    }
    assert.deepEqual((await store.limits('one')).tenant, theirs);
  });

  test(`QuotaStore (${name}): of writers at once that saw the same limits, one wins`, async (t) => {
    const { store } = await openStores(backend, t);
    const won = async (before: QuotaLimits) => {
      const limits = Array.from({ length: 8 }, (_, index) => ({ events: index + (before.events ?? 0) + 1 }));
      const wins = await Promise.all(limits.map((after) => store.replace(tenant, { before, after }, 1)));
      assert.equal(wins.filter(Boolean).length, 1);
      const winner = limits[wins.indexOf(true)]!;
      assert.deepEqual((await store.limits('one')).tenant, winner);
      return winner;
    };
    await won(await won({}));
  });

  test(`QuotaStore (${name}): keys that can be used, limited ones first, by a search`, async (t) => {
    const { store, keys } = await openStores(backend, t);
    const add = (id: string, label: string, members: Partial<ApiKey> = {}) =>
      keys.create(storedKey(label, { id, ...members }));
    await add('k1', 'Zebra');
    await add('k2', 'alpha 100%', { expiresAt: 11 });
    await add('k3', 'beta');
    await add('k4', 'revoked', { revokedAt: 1 });
    await add('k5', 'expired', { expiresAt: 10 });
    await add('k6', 'theirs', { tenantId: 'two' });
    await store.replace({ ...key, keyId: 'k1' }, { before: {}, after: { 'tokens-per-day': 7 } }, 1);
    const asked = { search: '', limit: 10, offset: 0, now: 10 };
    const all = await store.keys('one', asked);
    assert.deepEqual(all, {
      items: [
        { id: 'k1', label: 'Zebra', limits: { 'tokens-per-day': 7 } },
        { id: 'k2', label: 'alpha 100%', limits: {} },
        { id: 'k3', label: 'beta', limits: {} },
      ],
      total: 3,
    });
    const found = async (search: string) => (await store.keys('one', { ...asked, search })).items.map(({ id }) => id);
    assert.deepEqual(await found('ETA'), ['k3']);
    assert.deepEqual(await found('K2'), ['k2']);
    assert.deepEqual(await found('0%'), ['k2']);
    assert.deepEqual(await found('%'), ['k2'], 'a wildcard is a letter');
    assert.deepEqual(await store.keys('one', { ...asked, limit: 1, offset: 2 }), {
      items: all.items.slice(2),
      total: 3,
    });
  });
}
