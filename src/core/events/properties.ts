/** Deepest nesting of a properties object; the object itself is the first level. */
const MAX_DEPTH = 10;
const MAX_BYTES = 64 * 1024;
/** Enough to mend a batch by; a body can hold millions. */
const MAX_PROBLEMS = 10;

export interface PropertyProblem {
  path: PropertyKey[];
  message: string;
}

/**
 * What no store could keep exactly, each found once measured to wedge or silently change an event downstream: numbers
 * that are not finite (`1e999`), integers that a double rounds, lone surrogates, and nesting without bound.
 */
export function checkProperties(properties: Record<string, unknown>): PropertyProblem[] {
  const walk = new Walk();
  walk.visit(properties, 1);
  return walk.problems;
}

/** The text that is stored and given back, or null where it is too long. Expects checked properties. */
export function propertiesText(properties: Record<string, unknown>): string | null {
  const text = JSON.stringify(properties);
  return text.length <= MAX_BYTES && Buffer.byteLength(text) <= MAX_BYTES ? text : null;
}

/** One pass over the values; it stops once it has found enough. */
class Walk {
  readonly problems: PropertyProblem[] = [];
  private readonly path: PropertyKey[] = [];

  visit(value: unknown, depth: number): void {
    if (typeof value === 'number') this.checkNumber(value);
    else if (typeof value === 'string') this.checkText(value);
    else if (typeof value === 'object' && value !== null) this.visitMembers(value, depth);
  }

  private visitMembers(value: object, depth: number): void {
    if (depth > MAX_DEPTH) {
      this.report(`is nested deeper than ${MAX_DEPTH} levels; flatten it`);
      return;
    }
    const isArray = Array.isArray(value);
    for (const key of Object.keys(value)) {
      if (this.problems.length >= MAX_PROBLEMS) return;
      this.path.push(isArray ? Number(key) : key);
      if (!isArray) this.checkText(key);
      this.visit((value as Record<string, unknown>)[key], depth + 1);
      this.path.pop();
    }
  }

  private checkNumber(value: number): void {
    if (!Number.isFinite(value)) this.report('is not a finite number');
    else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.report('is an integer beyond 2^53, which would be rounded; send it as a string');
    }
  }

  private checkText(text: string): void {
    if (!text.isWellFormed()) this.report('contains a lone surrogate, which is not valid Unicode');
  }

  private report(message: string): void {
    this.problems.push({ path: [...this.path], message });
  }
}
