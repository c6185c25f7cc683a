import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairLimiter, type FairLimiterOptions } from '../../../../src/core/base/concurrency/fair-limiter.ts';

const OPTIONS: FairLimiterOptions = {
  concurrency: 4,
  perKeyAlone: 3,
  perKeyContended: 1,
  maxQueue: 10,
  rejection: 'Too many.',
};

function controlled(options: Partial<FairLimiterOptions> = {}) {
  const clock = { now: 0 };
  const limiter = new FairLimiter({ ...OPTIONS, ...options }, () => clock.now);
  const running: { key: string; end: () => void }[] = [];
  const start = (key: string, signal?: AbortSignal) =>
    limiter.run(key, () => new Promise<void>((end) => running.push({ key, end })), signal);
  const end = async (key: string) => {
    const at = running.findIndex((task) => task.key === key);
    running.splice(at, 1)[0]?.end();
    await nextTurn();
  };
  const keys = () => running.map(({ key }) => key).join('');
  return { limiter, clock, start, end, keys };
}

test('FairLimiter: one key never takes every slot', async () => {
  const { start, keys } = controlled();
  for (let count = 0; count < 6; count += 1) void start('a');
  assert.equal(keys(), 'aaa');
  void start('b');
  assert.equal(keys(), 'aaab');
});

test('FairLimiter: a key runs one task at a time while another key is active', async () => {
  const { start, end, keys, clock } = controlled();
  void start('b');
  await end('b');
  for (let count = 0; count < 6; count += 1) void start('a');
  assert.equal(keys(), 'a', 'b was active just now');
  await end('a');
  assert.equal(keys(), 'a');
  clock.now = 6_000;
  await end('a');
  assert.equal(keys(), 'aaa', 'b has been idle for a while');
});

test('FairLimiter: free slots go to waiting keys in turn', async () => {
  const { start, end, keys } = controlled({ concurrency: 1, perKeyAlone: 1 });
  for (const key of ['a', 'a', 'a', 'b', 'b', 'c']) void start(key);
  let order = '';
  for (let count = 0; count < 6; count += 1) {
    order += keys();
    await end(keys());
  }
  assert.equal(order, 'abcaba');
});

test('FairLimiter: a full queue rejects as unavailable and leaves other keys alone', async () => {
  const { start, keys } = controlled({ maxQueue: 1 });
  for (let count = 0; count < 4; count += 1) void start('a');
  await assert.rejects(start('a'), { code: 'unavailable', message: 'Too many.', retryAfter: 1 });
  void start('b');
  assert.equal(keys(), 'aaab');
});

test('FairLimiter: what waits is bounded over all keys; a refused key leaves no trace', async () => {
  const { limiter, clock, start, end, keys } = controlled({ concurrency: 1, maxQueueOfAll: 2, retryAfter: 5 });
  for (const key of ['a', 'b', 'c']) void start(key);
  await assert.rejects(start('d'), { code: 'unavailable', message: 'Too many.', retryAfter: 5 });
  for (const key of ['a', 'b', 'c']) await end(key);
  assert.equal(keys(), '');
  clock.now = 6_000;
  for (const key of ['a', 'a', 'a']) void start(key);
  assert.equal(limiter.isContended('a'), false);
  await assert.rejects(start('d'), { code: 'unavailable' });
});

test('FairLimiter: without a maximum a task waits until it is aborted', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const limiter = new FairLimiter({ ...OPTIONS, concurrency: 1 });
  void limiter.run('a', () => new Promise(() => undefined));
  const leaves = new AbortController();
  const waiting = assert.rejects(
    limiter.run('b', async () => undefined, leaves.signal),
    /gone/,
  );
  t.mock.timers.tick(1_000_000_000);
  leaves.abort(new Error('gone'));
  await waiting;
});

test('FairLimiter: a task that waits too long is rejected as unavailable', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { start, end, keys } = controlled({ concurrency: 1, perKeyAlone: 1, maxWaitMs: 1_000 });
  void start('a');
  const late = assert.rejects(start('b'), { code: 'unavailable', retryAfter: 1 });
  t.mock.timers.tick(1_000);
  await late;
  void start('c');
  await end('a');
  assert.equal(keys(), 'c');
});

test('FairLimiter: an aborted task leaves the queue and frees its slot', async () => {
  const { start, end, keys } = controlled({ concurrency: 1, perKeyAlone: 1, maxQueue: 1 });
  void start('a');
  const leaves = new AbortController();
  const left = assert.rejects(start('a', leaves.signal), /gone/);
  leaves.abort(new Error('gone'));
  await left;
  void start('a');
  await end('a');
  assert.equal(keys(), 'a');
});

test('FairLimiter: a task that throws frees its slot', async () => {
  const { limiter, start, keys } = controlled({ concurrency: 1, perKeyAlone: 1 });
  await assert.rejects(
    limiter.run('a', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  void start('b');
  assert.equal(keys(), 'b');
});
