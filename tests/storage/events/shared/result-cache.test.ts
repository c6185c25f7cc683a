import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanResult, QueryPlan } from '../../../../src/core/analytics/events/query-plan.ts';
import { planTable } from '../../../../src/core/analytics/events/questions/plan.ts';
import { ResultCache, type ResultVersion } from '../../../../src/storage/events/shared/result-cache.ts';
import { tableQuestion } from '../../../reference/questions.ts';

const CONTEXT = { agentId: null, timezone: 'UTC', now: Date.parse('2026-01-02T00:00:00Z') };

function planOf(eventName: string): QueryPlan {
  return planTable(tableQuestion({ eventName, mode: 'aggregate', groupBy: 'color' }), CONTEXT);
}

function resultOf(text: string): PlanResult {
  return { rows: [[text]], total: 1, matched: 1, firstAt: 0, lastAt: 0 };
}

/** The data is at version `now`, and changed last at `changed`. */
function at(now: number, changed = 0): ResultVersion {
  return { now, isCurrent: (version) => changed <= version };
}

test('ResultCache: an answer is computed again only after what it read has changed', async () => {
  const cache = new ResultCache(1e6);
  let computed = 0;
  const ask = (tenant: string, version: ResultVersion) =>
    cache.result([tenant, planOf('a')], version, async () => resultOf(`${++computed}`));
  assert.deepEqual(await ask('t', at(1)), resultOf('1'));
  assert.deepEqual(await ask('t', at(2, 1)), resultOf('1'));
  assert.deepEqual(await ask('other', at(2)), resultOf('2'));
  assert.deepEqual(await ask('t', at(3, 3)), resultOf('3'));
  assert.deepEqual(await ask('t', { now: 4, isCurrent: async () => true }), resultOf('3'));
  cache.clear();
  assert.deepEqual(await ask('other', at(4)), resultOf('4'));
  const { hits, misses } = cache.stats;
  assert.deepEqual({ hits, misses }, { hits: 2, misses: 4 });
});

test('ResultCache: a caller that changes its result does not change the cached one', async () => {
  const cache = new ResultCache(1e6);
  const ask = () => cache.result(['t', planOf('a')], at(1), async () => resultOf('one'));
  for (let time = 0; time < 3; time++) {
    const result = await ask();
    assert.deepEqual(result, resultOf('one'));
    result.rows.push(['more']);
  }
});

test('ResultCache: an answer has the version that was read before it', async () => {
  const cache = new ResultCache(1e6);
  const late = Promise.withResolvers<PlanResult>();
  const early = cache.result(['t', planOf('a')], at(1), () => late.promise);
  late.resolve(resultOf('before'));
  assert.deepEqual(await early, resultOf('before'));
  const after = await cache.result(['t', planOf('a')], at(2, 2), async () => resultOf('after'));
  assert.deepEqual(after, resultOf('after'));
});

test('ResultCache: a failed computation is not cached', async () => {
  const cache = new ResultCache(1e6);
  await assert.rejects(
    cache.result(['t', planOf('a')], at(1), () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.deepEqual(await cache.result(['t', planOf('a')], at(1), async () => resultOf('yes')), resultOf('yes'));
});

test('ResultCache: LRU eviction keeps it within its size, without oversized results', async () => {
  const cache = new ResultCache(20_000);
  const asked: string[] = [];
  const ask = (eventName: string, size: number) =>
    cache.result(['t', planOf(eventName)], at(1), async () => {
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
  const ask = () => cache.result(['t', planOf('a')], at(1), async () => resultOf(`${++computed}`));
  for (let time = 0; time < 2; time++) await ask();
  assert.equal(computed, 2);
});
