import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BucketStore } from '../../src/core/limits/leased-buckets.ts';

export interface Backend {
  name: string;
  skip?: string | false;
  /** Stores of several nodes over one place. `pass` lets the time of their clock pass, also backwards. */
  open(t: TestContext): Promise<{ stores: BucketStore[]; pass(ms: number): Promise<void> }>;
}

/** So slow that the time of the test adds nothing. */
const SLOW = { perMinute: 0.001, burst: 50 };

/** The contract of the port `BucketStore`. Every backend runs it. */
export function testBucketStore({ name, skip = false, open }: Backend): void {
  const ask = async (store: BucketStore, tokens: number, rate = SLOW, bucket = 'key') =>
    (await store.exchange([{ name: bucket, rate, tokens }]))[0]!;

  test(`BucketStore (${name}): nodes that race get the burst together`, { skip }, async (t) => {
    const { stores } = await open(t);
    const asking = Array.from({ length: 40 }, (_, index) => ask(stores[index % stores.length]!, 3));
    const granted = (await Promise.all(asking)).map((answer) => answer.granted);
    assert.equal(
      granted.reduce((sum, one) => sum + one),
      50,
    );
    assert.ok((await ask(stores[0]!, 1)).waitMs > 0);
  });

  test(`BucketStore (${name}): what is given back others get`, { skip }, async (t) => {
    const { stores } = await open(t);
    const [here, there] = [stores[0]!, stores.at(-1)!];
    assert.deepEqual(await ask(here, 50), { granted: 50, waitMs: 0 });
    assert.deepEqual(await ask(here, -20), { granted: -20, waitMs: 0 });
    assert.equal(Math.floor(await there.tokens('key', SLOW)), 20);
    assert.equal((await ask(there, 30)).granted, 20);
    await ask(there, -80);
    assert.equal((await ask(here, 80)).granted, 50);
    assert.equal(await here.tokens('another', SLOW), 50);
  });

  test(`BucketStore (${name}): fills by one clock, which may go back`, { skip }, async (t) => {
    const { stores, pass } = await open(t);
    const [here, there] = [stores[0]!, stores.at(-1)!];
    const hourly = { perMinute: 1 / 60, burst: 3 };
    const { granted, waitMs } = await ask(here, 5, hourly);
    assert.equal(granted, 3);
    assert.ok(waitMs > 3_590_000 && waitMs <= 3_600_000, `${waitMs}`);
    await pass(3_600_000);
    assert.equal((await ask(there, 2, hourly)).granted, 1);
    await pass(-7_200_000);
    assert.equal((await ask(here, 1, hourly)).granted, 0);
    await pass(3_600_000);
    assert.equal((await ask(there, 1, hourly)).granted, 1);
    await pass(100 * 3_600_000);
    assert.equal((await ask(there, 10, hourly)).granted, 3, 'no more than the burst');
  });

  test(`BucketStore (${name}): several buckets never deadlock`, { skip }, async (t) => {
    const { stores } = await open(t);
    const names = Array.from({ length: 10 }, (_, index) => `bucket ${index}`);
    const all = (order: string[]) => order.map((one) => ({ name: one, rate: SLOW, tokens: 1 }));
    const racing = Array.from({ length: 30 }, (_, index) =>
      stores[index % stores.length]!.exchange(all(index % 2 ? names : names.toReversed())),
    );
    for (const answers of await Promise.all(racing)) assert.ok(answers.every(({ granted }) => granted === 1));
    assert.equal(Math.floor(await stores[0]!.tokens(names[3]!, SLOW)), 20);
    assert.deepEqual(await stores[0]!.exchange([]), []);
  });
}
