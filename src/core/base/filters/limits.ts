import { outside } from '../shared/errors.ts';
import type { EventFilter } from './filter-schema.ts';

/**
 * Limits below the tenant, to which a key, a grant or a role is held. A member that is left out
 * limits nothing; what lies outside is as if it did not exist.
 */
export interface AccessLimits {
  agents?: string[] | undefined;
  eventNames?: string[] | undefined;
  /** Only events that pass all of them. */
  filters?: EventFilter[] | undefined;
  /** The name of a saved segment: only events of its subjects. */
  segment?: string | undefined;
  vectorStores?: string[] | undefined;
  /** Slugs. */
  connectors?: string[] | undefined;
  /** Patterns, in which `*` stands for any text. */
  models?: string[] | undefined;
}

/** All of them hold: a grant has those of its user's role, too. */
export interface Held {
  limits?: readonly AccessLimits[] | undefined;
}

type NameLimit = 'agents' | 'eventNames' | 'vectorStores' | 'connectors';

export function isHeld({ limits = [] }: Held, ...members: (keyof AccessLimits)[]): boolean {
  return limits.some((one) => members.some((member) => one[member] !== undefined));
}

/** Limits with which less than all events of the tenant can be read. */
export const EVENT_LIMITS = ['agents', 'eventNames', 'filters', 'segment'] as const;

export function readsFewerEvents(held: Held): boolean {
  return isHeld(held, ...EVENT_LIMITS);
}

/** Throws `forbidden`, naming the limit, for a caller that reads less than all events. */
export function requireAllEvents(held: Held, what: string): void {
  const limit = EVENT_LIMITS.find((name) => isHeld(held, name));
  if (limit) throw outside(limit, what);
}

/** Whether which events can be read depends on more than their names. */
export function readsFewerRows(held: Held): boolean {
  return isHeld(held, 'filters', 'segment');
}

/** The names that all limits allow; null: any. */
export function namesWithin({ limits = [] }: Held, member: NameLimit): string[] | null {
  const lists = limits.flatMap((one) => (one[member] === undefined ? [] : [one[member]]));
  const [first, ...others] = lists;
  return first === undefined ? null : [...new Set(first)].filter((name) => others.every((list) => list.includes(name)));
}

export function reaches(held: Held, member: NameLimit, name: string): boolean {
  return namesWithin(held, member)?.includes(name) ?? true;
}

/** Whether one of the names of a model is allowed: its own, or the one with the provider's. */
export function isModelWithin({ limits = [] }: Held, names: readonly string[]): boolean {
  return limits.every(({ models }) => !models || names.some((name) => models.some((pattern) => fits(pattern, name))));
}

function fits(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** Whether what reads events within `limits` reads none that the holder does not. */
export function readsWithin(limits: readonly AccessLimits[], { limits: own = [] }: Held): boolean {
  const ofEvents = own.map((one) => Object.fromEntries(EVENT_LIMITS.map((name) => [name, one[name]])) as AccessLimits);
  return ofEvents.every((wide) => limits.some((narrow) => beyond(narrow, wide).length === 0));
}

/**
 * The members of `narrow` that go beyond `wide`: nobody grants more than they have. Filters are
 * compared as they are written.
 */
export function beyond(narrow: AccessLimits, wide: AccessLimits): (keyof AccessLimits)[] {
  return (Object.keys(wide) as (keyof AccessLimits)[]).filter((member) => {
    if (wide[member] === undefined) return false;
    if (member === 'segment') return narrow.segment !== wide.segment;
    if (member === 'filters') {
      const kept = new Set((narrow.filters ?? []).map((filter) => JSON.stringify(filter)));
      return wide.filters!.some((filter) => !kept.has(JSON.stringify(filter)));
    }
    const names = narrow[member];
    if (names === undefined) return true;
    if (member !== 'models') return names.some((name) => !wide[member]!.includes(name));
    return names.some((pattern) => !wide.models!.some((allowed) => fits(allowed, pattern)));
  });
}
