import { RE2JS } from 're2js';

/** A regular expression of a schema. */
export interface Pattern {
  /** Whether a text has a part that matches. */
  test(text: string): boolean;
  /** How much a character of a text costs at worst: the instructions of its program. */
  size: number;
}

/** Written as JSON Schema has it (ECMA-262). Null where it cannot be matched in time linear in the text: lookarounds, backreferences. */
export function compiledPattern(source: string): Pattern | null {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { test: (text) => compiled.test(text), size: compiled.programSize() };
  } catch {
    return null;
  }
}
