import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toDollars, toNanos } from '../../../../src/core/limits/quotas/money.ts';

test('toNanos: decimal dollars are exact, and fractions are rounded up', () => {
  assert.deepEqual([0, 0.1, 0.3, 1.005, 0.000000001, 0.0000000011].map(toNanos), [
    ...[0, 100_000_000, 300_000_000, 1_005_000_000, 1, 2],
  ]);
});

test('toDollars: every whole number of nano-dollars survives a round trip', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (nanos) => {
      assert.equal(toNanos(toDollars(nanos)), nanos);
    }),
  );
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (dollars) => {
      assert.ok(toDollars(toNanos(dollars)) >= dollars - 1e-12);
    }),
  );
});
