import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal, quotient } from '../../../../src/core/analytics/events/decimals.ts';
import { quotient as exactQuotient } from '../../../reference/decimals.ts';

test('decimal: the noise of binary fractions is rounded away', () => {
  assert.equal(decimal(0.1 + 0.2), 0.3);
  assert.equal(decimal(100531.48000000013), 100531.48);
  assert.equal(decimal(2 / 3), 0.666666666666667);
  assert.equal(decimal(-1.0000000000000002), -1);
  assert.equal(decimal(3e-9 + 1e-25), 3e-9);
});

test('decimal: digits count from the magnitude', () => {
  assert.equal(decimal(100.3 - 100.1, 100.3), 0.2);
  assert.ok(Object.is(decimal(0.1 + 0.2 - 0.3, 0.6), 0));
  assert.ok(Object.is(decimal(-1e-16, 1), 0));
  assert.equal(decimal(0, 0), 0);
});

test('decimal: integers and numbers beyond the range keep every digit', () => {
  for (const value of [1_234_567_890_123_456, 2 ** 53 - 1, -(2 ** 53), 1e21, 1.7976931348623157e308, 5e-324]) {
    assert.equal(decimal(value), value);
  }
  assert.equal(decimal(1_000_000_000_000_000.5), 1_000_000_000_000_001);
  assert.equal(decimal(Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY);
});

test('decimal: a number of at most 15 digits is itself, also with an error', () => {
  const numbers = fc
    .tuple(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), fc.integer({ min: 0, max: 70 }))
    .map(([digits, places]) => Number(`${digits}e-${places}`));
  fc.assert(
    fc.property(numbers, (number) => {
      assert.equal(decimal(number), number + 0);
      assert.equal(decimal(number * (1 + Number.EPSILON)), number + 0);
    }),
  );
});

test('quotient: as decimal arithmetic divides two decimal numbers', () => {
  assert.equal(quotient(887_436, 30_023), 29.558538453852);
  assert.equal(quotient(1, 8), 0.125);
  assert.equal(quotient(-2, 3), -0.666666666666667);
  assert.ok(Object.is(quotient(0, -3), 0));
  const number = fc
    .tuple(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), fc.nat(14))
    .map(([digits, fewer]) => Math.trunc(digits / 10 ** fewer));
  const places = fc.constantFrom(0, 0, 2, 6);
  fc.assert(
    fc.property(number, places, number, places, (one, ofOne, other, ofOther) => {
      const [numerator, denominator] = [Number(`${one}e-${ofOne}`), Number(`${other}e-${ofOther}`)];
      if (denominator === 0) return;
      assert.equal(quotient(numerator, denominator), exactQuotient(numerator, denominator));
    }),
    { seed: 43, numRuns: 20_000 },
  );
});
