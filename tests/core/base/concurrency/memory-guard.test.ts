import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryBudget } from '../../../../src/core/base/concurrency/memory-budget.ts';
import { MemoryGuard } from '../../../../src/core/base/concurrency/memory-guard.ts';

/** A guard over so many bytes of 100; `look` lets it sample. */
function guarded(limitedBy: string | null = 'a test') {
  const state = { used: 0, collected: 0, look: () => undefined as unknown };
  const timers = {
    after: (_: number, task: () => void) => {
      state.look = task;
      return () => undefined;
    },
  };
  const memory = { bytes: 100, limitedBy, used: () => state.used };
  const collect = () => {
    state.collected += 1;
  };
  return { state, guard: new MemoryGuard(memory, collect, timers) };
}

test('MemoryGuard: near the limit work is refused, and garbage collected once', async () => {
  const { state, guard } = guarded();
  const at = async (used: number) => {
    state.used = used;
    state.look();
    await nextTurn();
    return guard.isExhausted;
  };
  assert.equal(await at(80), false);
  guard.assertRoom();
  assert.equal(await at(90), true);
  assert.throws(() => guard.assertRoom(), { code: 'unavailable', retryAfter: 2, message: /nothing was done/ });
  assert.equal(await at(95), true);
  assert.equal(state.collected, 1);
  assert.equal(await at(80), false);
  guard.assertRoom();
  await guard.close();
});

test('MemoryGuard: nothing is sampled where only the machine ends', async () => {
  const { state, guard } = guarded(null);
  state.used = 1_000;
  state.look();
  assert.equal(guard.isExhausted, false);
  await guard.close();
});

test('MemoryBudget: without room small requests pass and large ones are refused', () => {
  const guard = { isExhausted: false };
  const budget = new MemoryBudget(64_000, guard);
  budget.reserve('a', 30_000);
  budget.release('a', 30_000);
  guard.isExhausted = true;
  budget.reserve('a', 900);
  assert.throws(() => budget.reserve('b', 30_000), { code: 'unavailable', retryAfter: 1 });
});
