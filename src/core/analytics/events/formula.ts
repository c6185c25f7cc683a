import { invalid } from '../../base/shared/errors.ts';
import { listNames } from '../../base/shared/names.ts';
import { decimal, dividedBy, type Fraction, fractionOf, isCertain, roundedFraction } from './decimals.ts';

/** Arithmetic over the values of named parts. Plain data: stores compile it. */
export type Formula =
  | { kind: 'number'; value: number }
  /** Position among the names of the parts. */
  | { kind: 'part'; index: number }
  | { kind: 'negative'; of: Formula }
  | { kind: 'operation'; operator: FormulaOperator; left: Formula; right: Formula };

export type FormulaOperator = '+' | '-' | '*' | '/';

export const MAX_EXPRESSION = 500;
const MAX_DEPTH = 50;

/**
 * Reads `+ - * /`, parentheses, decimal numbers and the names of parts, by the usual precedence;
 * operators of one rank group from the left. Throws `invalid`, naming `path` and the place of the
 * fault.
 */
export function parseFormula(text: string, parts: readonly string[], path: string): Formula {
  return new Parser(text, parts, path).read();
}

/** The indices of the parts that it uses. */
export function partsOfFormula(formula: Formula): Set<number> {
  switch (formula.kind) {
    case 'number':
      return new Set();
    case 'part':
      return new Set([formula.index]);
    case 'negative':
      return partsOfFormula(formula.of);
    case 'operation':
      return new Set([...partsOfFormula(formula.left), ...partsOfFormula(formula.right)]);
  }
}

interface Evaluated {
  value: number;
  magnitude: number;
  /** How many have gone into the value. */
  roundings: number;
}

/** The value in decimal arithmetic: null when a part is null or a divisor 0. */
export function evaluateFormula(formula: Formula, parts: readonly (number | null)[]): number | null {
  const result = evaluated(formula, parts);
  if (!result || !Number.isFinite(result.value)) return null;
  const { value, magnitude, roundings } = result;
  if (roundings > MOST_EXACT || isCertain(value, magnitude, roundings)) return decimal(value, magnitude);
  const exact = exactly(formula, parts);
  return exact && roundedFraction(exact, magnitude);
}

/** The digits of exact fractions grow with each operation. */
const MOST_EXACT = 40;

function evaluated(formula: Formula, parts: readonly (number | null)[]): Evaluated | null {
  if (formula.kind === 'number') return operand(formula.value);
  if (formula.kind === 'part') {
    const part = parts[formula.index] ?? null;
    return part === null ? null : operand(part);
  }
  if (formula.kind === 'negative') {
    const inner = evaluated(formula.of, parts);
    return inner && { ...inner, value: -inner.value };
  }
  const [left, right] = [evaluated(formula.left, parts), evaluated(formula.right, parts)];
  if (!left || !right || (formula.operator === '/' && right.value === 0)) return null;
  const operation = operated(formula.operator, left, right);
  return { ...operation, roundings: left.roundings + right.roundings + 1 };
}

/** A decimal number is a double but for one rounding. */
function operand(value: number): Evaluated {
  return { value, magnitude: Math.abs(value), roundings: Number(!Number.isSafeInteger(value)) };
}

/** Magnitudes add up as in a sum; in products and quotients the larger relative one counts. */
function operated(operator: FormulaOperator, left: Evaluated, right: Evaluated): Omit<Evaluated, 'roundings'> {
  const [a, b] = [left.value, right.value];
  switch (operator) {
    case '+':
      return { value: a + b, magnitude: left.magnitude + right.magnitude };
    case '-':
      return { value: a - b, magnitude: left.magnitude + right.magnitude };
    case '*':
      return { value: a * b, magnitude: Math.max(left.magnitude * Math.abs(b), Math.abs(a) * right.magnitude) };
    case '/': {
      const size = Math.abs(b);
      return { value: a / b, magnitude: Math.max(left.magnitude / size, Math.abs(a / b) * (right.magnitude / size)) };
    }
  }
}

