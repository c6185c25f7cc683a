import { evaluateFormula, type Formula } from '../formula.ts';

/** `constant` plus each part times its coefficient. */
export interface Linear {
  constant: number;
  coefficients: number[];
}

export function applied({ constant, coefficients }: Linear, parts: readonly number[]): number {
  return coefficients.reduce((sum, coefficient, index) => sum + coefficient * (parts[index] ?? 0), constant);
}

/** Null unless the formula is linear in its parts. */
export function linearOf(formula: Formula, parts: number): Linear | null {
  switch (formula.kind) {
    case 'number':
      return { constant: formula.value, coefficients: Array<number>(parts).fill(0) };
    case 'part':
      return {
        constant: 0,
        coefficients: Array.from({ length: parts }, (_, index) => Number(index === formula.index)),
      };
    case 'negative':
      return times(linearOf(formula.of, parts), -1);
    case 'operation': {
      const [left, right] = [linearOf(formula.left, parts), linearOf(formula.right, parts)];
      if (!left || !right) return null;
      if (formula.operator === '+') return sum(left, right);
      if (formula.operator === '-') return sum(left, times(right, -1)!);
      if (isConstant(right)) return times(left, formula.operator === '*' ? right.constant : 1 / right.constant);
      return formula.operator === '*' && isConstant(left) ? times(right, left.constant) : null;
    }
  }
}

/**
 * Null unless the formula is a quotient of two linear ones without constants, perhaps times a
 * number.
 */
export function ratioOf(formula: Formula, parts: number): { numerator: Linear; denominator: Linear } | null {
  if (formula.kind === 'negative') return scaled(ratioOf(formula.of, parts), -1);
  if (formula.kind !== 'operation') return null;
  const { operator, left, right } = formula;
  const [factor, divisor] = [evaluateFormula(left, []), evaluateFormula(right, [])];
  if (operator === '*' && factor !== null) return scaled(ratioOf(right, parts), factor);
  if (operator === '*' && divisor !== null) return scaled(ratioOf(left, parts), divisor);
  if (operator === '/' && divisor !== null && divisor !== 0) return scaled(ratioOf(left, parts), 1 / divisor);
  if (operator !== '/') return null;
  const [numerator, denominator] = [linearOf(left, parts), linearOf(right, parts)];
  const isRatio = numerator && denominator && numerator.constant === 0 && denominator.constant === 0;
  return isRatio ? { numerator, denominator } : null;
}

/** The partial derivatives of the formula at these parts; null where it has no value. */
export function gradientOf(formula: Formula, parts: readonly number[]): number[] | null {
  return derived(formula, parts)?.slopes ?? null;
}

interface Derived {
  value: number;
  slopes: number[];
}

function derived(formula: Formula, parts: readonly number[]): Derived | null {
  if (formula.kind === 'number') return { value: formula.value, slopes: parts.map(() => 0) };
  if (formula.kind === 'part') {
    return { value: parts[formula.index] ?? 0, slopes: parts.map((_, index) => Number(index === formula.index)) };
  }
  if (formula.kind === 'negative') {
    const inner = derived(formula.of, parts);
    return inner && { value: -inner.value, slopes: inner.slopes.map((slope) => -slope) };
  }
  const [left, right] = [derived(formula.left, parts), derived(formula.right, parts)];
  if (!left || !right) return null;
  const [a, b] = [left.value, right.value];
  const slopes = (of: (ofLeft: number, ofRight: number) => number) =>
    left.slopes.map((slope, index) => of(slope, right.slopes[index]!));
  switch (formula.operator) {
    case '+':
      return { value: a + b, slopes: slopes((one, other) => one + other) };
    case '-':
      return { value: a - b, slopes: slopes((one, other) => one - other) };
    case '*':
      return { value: a * b, slopes: slopes((one, other) => one * b + other * a) };
    case '/':
      return b === 0 ? null : { value: a / b, slopes: slopes((one, other) => (one * b - other * a) / (b * b)) };
  }
}

function isConstant({ coefficients }: Linear): boolean {
  return coefficients.every((coefficient) => coefficient === 0);
}

function sum(one: Linear, other: Linear): Linear {
  return {
    constant: one.constant + other.constant,
    coefficients: one.coefficients.map((coefficient, index) => coefficient + other.coefficients[index]!),
  };
}

function times(linear: Linear | null, factor: number): Linear | null {
  if (!linear || !Number.isFinite(factor)) return null;
  const { constant, coefficients } = linear;
  return { constant: constant * factor, coefficients: coefficients.map((coefficient) => coefficient * factor) };
}

function scaled(ratio: ReturnType<typeof ratioOf>, factor: number) {
  const numerator = ratio && times(ratio.numerator, factor);
  return ratio && numerator && { ...ratio, numerator };
}
