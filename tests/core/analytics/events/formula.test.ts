import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal, quotient } from '../../../../src/core/analytics/events/decimals.ts';
import { evaluateFormula, parseFormula, partsOfFormula } from '../../../../src/core/analytics/events/formula.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { quotient as exactQuotient } from '../../../reference/decimals.ts';
import { formulaValue } from '../../../reference/formulas.ts';

const PARTS = ['a', 'b', 'c'];

function result(text: string, parts: (number | null)[]): number | null {
  return evaluateFormula(parseFormula(text, PARTS, 'formula'), parts);
}

test('parseFormula: precedence, grouping from the left, signs and spaces', () => {
  const parts = [7, 2, 3];
  assert.equal(result('a + b * c', parts), 13);
  assert.equal(result('(a + b) * c', parts), 27);
  assert.equal(result('a - b - c', parts), 2);
  assert.equal(result('12 / b / c', parts), 2);
  assert.equal(result(' -a*-(b) - -c ', parts), 17);
  assert.equal(result('0.1 + 0.2', parts), 0.3);
  assert.equal(result('100.10 - 100', parts), 0.1);
});

test('evaluateFormula: null parts and divisors of 0 give null', () => {
  assert.equal(result('a / b', [1, 0, 0]), null);
  assert.equal(result('a / (b - c)', [1, 2, 2]), null);
  assert.equal(result('a + b', [null, 1, 0]), null);
  assert.equal(result('a * 1', [1e308, 1, 1]), 1e308);
  assert.equal(result('a * a', [1e308, 1, 1]), null);
});

test('parseFormula: faults name the place', () => {
  const cases: [string, RegExp][] = [
    ['', /expects a number, the name of a part or "\(" at the end/],
    ['a +', /at the end/],
    ['a b', /expects an operator at character 3, not "b"/],
    ['a + * b', /at character 5, not "\*"/],
    ['(a', /lacks a closing parenthesis/],
    ['a)', /expects an operator at character 2/],
    ['a ^ 2', /does not know "\^" at character 3/],
    ['a + d', /"d" is not one of the parts "a", "b", "c"/],
    ['A', /"A" is not one of the parts/],
    ['__proto__', /"__proto__" is not one of the parts/],
    [`${'('.repeat(80)}a`, /nested deeper than 50 levels/],
    ['a 😀', /does not know "😀" at character 3/],
  ];
  for (const [text, expected] of cases) {
    assert.throws(
      () => parseFormula(text, PARTS, 'formula.expression'),
      (error) => error instanceof RuntimeError && error.code === 'invalid' && expected.test(error.message),
      text,
    );
  }
});

test('partsOfFormula: the parts that a formula uses', () => {
  assert.deepEqual([...partsOfFormula(parseFormula('-(c + 1) / c * a', PARTS, 'f'))].sort(), [0, 2]);
});

test('evaluateFormula: as exact fractions compute it', () => {
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...PARTS, '1', '2.5', '100'),
      fc
        .tuple(tie('expression'), fc.constantFrom(' + ', ' - ', '*', '/'), tie('expression'))
        .map((all) => all.join('')),
      tie('expression').map((inner) => `(${inner})`),
      tie('expression').map((inner) => `-(${inner})`),
    ),
  }));
  const part = fc.oneof(
    fc.constant(null),
    fc.integer({ min: -1_000, max: 1_000 }),
    fc.integer({ min: -100_000, max: 100_000 }).map((cents) => cents / 100),
  );
  fc.assert(
    fc.property(expression, fc.tuple(part, part, part), (text, [a, b, c]) => {
      const value = result(text, [a, b, c]);
      assert.equal(value, formulaValue(text, { a, b, c }), text);
    }),
    { seed: 25, numRuns: 2_000 },
  );
});

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
