import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PlanResult, QueryPlan } from '../../../../../src/core/analytics/events/query-plan.ts';
import { planTable } from '../../../../../src/core/analytics/events/questions/plan.ts';
import { ResultCache } from '../../../../../src/storage/events/duckdb/read/result-cache.ts';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { tableQuestion } from '../../../../reference/questions.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';

const CONTEXT = { agentId: null, timezone: 'UTC', now: Date.parse('2026-01-02T00:00:00Z') };

function planOf(eventName: string): QueryPlan {
  return planTable(tableQuestion({ eventName, mode: 'aggregate', groupBy: 'color' }), CONTEXT);
}

function resultOf(text: string): PlanResult {
  return { rows: [[text]], total: 1, matched: 1, firstAt: 0, lastAt: 0 };
}

test('ResultCache: a result is computed again only after its tenant has changed', async () => {
  const cache = new ResultCache(1e6);
  let computed = 0;
  const ask = (tenantId: string) => cache.result(tenantId, planOf('a'), async () => resultOf(`${++computed}`));
  assert.deepEqual(await ask('t'), resultOf('1'));
  assert.deepEqual(await ask('t'), resultOf('1'));
  assert.deepEqual(await ask('other'), resultOf('2'));
  cache.changed('t');
  assert.deepEqual(await ask('t'), resultOf('3'));
  assert.deepEqual(await ask('other'), resultOf('2'));
  cache.clear();
  assert.deepEqual(await ask('other'), resultOf('4'));
  const { hits, misses } = cache.stats;
  assert.deepEqual({ hits, misses }, { hits: 2, misses: 4 });
});

test('ResultCache: a caller that changes its result does not change the cached one', async () => {
  const cache = new ResultCache(1e6);
  const ask = () => cache.result('t', planOf('a'), async () => resultOf('one'));
  for (let time = 0; time < 3; time++) {
    const result = await ask();
    assert.deepEqual(result, resultOf('one'));
    result.rows.push(['more']);
  }
});

test('ResultCache: a result is not stored if its tenant changed meanwhile', async () => {
  const cache = new ResultCache(1e6);
  const late = Promise.withResolvers<PlanResult>();
  const early = cache.result('t', planOf('a'), () => late.promise);
  cache.changed('t');
  late.resolve(resultOf('before'));
  assert.deepEqual(await early, resultOf('before'));
  assert.deepEqual(await cache.result('t', planOf('a'), async () => resultOf('after')), resultOf('after'));
});

test('ResultCache: a failed computation is not cached', async () => {
  const cache = new ResultCache(1e6);
  await assert.rejects(
    cache.result('t', planOf('a'), () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.deepEqual(await cache.result('t', planOf('a'), async () => resultOf('yes')), resultOf('yes'));
});

test('ResultCache: LRU eviction keeps it within its size, without oversized results', async () => {
  const cache = new ResultCache(20_000);
  const asked: string[] = [];
  const ask = (eventName: string, size: number) =>
    cache.result('t', planOf(eventName), async () => {
      asked.push(eventName);
      return resultOf('x'.repeat(size));
    });
  for (let number = 0; number < 100; number++) {
    await ask(`a${number}`, 500);
    await ask('a0', 500);
    assert.ok(cache.stats.bytes <= 20_000);
  }
  assert.equal(asked.filter((name) => name === 'a0').length, 1);
  await ask('a1', 500);
  assert.equal(asked.filter((name) => name === 'a1').length, 2);
  for (let time = 0; time < 2; time++) await ask('large', 5_000);
  assert.equal(asked.filter((name) => name === 'large').length, 2);
});

test('ResultCache: size 0 turns it off', async () => {
  const cache = new ResultCache(0);
  let computed = 0;
  for (let time = 0; time < 2; time++) await cache.result('t', planOf('a'), async () => resultOf(`${++computed}`));
  assert.equal(computed, 2);
});

const TENANTS = ['t', 'other'];
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), thread: fc.constantFrom('one', 'two') }) },
  fc.record({ kind: fc.constant('eraseThread' as const), thread: fc.constantFrom('one', 'two') }),
  fc.constant({ kind: 'eraseTenant' as const, thread: '' }),
  fc.constant({ kind: 'expire' as const, thread: '' }),
);
const step = fc.record({ tenant: fc.constantFrom(...TENANTS), change });

test('DuckdbEventStore: a client that waited for a change never gets a cached result', async (t) => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 20 }), async (steps) => {
    const store = await DuckdbEventStore.open(
      storeOptions(temporaryDirectory(t), { memoryLimit: '256MB', resultCacheBytes: 1e6 }),
    );
    const threads = new Map(TENANTS.map((tenant) => [tenant, [] as string[]]));
    for (const { tenant, change } of steps) {
      const { kind, thread } = change;
      // Queries during the change: their cached results must not outlive it.
      const asking = TENANTS.map((asked) => store.query(asked, planOf('a')));
      const left = threads.get(tenant)!;
      if (kind === 'append') {
        const { receipt } = await store.append(tenant, [
          storedEvent({ threadId: thread, properties: '{"color":"red"}' }),
        ]);
        assert.ok(await store.waitFor(receipt, 5_000));
        left.push(thread);
      } else if (kind === 'expire') {
        await store.expire(tenant, CONTEXT.now);
        left.length = 0;
      } else {
        await store.erase(tenant, kind === 'eraseThread' ? { threadId: thread } : {});
        threads.set(tenant, kind === 'eraseThread' ? left.filter((one) => one !== thread) : []);
      }
      for (const asked of TENANTS) {
        assert.equal((await store.query(asked, planOf('a'))).matched, threads.get(asked)!.length);
      }
      await Promise.all(asking);
    }
    assert.ok((await store.stats()).resultCache.hits > 0);
    await store.close();
  });
  await fc.assert(property, { numRuns: 2 });
});
