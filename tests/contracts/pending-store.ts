import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PendingStore } from '../../src/core/limits/rates/pending.ts';

export interface Backend {
  name: string;
  skip?: string | false;
  /** Stores of several nodes over one place. `pass` lets the time of their clock pass. */
  open(t: TestContext): Promise<{ stores: PendingStore[]; pass(ms: number): Promise<void> }>;
}

export function testPendingStore({ name, skip = false, open }: Backend): void {
  const put = (store: PendingStore, key: string, value: unknown, { owner = 'ada', lifetimeMs = 60_000, of = 2 } = {}) =>
    store.put('login', key, { owner, value, lifetimeMs }, of);

  test(`PendingStore (${name}): an entry ends with its time, and is taken once`, { skip }, async (t) => {
    const { stores, pass } = await open(t);
    const [here, there] = [stores[0]!, stores.at(-1)!];
    const value = { text: 'né', list: [1, null], none: null };
    await put(here, 'key', value);
    assert.deepEqual(await there.get('login', 'key'), value);
    assert.equal(await there.get('step-up', 'key'), null, 'of another kind');
    await pass(59_999);
    assert.deepEqual(await there.get('login', 'key'), value);
    await pass(1);
    assert.deepEqual([await here.get('login', 'key'), await there.take('login', 'key')], [null, null]);
    await put(here, 'key', 'again');
    assert.deepEqual([await there.take('login', 'key'), await here.take('login', 'key')], ['again', null]);
  });

  test(`PendingStore (${name}): of many that take an entry one gets it`, { skip }, async (t) => {
    const { stores } = await open(t);
    for (let turn = 0; turn < 5; turn++) {
      await put(stores[0]!, 'key', turn);
      const asking = Array.from({ length: 10 }, (_, index) => stores[index % stores.length]!.take('login', 'key'));
      const taken = (await Promise.all(asking)).filter((value) => value !== null);
      assert.deepEqual(taken, [turn]);
    }
  });

  test(`PendingStore (${name}): a new entry replaces its owner's oldest alone`, { skip }, async (t) => {
    const { stores } = await open(t);
    const [here, there] = [stores[0]!, stores.at(-1)!];
    await put(here, 'theirs', 0, { owner: 'bob' });
    await put(here, 'a', 1, { lifetimeMs: 120_000 });
    await put(there, 'b', 1);
    await put(here, 'c', 1);
    const kept = (keys: string[]) => Promise.all(keys.map((key) => there.get('login', key)));
    assert.deepEqual(await kept(['theirs', 'a', 'b', 'c']), [0, null, 1, 1]);
    await put(there, 'b', 2);
    assert.deepEqual(await kept(['b', 'c']), [2, 1], 'the same key again removes no other');
    await put(here, 'd', 3);
    assert.deepEqual(await kept(['b', 'c', 'd']), [2, null, 3], 'and is the newest');
  });

  test(`PendingStore (${name}): uses are counted exactly, also at once`, { skip }, async (t) => {
    const { stores } = await open(t);
    await put(stores[0]!, 'key', 1);
    const counting = Array.from({ length: 10 }, (_, index) => stores[index % stores.length]!.count('login', 'key'));
    const counts = (await Promise.all(counting)).toSorted((one, other) => one - other);
    assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await put(stores[0]!, 'key', 2);
    assert.equal(await stores.at(-1)!.count('login', 'key'), 11);
    assert.equal(await stores[0]!.count('login', 'unknown'), 0);
  });
}
