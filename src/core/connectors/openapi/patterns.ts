import { RE2JS } from 're2js';

const MAX_PATTERN = 500;
/** Of all patterns of a definition, each counted once: they are compiled when it is applied. */
const MAX_PATTERNS = 40_000;

/** Tells which regular expressions a definition can have. */
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
    try {
      RE2JS.compile(RE2JS.translateRegExp(pattern));
    } catch {
      return false;
    }
    this.characters += pattern.length;
    return true;
  }
}
