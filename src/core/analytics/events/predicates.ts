import type { EventFilter } from '../../base/filters/filter-schema.ts';
import { invalid } from '../../base/shared/errors.ts';
import { type DateContext, type ReadDate, readDate } from '../../base/time/dates.ts';
import { EVENT_FIELDS, type EventField } from './fields.ts';

export type FieldRef = { kind: 'event'; name: EventField } | { kind: 'property'; paths: PropertyPath[] };

/** Keys from the properties object inwards. */
export type PropertyPath = string[];

/** `properties.<key>` is a property. A dotted key is that exact name, or else a nested path. */
export function fieldOf(name: string): FieldRef {
  const own = EVENT_FIELDS.find((field) => field === name);
  if (own) return { kind: 'event', name: own };
  const prefix = 'properties.';
  const key = name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : name;
  return { kind: 'property', paths: key.includes('.') ? [[key], key.split('.')] : [[key]] };
}

/** With the prefix where the key alone means an event field. */
export function nameOfProperty(key: string): string {
  const shadows = EVENT_FIELDS.some((field) => field === key) || key.startsWith('properties.');
  return shadows ? `properties.${key}` : key;
}

export type Scalar = string | number | boolean;

/** Every test is false for an absent value; JSON null counts as absent. */
export type Test =
  | { kind: 'present' }
  /** A JSON array. */
  | { kind: 'list' }
  /** Same type and value; timestamps are epoch milliseconds. */
  | { kind: 'oneOf'; values: Scalar[] }
  /** Numbers against numbers, text against text by code point. */
  | { kind: 'compare'; operator: 'gt' | 'lt' | 'gte' | 'lte'; value: string | number }
  /** Text: case-insensitive substring. Array: an element of same type and value. */
  | { kind: 'contains'; value: Scalar }
  | { kind: 'startsWith'; value: string }
  /** Text that matches `NUMBER_TEXT`. */
  | { kind: 'numberText' };

/** A text that someone meant as a number, as `49.90`, `1.234,56` or `R$ 12`. For RE2. */
export const NUMBER_TEXT = String.raw`^\s*[-+]?\s*(R\$|\p{Sc})?\s*[0-9]([0-9.,' ]*[0-9])?([eE][-+]?[0-9]+)?\s*(%|\p{Sc})?\s*$`;

export interface Predicate {
  field: FieldRef;
  test: Test;
  /** A negated predicate also matches absent values. */
  negated: boolean;
}

export function predicatesOf(filters: EventFilter[], path: string, dates: DateContext): Predicate[] {
  return filters.map((filter, index) => {
    const field = fieldOf(filter.propertyKey);
    const at = `${path}[${index}].value`;
    const isTime = field.kind === 'event' && field.name === 'timestamp';
    return isTime ? timePredicate(filter, field, at, dates) : { field, ...testOf(filter, at) };
  });
}

const NEGATED = new Set<EventFilter['operator']>(['neq', 'notIn', 'notExists', 'notContains']);

function testOf(filter: EventFilter, at: string): { test: Test; negated: boolean } {
  return { test: plainTest(filter, at), negated: NEGATED.has(filter.operator) };
}

function plainTest(filter: EventFilter, at: string): Test {
  switch (filter.operator) {
    case 'eq':
    case 'neq':
      return { kind: 'oneOf', values: [filter.value] };
    case 'in':
    case 'notIn':
      return { kind: 'oneOf', values: filter.value };
    case 'exists':
    case 'notExists':
      return { kind: 'present' };
    case 'contains':
    case 'notContains':
      return { kind: 'contains', value: filter.value };
    case 'startsWith':
      if (typeof filter.value !== 'string') throw invalid(`${at}: startsWith needs a string`);
      return { kind: 'startsWith', value: filter.value };
    default:
      if (typeof filter.value === 'boolean') throw invalid(`${at}: ${filter.operator} needs a number or a string`);
      return { kind: 'compare', operator: filter.operator, value: filter.value };
  }
}

const TEXT_OPERATORS = new Set<EventFilter['operator']>(['contains', 'notContains', 'startsWith']);

function timePredicate(filter: EventFilter, field: FieldRef, at: string, dates: DateContext): Predicate {
  if (TEXT_OPERATORS.has(filter.operator)) {
    throw invalid(
      `${at.replace('.value', '.operator')}: ${filter.operator} does not apply to a timestamp; use gte and lt`,
    );
  }
  if (!('value' in filter)) return { field, ...testOf(filter, at) };
  const dated = [filter.value].flat().map((value) => {
    if (typeof value !== 'string') throw invalid(`${at}: a timestamp is compared with a date, such as "2026-03-01"`);
    return readDate(value, at, dates);
  });
  const span = dated.find(({ kind }) => kind !== 'instant');
  if (span) return { field, test: spanTest(filter.operator, span, at), negated: false };
  const instants = dated.map(({ from }) => from);
  const value = Array.isArray(filter.value) ? instants : instants[0];
  return { field, ...testOf({ ...filter, value } as EventFilter, at) };
}

/** `gte` and `lte` include the day or period, `gt` and `lt` do not. */
function spanTest(operator: EventFilter['operator'], { from, to }: ReadDate, at: string): Test {
  switch (operator) {
    case 'gte':
    case 'lt':
      return { kind: 'compare', operator, value: from };
    case 'gt':
      return { kind: 'compare', operator: 'gte', value: to };
    case 'lte':
      return { kind: 'compare', operator: 'lt', value: to };
    default:
      throw invalid(`${at}: a day or a period is compared with gt, gte, lt or lte`);
  }
}
