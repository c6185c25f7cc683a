import { compiledPattern } from '../../json-schema/patterns.ts';

const MAX_PATTERN = 500;
/** Characters of all distinct patterns of a definition, since applying it compiles them. */
const MAX_PATTERNS = 40_000;

/** Decides which regular expressions an imported definition keeps. */
export class Patterns {
  private readonly known = new Map<unknown, boolean>();
  private characters = 0;

  canHave(pattern: unknown): pattern is string {
    const known = this.known.get(pattern) ?? this.isPattern(pattern);
    this.known.set(pattern, known);
    return known;
  }

  private isPattern(pattern: unknown): boolean {
    if (typeof pattern !== 'string' || !pattern.isWellFormed() || pattern.length > MAX_PATTERN) return false;
    if (this.characters + pattern.length > MAX_PATTERNS) return false;
    if (compiledPattern(pattern) === null) return false;
    this.characters += pattern.length;
    return true;
  }
}
