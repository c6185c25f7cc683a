import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { type BucketStore, LeasedBuckets, sliceOf } from '../../../src/core/limits/leased-buckets.ts';
import { TokenBuckets } from '../../../src/core/limits/token-buckets.ts';
import { testBucketStore } from '../../contracts/bucket-store.ts';
import { MemoryBucketStore } from '../../support/bucket-store.ts';

testBucketStore({
  name: 'memory',
  open: async () => {
    const store = new MemoryBucketStore();
    const pass = async (ms: number) => {
      store.clock.now += ms;
    };
    return { stores: [store, store], pass };
  },
});

const RATE = { perMinute: 1_200, burst: 200 };

/** Nodes whose clocks differ, over one store. */
function nodesOver(store: MemoryBucketStore, offsets: number[]) {
  return offsets.map((offset) => nodeOver(store, () => store.clock.now + offset));
}

function nodeOver(store: BucketStore, now: () => number, onChange: (isAway: boolean) => void = () => undefined) {
  return new LeasedBuckets({ store, own: new TokenBuckets(now), elapsed: now, onChange, answerMs: 60_000 });
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

test('LeasedBuckets: nodes pass what one would, and a slice each', async () => {
  const step = fc.record({
    node: fc.nat(2),
    requests: fc.integer({ min: 1, max: 60 }),
    pause: fc.constantFrom(0, 0, 10, 500, 5_000),
  });
  const offsets = fc.tuple(fc.nat(1e9), fc.nat(1e9), fc.nat(1e9));
  await fc.assert(
    fc.asyncProperty(offsets, fc.array(step, { maxLength: 30 }), async (skew, steps) => {
      const store = new MemoryBucketStore();
      const nodes = nodesOver(store, skew);
      const passed: { at: number; count: number }[] = [];
      for (const { node, requests, pause } of steps) {
        const asking = Array.from({ length: requests }, () => nodes[node]!.takeEach([{ name: 'key', rate: RATE }]));
        const count = (await Promise.all(asking)).filter((lacking) => lacking === null).length;
        passed.push({ at: store.clock.now, count });
        await settled();
        store.clock.now += pause;
      }
      // In any span of time.
      for (const [first, { at: from }] of passed.entries()) {
        let sum = 0;
        for (const { at, count } of passed.slice(first)) {
          sum += count;
          const allowed = RATE.burst + ((at - from) * RATE.perMinute) / 60_000 + nodes.length * sliceOf(RATE);
          assert.ok(sum <= allowed, `${sum} of ${allowed}`);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test('LeasedBuckets: one node may use the burst, but the slices of others', async () => {
  const store = new MemoryBucketStore();
  const [busy, idle] = nodesOver(store, [0, 5_000]);
  assert.equal(await idle!.takeEach([{ name: 'key', rate: RATE }]), null);
  await settled();
  let passed = 0;
  while ((await busy!.takeEach([{ name: 'key', rate: RATE }])) === null) passed += 1;
  assert.ok(passed >= RATE.burst - 1 - sliceOf(RATE), `${passed}`);
  store.clock.now += 1_000;
  assert.equal(await busy!.takeEach([{ name: 'key', rate: RATE }]), null);
});

test('LeasedBuckets: few requests ask the store, refused ones do not', async () => {
  const store = new MemoryBucketStore();
  let exchanges = 0;
  const counting: BucketStore = {
    exchange: (asked) => {
      exchanges += 1;
      return store.exchange(asked);
    },
    tokens: (name, rate) => store.tokens(name, rate),
  };
  const node = nodeOver(counting, () => store.clock.now);
  let waited = 0;
  for (let count = 0; count < RATE.burst; count++) {
    const taken = node.takeEach([{ name: 'key', rate: RATE }]);
    if (taken instanceof Promise) waited += 1;
    assert.equal(await taken, null);
    await settled();
  }
  assert.equal(waited, 1, 'the first one');
  assert.ok(exchanges < RATE.burst / 4, `${exchanges}`);
  const before = exchanges;
  for (let count = 0; count < 50; count++) assert.ok(await node.takeEach([{ name: 'key', rate: RATE }]));
  assert.ok(exchanges <= before + 1, `${exchanges - before}`);
});

test('LeasedBuckets: slow limits have no slice, and are exact', async () => {
  const store = new MemoryBucketStore();
  const rate = { perMinute: 60, burst: 30 };
  assert.equal(sliceOf(rate), 0);
  const nodes = nodesOver(store, [0, 1, 2]);
  const asking = Array.from({ length: 100 }, (_, index) => nodes[index % 3]!.takeEach([{ name: 'key', rate }]));
  assert.equal((await Promise.all(asking)).filter((lacking) => lacking === null).length, 30);
});

test('LeasedBuckets: a refused request takes no token from other buckets', async () => {
  const store = new MemoryBucketStore();
  const [node] = nodesOver(store, [0]);
  const both = [
    { name: 'key', rate: { perMinute: 1, burst: 1 } },
    { name: 'tenant', rate: { perMinute: 60, burst: 50 } },
  ];
  assert.equal(await node!.takeEach(both), null);
  const refused = await Promise.all(Array.from({ length: 20 }, () => node!.takeEach(both)));
  assert.deepEqual([...new Set(refused.map((lacking) => lacking?.index))], [0]);
  assert.equal(refused[0]!.retryAfter, 60);
  await settled();
  assert.equal(await node!.tokens('tenant', both[1]!.rate), 49);
});

test('LeasedBuckets: without the store each node limits on its own', async () => {
  const store = new MemoryBucketStore();
  const failing = { isAway: false };
  const changes: boolean[] = [];
  const sometimes: BucketStore = {
    exchange: (asked) => (failing.isAway ? Promise.reject(new Error('away')) : store.exchange(asked)),
    tokens: (name, rate) => (failing.isAway ? Promise.reject(new Error('away')) : store.tokens(name, rate)),
  };
  const node = nodeOver(
    sometimes,
    () => store.clock.now,
    (isAway) => changes.push(isAway),
  );
  const rate = { perMinute: 60, burst: 30 };
  const take = async (count: number) => {
    const taken = [];
    for (let one = 0; one < count; one++) taken.push(await node.takeEach([{ name: 'key', rate }]));
    return taken.filter((lacking) => lacking === null).length;
  };
  assert.equal(await take(10), 10);
  failing.isAway = true;
  assert.equal(await take(100), 20, 'what it let through before counts');
  assert.equal(await node.tokens('key', rate), 0);
  assert.deepEqual(changes, [true]);
  store.clock.now += 999;
  failing.isAway = false;
  await take(1);
  await settled();
  assert.deepEqual(changes, [true], 'asked again after a second');
  store.clock.now += 1;
  assert.equal(await take(1), 1);
  await settled();
  assert.deepEqual(changes, [true, false]);
  assert.equal(await take(100), 21, 'the store knows what it granted');
});

test('LeasedBuckets: a store that does not answer in time is away', async (t: TestContext) => {
  const answers: (() => void)[] = [];
  const store = new MemoryBucketStore();
  const slow: BucketStore = {
    exchange: async (asked) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return store.exchange(asked);
    },
    tokens: () => new Promise(() => undefined),
  };
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const own = new TokenBuckets(() => store.clock.now);
  const changes: boolean[] = [];
  const node = new LeasedBuckets({
    ...{ store: slow, own, elapsed: () => store.clock.now },
    onChange: (isAway) => changes.push(isAway),
  });
  const rate = { perMinute: 60, burst: 2 };
  const waiting = node.takeEach([{ name: 'key', rate }]);
  await nextTurn();
  t.mock.timers.tick(250);
  assert.equal(await waiting, null);
  assert.deepEqual(changes, [true]);
  for (const answer of answers) answer();
  await settled();
  assert.equal(await node.takeEach([{ name: 'key', rate }]), null);
  assert.ok(await node.takeEach([{ name: 'key', rate }]));
});
