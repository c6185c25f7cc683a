import type { EventFilter } from '../../src/core/base/filters/filter-schema.ts';
import { type Dates, meaningOf, Refused } from './calendar.ts';

/*
 * The contract for single values in plain JavaScript: how names resolve, what filters match, how
 * mixed values sort. Independent of src except for the request's type.
 */

export interface ReferenceEvent {
  id: string;
  agentId: string;
  eventName: string;
  /** Epoch milliseconds. */
  timestamp: number;
  threadId: string | null;
  executionId: string | null;
  properties: Record<string, unknown>;
}

/** A value in a query; undefined is absent. */
export type Value = string | number | boolean | object | undefined;

const OWN_FIELDS = ['id', 'eventName', 'threadId', 'executionId', 'agentId', 'timestamp'] as const;

export function isOwnField(name: string): name is (typeof OWN_FIELDS)[number] {
  return (OWN_FIELDS as readonly string[]).includes(name);
}

/** The property key of a name that is not a field of the event. */
export function propertyKeyOf(name: string): string {
  return /^properties\../s.test(name) ? name.slice('properties.'.length) : name;
}

export function read(event: ReferenceEvent, name: string): Value {
  if (isOwnField(name)) return event[name] ?? undefined;
  const key = propertyKeyOf(name);
  const literal = member(event.properties, key);
  if (literal !== undefined || !key.includes('.')) return literal;
  return key.split('.').reduce<Value>(member, event.properties);
}

/**
 * JSON null counts as absent; an array has members named by its indexes, written without sign or
 * leading zeros.
 */
function member(container: Value, key: string): Value {
  if (typeof container !== 'object') return undefined;
  if (Array.isArray(container) && !/^(0|[1-9]\d*)$/.test(key)) return undefined;
  if (!Object.hasOwn(container, key)) return undefined;
  return ((container as Record<string, unknown>)[key] ?? undefined) as Value;
}

export function keeps(filter: EventFilter, event: ReferenceEvent, dates: Dates): boolean {
  if (filter.propertyKey === 'timestamp' && 'value' in filter) return keepsTime(filter, event.timestamp, dates);
  const value = read(event, filter.propertyKey);
  switch (filter.operator) {
    case 'exists':
      return value !== undefined;
    case 'notExists':
      return value === undefined;
    case 'eq':
      return value === filter.value;
    case 'neq':
      return value !== filter.value;
    case 'in':
      return filter.value.some((given) => value === given);
    case 'notIn':
      return !filter.value.some((given) => value === given);
    case 'contains':
      return contains(value, filter.value);
    case 'notContains':
      return !contains(value, filter.value);
    case 'startsWith':
      return typeof value === 'string' && lower(value).startsWith(lower(String(filter.value)));
    default:
      return compares(filter.operator, value, filter.value);
  }
}

type ValueFilter = Extract<EventFilter, { value: unknown }>;

/** A day or a period is all of its instants: a time is before it, in it or after it. */
function keepsTime({ operator, value }: ValueFilter, time: number, dates: Dates): boolean {
  const orders = [value].flat().map((given) => {
    const { start, end, form } = meaningOf(String(given), dates);
    if (form === 'instant' || form === 'length') return time - start;
    if (!isOrder(operator)) throw new Refused('a day or a period equals no time');
    if (time < start) return -1;
    return time < end ? 0 : 1;
  });
  if (isOrder(operator)) return holds(operator, orders[0]!);
  return orders.includes(0) === (operator === 'eq' || operator === 'in');
}

type Order = 'gt' | 'lt' | 'gte' | 'lte';

function isOrder(operator: EventFilter['operator']): operator is Order {
  return ['gt', 'lt', 'gte', 'lte'].includes(operator);
}

function contains(value: Value, given: unknown): boolean {
  if (Array.isArray(value)) return value.includes(given);
  return typeof value === 'string' && typeof given === 'string' && lower(value).includes(lower(given));
}

/** Numbers compare with numbers, text with text; anything else does not compare. */
function compares(operator: Order, value: Value, given: unknown): boolean {
  if (typeof value === 'number' && typeof given === 'number') return holds(operator, value - given);
  if (typeof value === 'string' && typeof given === 'string') return holds(operator, byCodePoint(value, given));
  return false;
}

function holds(operator: Order, order: number): boolean {
  return { gt: order > 0, lt: order < 0, gte: order >= 0, lte: order <= 0 }[operator];
}

/** Character by character, without context (a final sigma) or locale. */
function lower(text: string): string {
  return [...text].map((character) => character.toLowerCase()).join('');
}

/** UTF-8 sorts as code points do; JavaScript's own comparison would sort U+FF5E behind an emoji. */
export function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Numbers, then text, absent last. The direction applies within numbers and within text. */
export function byValue(one: Value, other: Value, descending: boolean): number {
  const rank = (value: Value) => (value === undefined ? 2 : typeof value === 'number' ? 0 : 1);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (one === undefined || other === undefined) return 0;
  const order =
    typeof one === 'number' && typeof other === 'number' ? one - other : byCodePoint(textOf(one), textOf(other));
  return descending ? -order : order;
}

/**
 * Groups ascending; different values with equal text (`"true"` and `true`) compare by their JSON.
 */
export function byGroup(one: Value[], other: Value[]): number {
  for (const [index, value] of one.entries()) {
    const order = byValue(value, other[index], false) || byCodePoint(identity(value), identity(other[index]));
    if (order !== 0) return order;
  }
  return 0;
}

function textOf(value: string | number | boolean | object): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Equal for values of same type and content, different for all others. */
export function identity(value: unknown): string {
  return JSON.stringify(value) ?? 'absent';
}
