import { decimalOf, roundedQuotient } from './decimals.ts';

/*
 * Formulas in exact fractions, by shunting-yard: src parses by recursive descent and computes in doubles. A magnitude
 * says from which size the 15 digits count.
 */

/** `numerator / denominator`, and the magnitude as another fraction. The denominators are positive. */
interface Exact {
  value: Fraction;
  magnitude: Fraction;
}

interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** Null when a part is null or a divisor 0. */
export function formulaValue(expression: string, parts: Record<string, number | null>): number | null {
  const output: (Exact | null)[] = [];
  const pending: string[] = [];
  const reduce = () => {
    const operator = pending.pop()!;
    const right = output.pop()!;
    output.push(operator === 'negative' ? negated(right) : operated(operator, output.pop()!, right));
  };
  let before: string | null = null;
  for (const [token] of expression.matchAll(/[\d.]+|\w+|[-+*/()]/g)) {
    const isUnary = token === '-' && (before === null || /^[-+*/(]$/.test(before));
    if (/^\d/.test(token)) output.push(exactly(Number(token)));
    else if (/^\w/.test(token)) output.push(parts[token] === null ? null : exactly(parts[token]!));
    else if (token === '(') pending.push(token);
    else if (token === ')') {
      while (pending.at(-1) !== '(') reduce();
      pending.pop();
    } else {
      const operator = isUnary ? 'negative' : token;
      while (!isUnary && pending.length > 0 && RANK[pending.at(-1)!]! >= RANK[operator]!) reduce();
      pending.push(operator);
    }
    before = token;
  }
  while (pending.length > 0) reduce();
  const [result] = output;
  return result ? roundedQuotient(result.value, result.magnitude) : null;
}

const RANK: Record<string, number> = { '(': 0, '+': 1, '-': 1, '*': 2, '/': 2, negative: 3 };

function exactly(number: number): Exact {
  const { digits, exponent } = decimalOf(number);
  const value =
    exponent < 0
      ? { numerator: digits, denominator: 10n ** BigInt(-exponent) }
      : { numerator: digits * 10n ** BigInt(exponent), denominator: 1n };
  return { value, magnitude: absolute(value) };
}

function negated(one: Exact | null): Exact | null {
  return one && { ...one, value: { ...one.value, numerator: -one.value.numerator } };
}

function operated(operator: string, left: Exact | null, right: Exact | null): Exact | null {
  if (!left || !right) return null;
  const [a, b] = [left.value, right.value];
  if (operator === '+') return { value: sum(a, b), magnitude: sum(left.magnitude, right.magnitude) };
  if (operator === '-') return operated('+', left, negated(right));
  if (operator === '*') {
    const sizes = [product(left.magnitude, absolute(b)), product(absolute(a), right.magnitude)] as const;
    return { value: product(a, b), magnitude: larger(...sizes) };
  }
  if (b.numerator === 0n) return null;
  const inverse = absolute({ numerator: b.denominator, denominator: b.numerator });
  const value = product(a, { ...inverse, numerator: b.numerator < 0n ? -inverse.numerator : inverse.numerator });
  const ofRight = product(product(absolute(value), right.magnitude), inverse);
  return { value, magnitude: larger(product(left.magnitude, inverse), ofRight) };
}

function sum(one: Fraction, other: Fraction): Fraction {
  const numerator = one.numerator * other.denominator + other.numerator * one.denominator;
  return { numerator, denominator: one.denominator * other.denominator };
}

function product(one: Fraction, other: Fraction): Fraction {
  return { numerator: one.numerator * other.numerator, denominator: one.denominator * other.denominator };
}

function absolute({ numerator, denominator }: Fraction): Fraction {
  return {
    numerator: numerator < 0n ? -numerator : numerator,
    denominator: denominator < 0n ? -denominator : denominator,
  };
}

function larger(one: Fraction, other: Fraction): Fraction {
  return one.numerator * other.denominator >= other.numerator * one.denominator ? one : other;
}
