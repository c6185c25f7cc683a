import type { PropertyPath } from '../predicates.ts';

export interface ValueSummary {
  /** Most frequent first; a few examples if hardly any value repeats. */
  values?: (string | number | boolean)[];
  min?: number;
  max?: number;
  /** Set when `values` does not list all. */
  distinct?: number;
}

const MAX_TEXT = 60;
const EXAMPLES = 3;

/** Takes the first path that an event has. */
export function summarize(paths: PropertyPath[], sample: Record<string, unknown>[], maximum: number): ValueSummary {
  const counts = new Map<string | number | boolean, number>();
  for (const properties of sample) {
    for (const value of scalarsOf(firstOf(paths, properties))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  if (counts.size === 0 || maximum === 0) return {};
  const numbers = [...counts.keys()].filter((value) => typeof value === 'number');
  const ranked = [...counts].sort(([, one], [, other]) => other - one);
  const repeats = (ranked[0]?.[1] ?? 0) > 1 && counts.size <= sample.length / 2;
  const range = numbers.length > 0 ? { min: smallest(numbers), max: -smallest(numbers.map((value) => -value)) } : {};
  if (numbers.length === counts.size && (counts.size > maximum || !repeats)) return range;
  const shown = ranked
    .slice(0, counts.size <= maximum || repeats ? maximum : EXAMPLES)
    .map(([value]) => shorten(value));
  return { values: shown, ...range, ...(counts.size > shown.length ? { distinct: counts.size } : {}) };
}

function smallest(numbers: number[]): number {
  return numbers.reduce((least, value) => Math.min(least, value));
}

function firstOf(paths: PropertyPath[], properties: Record<string, unknown>): unknown {
  return paths.map((path) => reach(properties, path)).find((value) => value !== undefined && value !== null);
}

function reach(properties: Record<string, unknown>, path: PropertyPath): unknown {
  return path.reduce<unknown>((value, key) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return isObject ? (value as Record<string, unknown>)[key] : undefined;
  }, properties);
}

function scalarsOf(value: unknown): (string | number | boolean)[] {
  return [value].flat().filter((one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean');
}

function shorten(value: string | number | boolean): string | number | boolean {
  if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
  return `${value.slice(0, MAX_TEXT).toWellFormed()}…`;
}
