/** Deepest nesting of a properties object; the object itself is the first level. */
const MAX_DEPTH = 10;
const MAX_BYTES = 64 * 1024;

export interface PropertyProblem {
  path: PropertyKey[];
  message: string;
}

/**
 * What no store could keep exactly, each found once measured to wedge or silently change an event downstream: numbers
 * that are not finite (`1e999`), integers that a double rounds, lone surrogates, and nesting or size without bound.
 */
export function checkProperties(properties: Record<string, unknown>): PropertyProblem[] {
  const problems: PropertyProblem[] = [];
  walk(properties, [], 1, problems);
  return problems;
}

/** The text that is stored and given back, or null where it is too long. Expects checked properties. */
export function propertiesText(properties: Record<string, unknown>): string | null {
  const text = JSON.stringify(properties);
  return text.length <= MAX_BYTES && Buffer.byteLength(text) <= MAX_BYTES ? text : null;
}

function walk(value: unknown, path: PropertyKey[], depth: number, problems: PropertyProblem[]): void {
  if (typeof value === 'number') checkNumber(value, path, problems);
  if (typeof value === 'string') checkText(value, path, problems);
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) {
    problems.push({ path, message: `is nested deeper than ${MAX_DEPTH} levels; flatten it` });
    return;
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      walk(item, [...path, index], depth + 1, problems);
    });
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    checkText(key, [...path, key], problems);
    walk(item, [...path, key], depth + 1, problems);
  }
}

function checkNumber(value: number, path: PropertyKey[], problems: PropertyProblem[]): void {
  if (!Number.isFinite(value)) {
    problems.push({ path, message: 'is not a finite number' });
  } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    problems.push({ path, message: 'is an integer beyond 2^53, which would be rounded; send it as a string' });
  }
}

function checkText(text: string, path: PropertyKey[], problems: PropertyProblem[]): void {
  if (!text.isWellFormed()) problems.push({ path, message: 'contains a lone surrogate, which is not valid Unicode' });
}