function exactly(formula: Formula, parts: readonly (number | null)[]): Fraction | null {
  if (formula.kind === 'number') return fractionOf(formula.value);
  if (formula.kind === 'part') return fractionOf(parts[formula.index]!);
  if (formula.kind === 'negative') return negative(exactly(formula.of, parts));
  const [left, right] = [exactly(formula.left, parts), exactly(formula.right, parts)];
  if (!left || !right) return null;
  switch (formula.operator) {
    case '+':
      return sum(left, right);
    case '-':
      return sum(left, negative(right)!);
    case '*':
      return { numerator: left.numerator * right.numerator, denominator: left.denominator * right.denominator };
    case '/':
      return right.numerator === 0n ? null : dividedBy(left, right);
  }
}

function negative(one: Fraction | null): Fraction | null {
  return one && { ...one, numerator: -one.numerator };
}

function sum(one: Fraction, other: Fraction): Fraction {
  const numerator = one.numerator * other.denominator + other.numerator * one.denominator;
  return { numerator, denominator: one.denominator * other.denominator };
}

const TOKEN = /\s*(?:(?<number>\d+(?:\.\d+)?)|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<sign>[-+*/()]))/y;

interface Token {
  kind: 'number' | 'name' | 'sign';
  text: string;
  /** The place of its first character, from 1. */
  at: number;
}

/** A recursive descent parser: sum, product, factor. */
class Parser {
  private readonly path: string;
  private readonly parts: readonly string[];
  private readonly tokens: Token[];
  private position = 0;
  private depth = 0;

  constructor(text: string, parts: readonly string[], path: string) {
    this.path = path;
    this.parts = parts;
    this.tokens = this.tokensOf(text);
  }

  read(): Formula {
    const formula = this.sum();
    const rest = this.tokens[this.position];
    if (rest) throw this.fault(`expects an operator at character ${rest.at}, not "${rest.text}"`);
    return formula;
  }

  private sum(): Formula {
    let left = this.product();
    for (let sign = this.take('+', '-'); sign; sign = this.take('+', '-')) {
      left = { kind: 'operation', operator: sign, left, right: this.product() };
    }
    return left;
  }

  private product(): Formula {
    let left = this.factor();
    for (let sign = this.take('*', '/'); sign; sign = this.take('*', '/')) {
      left = { kind: 'operation', operator: sign, left, right: this.factor() };
    }
    return left;
  }

  private factor(): Formula {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw this.fault(`is nested deeper than ${MAX_DEPTH} levels`);
    const formula = this.unnested();
    this.depth -= 1;
    return formula;
  }

  private unnested(): Formula {
    if (this.take('-')) return { kind: 'negative', of: this.factor() };
    if (this.take('(')) {
      const inner = this.sum();
      if (!this.take(')')) throw this.fault('lacks a closing parenthesis');
      return inner;
    }
    const token = this.tokens[this.position];
    if (token?.kind === 'number') {
      this.position += 1;
      return { kind: 'number', value: Number(token.text) };
    }
    if (token?.kind === 'name') {
      this.position += 1;
      return { kind: 'part', index: this.partNamed(token.text) };
    }
    const found = token ? `, not "${token.text}"` : '';
    const where = token ? `at character ${token.at}` : 'at the end';
    throw this.fault(`expects a number, the name of a part or "(" ${where}${found}`);
  }

  private take<Sign extends string>(...signs: Sign[]): Sign | undefined {
    const token = this.tokens[this.position];
    const sign = token?.kind === 'sign' ? signs.find((one) => one === token.text) : undefined;
    if (sign) this.position += 1;
    return sign;
  }

  private partNamed(name: string): number {
    const index = this.parts.indexOf(name);
    if (index < 0) throw this.fault(`"${name}" is not one of the parts ${listNames(this.parts)}`);
    return index;
  }

  private tokensOf(text: string): Token[] {
    const tokens: Token[] = [];
    const end = text.trimEnd().length;
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < end) {
      const start = TOKEN.lastIndex;
      const { groups } = TOKEN.exec(text) ?? {};
      const [kind, token] = Object.entries(groups ?? {}).find(([, value]) => value !== undefined) ?? [];
      if (token === undefined) {
        const at = start + /^\s*/.exec(text.slice(start))![0].length;
        throw this.fault(`does not know "${String.fromCodePoint(text.codePointAt(at)!)}" at character ${at + 1}`);
      }
      tokens.push({ kind: kind as Token['kind'], text: token, at: TOKEN.lastIndex - token.length + 1 });
    }
    return tokens;
  }

  private fault(problem: string) {
    return invalid(`${this.path}: ${problem}; write it as in "resolved / started" or "100 * (revenue - refunds)"`);
  }
}
