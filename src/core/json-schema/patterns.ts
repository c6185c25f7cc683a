import { RE2JS } from 're2js';

export interface Pattern {
  /** Whether any part of the text matches. */
  test(text: string): boolean;
  /** The worst cost of a character: the number of instructions of the program. */
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
