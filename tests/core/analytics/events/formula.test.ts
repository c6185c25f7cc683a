import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { evaluateFormula, parseFormula, partsOfFormula } from '../../../../src/core/analytics/events/formula.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
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
