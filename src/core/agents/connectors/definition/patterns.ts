import { compiledPattern } from '../../../base/json-schema/patterns.ts';

const MAX_PATTERN = 500;

/** Counts each distinct pattern once: compiling takes up to 40 microseconds a character. */
export class Patterns {
  private readonly maxCharacters: number;
  private readonly problems = new Map<string, string>();
  private characters = 0;

  constructor(maxCharacters: number) {
    this.maxCharacters = maxCharacters;
  }

  /** '' for a valid pattern. */
  problemOf(pattern: string): string {
    const problem = this.problems.get(pattern) ?? this.check(pattern);
    this.problems.set(pattern, problem);
    return problem;
  }

  private check(pattern: string): string {
    if (pattern.length > MAX_PATTERN) return `must have at most ${MAX_PATTERN} characters`;
    if (this.characters + pattern.length > this.maxCharacters) {
      return `is with the other patterns more than ${this.maxCharacters} characters; make it several connectors`;
    }
    if (compiledPattern(pattern) === null) {
      return 'is no regular expression of RE2, which has no lookarounds and no backreferences';
    }
    this.characters += pattern.length;
    return '';
  }
}
