import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OnDemand } from '../../../../src/core/base/concurrency/on-demand.ts';

const REST_MS = 1_000;

/** A resource that is a number, the next one with each opening, and what happened to it. */
function counted(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const happened: string[] = [];
  const errors: unknown[] = [];
  const does = {
    open: async () => undefined as unknown,
    close: async () => undefined as unknown,
    isAtRest: async () => true,
  };
  let last = 0;
  const onDemand = new OnDemand<number>({
    open: async () => {
      happened.push('opens');
      await does.open();
      return ++last;
    },
    close: async (resource) => {
      happened.push(`closes ${resource}`);
      await does.close();
      happened.push(`closed ${resource}`);
    },
    isAtRest: () => does.isAtRest(),
    restMs: REST_MS,
    onError: (error) => errors.push(error),
  });
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await nextTurn();
  };
  return { onDemand, happened, errors, does, pass };
}

const same = async (resource: number) => resource;

test('OnDemand: the first use opens it, and concurrent ones share the opening', async (t) => {
  const { onDemand, happened } = counted(t);
  assert.deepEqual([onDemand.opened, happened], [null, []]);
  assert.deepEqual(await Promise.all([onDemand.use(same), onDemand.use(same)]), [1, 1]);
  assert.deepEqual([onDemand.opened, happened], [1, ['opens']]);
});

test('OnDemand: it is closed after some time without a use, and opened by the next', async (t) => {
  const { onDemand, happened, pass } = counted(t);
  await onDemand.use(same);
  await pass(REST_MS - 1);
  await onDemand.use(same);
  await pass(REST_MS - 1);
  assert.deepEqual(happened, ['opens'], 'each use begins the time anew');
  await pass(1);
  assert.deepEqual([onDemand.opened, happened.slice(1)], [null, ['closes 1', 'closed 1']]);
  assert.equal(await onDemand.use(same), 2);
});

test('OnDemand: it stays open during a use, however long', async (t) => {
  const { onDemand, happened, pass } = counted(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  const using = onDemand.use(() => promise);
  await nextTurn();
  await pass(10 * REST_MS);
  resolve();
  await using;
  await pass(REST_MS - 1);
  assert.deepEqual(happened, ['opens']);
  await pass(1);
  assert.equal(onDemand.opened, null);
});

test('OnDemand: while it is not at rest, or a use began meanwhile, it stays open', async (t) => {
  const { onDemand, happened, errors, does, pass } = counted(t);
  does.isAtRest = async () => false;
  await onDemand.use(same);
  await pass(REST_MS);
  const reason = new Error('no answer');
  does.isAtRest = () => Promise.reject(reason);
  await pass(REST_MS);
  assert.deepEqual(errors, [reason]);
  does.isAtRest = async () => {
    await onDemand.use(same);
    return true;
  };
  await pass(REST_MS);
  assert.deepEqual(happened, ['opens']);
  does.isAtRest = async () => true;
  await pass(REST_MS);
  assert.deepEqual(happened, ['opens', 'closes 1', 'closed 1']);
});

test('OnDemand: a use during the closing waits for its end, and opens it again', async (t) => {
  for (const failure of [null, new Error('not closed')]) {
    const { onDemand, happened, errors, does, pass } = counted(t);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    does.close = () => promise;
    await onDemand.use(same);
    await pass(REST_MS);
    const using = onDemand.use(same);
    await nextTurn();
    assert.deepEqual(happened, ['opens', 'closes 1']);
    if (failure === null) resolve();
    else reject(failure);
    assert.equal(await using, 2);
    assert.deepEqual(happened.slice(2), failure === null ? ['closed 1', 'opens'] : ['opens']);
    assert.deepEqual(errors, failure === null ? [] : [failure]);
    t.mock.timers.reset();
  }
});

test('OnDemand: a failed opening rejects its callers, and the next call tries again', async (t) => {
  const { onDemand, happened, does } = counted(t);
  const reason = new Error('not opened');
  does.open = () => Promise.reject(reason);
  const results = await Promise.allSettled([onDemand.use(same), onDemand.open()]);
  assert.deepEqual(
    results.map((result) => result.status === 'rejected' && result.reason),
    [reason, reason],
  );
  does.open = async () => undefined;
  assert.equal(await onDemand.use(same), 1);
  assert.deepEqual(happened, ['opens', 'opens']);
});

test('OnDemand: closing it for good waits for an opening; later uses are refused', async (t) => {
  const { onDemand, happened, does, pass } = counted(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  does.open = () => promise;
  const using = onDemand.use(same);
  const closing = onDemand.close();
  await assert.rejects(onDemand.use(same), { code: 'unavailable' });
  resolve();
  assert.equal(await using, 1);
  await closing;
  await onDemand.close();
  await pass(REST_MS);
  assert.deepEqual(happened, ['opens', 'closes 1', 'closed 1']);
});

test('OnDemand: what is closed needs no closing', async (t) => {
  const { onDemand, happened, pass } = counted(t);
  await onDemand.use(same);
  await pass(REST_MS);
  await onDemand.close();
  assert.deepEqual(happened, ['opens', 'closes 1', 'closed 1']);
});

test('OnDemand: what was never opened needs no closing', async (t) => {
  const { onDemand, happened } = counted(t);
  await onDemand.close();
  assert.deepEqual(happened, []);
});
