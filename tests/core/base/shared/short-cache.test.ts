import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShortCache } from '../../../../src/core/base/shared/short-cache.ts';

/** A cache of the numbers of its reads. */
function cacheWith(maximum = 10) {
  let now = 1_000;
  let reads = 0;
  const cache = new ShortCache<number>(() => now, maximum);
  const get = (key = 'a') => cache.get(key, async () => ++reads);
  const pass = (ms: number) => {
    now += ms;
  };
  return { cache, get, pass };
}

test('ShortCache: a value is fresh for half a second, unless the clock is set back', async () => {
  const { get, pass } = cacheWith();
  assert.equal(await get(), 1);
  pass(499);
  assert.equal(await get(), 1);
  pass(1);
  assert.equal(await get(), 2);
  pass(-1);
  assert.equal(await get(), 3);
});

test('ShortCache: the age counts from the begin of the read', async () => {
  const { cache, get, pass } = cacheWith();
  const slow = cache.get('a', async () => {
    pass(400);
    return 0;
  });
  assert.equal(await slow, 0);
  pass(99);
  assert.equal(await get(), 0);
  pass(1);
  assert.equal(await get(), 1);
});

test('ShortCache: a read gets the value before, however old', async () => {
  const { cache, pass } = cacheWith();
  const passed: (number | undefined)[] = [];
  for (const value of [1, 2, 3]) {
    pass(10_000);
    await cache.get('a', async (before) => {
      passed.push(before);
      return value;
    });
  }
  assert.deepEqual(passed, [undefined, 1, 2]);
});

test('ShortCache: concurrent reads share a result or failure, which is not cached', async () => {
  const { cache, get } = cacheWith();
  let reads = 0;
  const fail = () =>
    cache.get('a', async () => {
      reads += 1;
      throw new Error('not there');
    });
  const results = await Promise.allSettled([fail(), fail(), fail()]);
  assert.deepEqual([reads, new Set(results.map(({ status }) => status))], [1, new Set(['rejected'])]);
  assert.deepEqual(await Promise.all([get(), get(), get()]), [1, 1, 1]);
});

test('ShortCache: a failed read removes the old value', async () => {
  const { cache, get, pass } = cacheWith();
  await get();
  pass(500);
  await assert.rejects(cache.get('a', () => Promise.reject(new Error('gone'))));
  const before = await cache.get('a', async (value) => value ?? -1);
  assert.equal(before, -1);
});

test('ShortCache: evicts old entries, never for a failed read', async () => {
  const { cache, get, pass } = cacheWith(2);
  await get('a');
  await get('b');
  pass(500);
  await get('a');
  const absent = Array.from({ length: 100 }, (_, index) =>
    cache.get(`absent ${index}`, () => Promise.reject(new Error('not there'))),
  );
  await Promise.allSettled(absent);
  assert.equal(await get('a'), 3);
  await get('c');
  assert.deepEqual([await get('a'), await get('c')], [3, 4]);
  assert.equal(await get('b'), 5, 'it was the oldest');
});

for (const way of ['expire', 'clear'] as const) {
  test(`ShortCache: after ${way} everything is read again, pending reads are dropped`, async () => {
    const { cache, get } = cacheWith();
    await get('b');
    const begun = Promise.withResolvers<number>();
    const old = cache.get('a', () => begun.promise);
    cache[way]();
    const fresh = get('a');
    begun.resolve(-1);
    assert.equal(await old, -1, 'whoever asked before has what was then');
    assert.equal(await fresh, 2);
    assert.deepEqual([await get('a'), await get('b')], [2, 3]);
  });
}

test('ShortCache: expire keeps the value before for the next read, clear does not', async () => {
  const { cache, get } = cacheWith();
  await get();
  cache.expire();
  assert.equal(await cache.get('a', async (before) => before ?? -1), 1);
  cache.clear();
  assert.equal(await cache.get('a', async (before) => before ?? -1), -1);
});
