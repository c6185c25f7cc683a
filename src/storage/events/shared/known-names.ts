import type { PropertyPath } from '../../../core/analytics/events/predicates.ts';
import type { JsonType, KnownProperty } from '../../../core/analytics/events/store.ts';

/* Names may be data (an id as a key). Events beyond these limits are stored, but not listed. */
export const MAX_EVENTS_PER_TENANT = 10_000;
export const MAX_KEYS_PER_EVENT = 1_000;

/** Deeper keys are not listed and have no column. */
export const MAX_NESTING = 4;
/** Longer keys cannot be named in a query. */
export const MAX_KEY_LENGTH = 300;

export const TYPE_BIT: Record<JsonType, number> = { array: 1, boolean: 2, number: 4, object: 8, string: 16 };
const TYPES = Object.keys(TYPE_BIT) as JsonType[];

export interface SeenProperty {
  path: PropertyPath;
  /** Bits of `TYPE_BIT`. */
  bits: number;
  /** Rank of its first appearance. */
  order: number;
}

/** By the order of their first appearance, without those that no question can name. */
export function knownProperties(seen: Iterable<SeenProperty>): KnownProperty[] {
  const found = new Map<string, { key: string; nested: boolean; bits: number; order: number }>();
  for (const { path, bits, order } of seen) {
    const key = path.join('.');
    const nested = path.length > 1;
    // A question would look for another path.
    if (nested && path.some((step) => step.includes('.'))) continue;
    const known = found.get(`${nested} ${key}`) ?? { key, nested, bits: 0, order };
    found.set(`${nested} ${key}`, { ...known, bits: known.bits | bits, order: Math.min(known.order, order) });
  }
  return [...found.values()]
    .sort((one, other) => one.order - other.order)
    .map(({ key, nested, bits }) => ({ key, nested, types: TYPES.filter((type) => (bits & TYPE_BIT[type]) !== 0) }));
}

/** RFC 6901. */
export function jsonPointer(path: PropertyPath): string {
  return path.map(pointerStep).join('');
}

export function pointerStep(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
