import { RE2JS } from 're2js';

export interface Pattern {
  /** Matches any part of the text. */
  test(text: string): boolean;
  /** Instructions of the program: the worst cost of a character. */
  size: number;
}

/** Compiles an ECMA-262 pattern by RE2; null for what RE2 lacks (lookarounds, backreferences). */
export function compiledPattern(source: string): Pattern | null {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { test: (text) => compiled.test(text), size: compiled.programSize() };
  } catch {
    return null;
  }
}
