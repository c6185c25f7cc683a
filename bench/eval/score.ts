import type { Facts } from './facts.ts';
import type { Expectation, Expected, Pattern, Task } from './tasks/task.ts';

/** Decimals may be rounded to one; a whole number must be exact. */
const ROUNDING = 0.051;
const RATIO = 0.001;

/** Fits a decimal that differs by rounding alone. */
export function about(expected: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && Math.abs(value - expected) <= Math.abs(expected) * RATIO;
}

/** Things that the server holds, by noun. */
export type Held = Record<keyof Expectation, Pattern[]>;

export interface Done {
  answer: string;
  calls: { name: string }[];
  /** What there is since the task that was not there before; null for a question. */
  made: Held | null;
}

/** Null when the task is done; otherwise what is wrong. */
export function faultOf(task: Task, facts: Facts, { answer, calls, made }: Done): string | null {
  if (task.answer) {
    if (calls.some(({ name }) => name === 'report_gap')) return 'reported a gap, but the data answers this';
    const expected = task.answer(facts);
    const said = lastLine(answer);
    return says(said, expected) ? null : `expected ${shown(expected)}, got ${JSON.stringify(said)}`;
  }
  for (const [noun, patterns] of Object.entries(task.holds?.(facts) ?? {}) as [keyof Held, Pattern[]][]) {
    const missing = patterns.find((pattern) => !made?.[noun].some((item) => fits(item, pattern)));
    if (missing) return `${noun}: nothing fits ${shown(missing)}`;
  }
  return null;
}

/** What follows the last `Answer:`, or else the last line: a long text has many numbers. */
function lastLine(answer: string): string {
  return [...answer.matchAll(/^\W*answer\W*:[\s*]*(.*)$/gim)].at(-1)?.[1] ?? answer.trimEnd().split('\n').at(-1)!;
}

function says(answer: string, expected: Expected): boolean {
  if (expected instanceof RegExp) return expected.test(answer);
  if (typeof expected === 'string') return plain(answer).includes(plain(expected));
  const numbers = (answer.match(/-?\d[\d,]*(\.\d+)?/g) ?? []).map((text) => Number(text.replaceAll(',', '')));
  const distance = Number.isInteger(expected) ? 0 : Math.max(ROUNDING, Math.abs(expected) * RATIO);
  return numbers.some((number) => Math.abs(number - expected) <= distance);
}

const plain = (text: string) => text.toLowerCase().replace(/[_\s]+/g, ' ');

function fits(value: unknown, pattern: unknown): boolean {
  if (typeof pattern === 'function') return pattern(value) === true;
  if (pattern instanceof RegExp) return typeof value === 'string' && pattern.test(value);
  if (Array.isArray(pattern)) {
    return Array.isArray(value) && pattern.every((one) => value.some((item) => fits(item, one)));
  }
  if (typeof pattern !== 'object' || pattern === null) return value === pattern;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(pattern).every(([member, part]) => fits((value as Pattern)[member], part));
}

function shown(expected: unknown): string {
  if (expected instanceof RegExp) return String(expected);
  return JSON.stringify(expected, (_, value: unknown) =>
    value instanceof RegExp || typeof value === 'function' ? String(value) : value,
  );
}
