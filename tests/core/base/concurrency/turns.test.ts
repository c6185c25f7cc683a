import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from '../../../../src/core/base/concurrency/turns.ts';

const counts = (turns: { tenantId: string; count: number }[]) =>
  Object.fromEntries(turns.map(({ tenantId, count }) => [tenantId, count]));

test('Turns: a tenant gets two slots at most, all of them eight', () => {
  const turns = new Turns({ all: 8, ofTenant: 2 });
  assert.deepEqual(counts(turns.next(['a'], [])), { a: 2 });
  assert.deepEqual(counts(turns.next(['a'], ['a'])), { a: 1 });
  assert.deepEqual(turns.next(['a'], ['a', 'a']), []);
  assert.deepEqual(counts(turns.next(['a', 'b', 'c', 'd', 'e'], [])), { b: 2, c: 2, d: 2, e: 1, a: 1 });
  assert.deepEqual(turns.next(['e'], ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']), []);
  assert.deepEqual(turns.next([], []), []);
});

test('Turns: tenants with the fewest attempts come first', () => {
  assert.deepEqual(counts(new Turns({ all: 8, ofTenant: 2 }).next(['a', 'b'], ['a', 'c', 'c', 'd', 'd', 'e', 'e'])), {
    b: 1,
  });
});

test('Turns: the least recently served come first', () => {
  const turns = new Turns({ all: 8, ofTenant: 2 });
  const due = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
  const busy = ['x', 'x', 'y', 'y', 'z', 'z', 'w'];
  const served = due.concat(due).map(() => turns.next(due, busy)[0]?.tenantId);
  assert.deepEqual(served, due.concat(due));
});
