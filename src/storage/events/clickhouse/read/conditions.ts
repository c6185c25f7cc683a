import {
  type FieldRef,
  NUMBER_TEXT,
  type Predicate,
  type Scalar,
} from '../../../../core/analytics/events/predicates.ts';
import type { QueryScope } from './expressions.ts';
import { encodedElement, number, text } from './literals.ts';
import { isPresent, NO_NUMBER, NO_TEXT } from './property-sql.ts';

/** On the table's own columns. May be NULL instead of false. */
export function conjunction(predicates: Predicate[], scope: QueryScope): string {
  return predicates.map((predicate) => condition(predicate, scope)).join(' AND ') || 'true';
}

function condition({ field, test, negated }: Predicate, scope: QueryScope): string {
  const positive = positiveCondition(field, test, scope);
  return negated ? `NOT ifNull(${positive}, false)` : `(${positive})`;
}

function positiveCondition(field: FieldRef, test: Predicate['test'], scope: QueryScope): string {
  switch (test.kind) {
    case 'present':
      return field.kind === 'event' ? `isNotNull(${scope.value(field)})` : isPresent(scope.property(field.paths));
    case 'oneOf':
      return oneOf(field, test.values, scope);
    case 'compare': {
      const operator = { gt: '>', lt: '<', gte: '>=', lte: '<=' }[test.operator];
      const value = typeof test.value === 'number' ? number(test.value) : text(test.value);
      return `${comparable(field, test.value, scope)} ${operator} ${value}`;
    }
    case 'contains':
      return contains(field, test.value, scope);
    case 'numberText':
      return `match(${textOf(field, scope)}, ${text(NUMBER_TEXT)})`;
    case 'startsWith':
      return `startsWith(${lowered(textOf(field, scope))}, lowerUTF8(${text(test.value)}))`;
  }
}

function isTime(field: FieldRef): boolean {
  return field.kind === 'event' && field.name === 'timestamp';
}

function textOf(field: FieldRef, scope: QueryScope): string {
  if (isTime(field)) return NO_TEXT;
  return field.kind === 'event' ? scope.value(field) : (scope.property(field.paths).text ?? NO_TEXT);
}

/**
 * Avoids the dictionary of LowCardinality: with it, a search of many different texts takes 1.4
 * times as long.
 */
function lowered(text: string): string {
  return `lowerUTF8(CAST(${text} AS Nullable(String)))`;
}

/** NULL for events whose value has another type. */
function comparable(field: FieldRef, value: string | number, scope: QueryScope): string {
  if (typeof value === 'string') return textOf(field, scope);
  if (isTime(field)) return scope.value(field);
  return field.kind === 'event' ? NO_NUMBER : (scope.property(field.paths).number ?? NO_NUMBER);
}

function oneOf(field: FieldRef, values: Scalar[], scope: QueryScope): string {
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const booleans = values.filter((value) => typeof value === 'boolean');
  const branches: string[] = [];
  if (texts.length > 0) branches.push(isIn(comparable(field, '', scope), texts.map(text)));
  if (numbers.length > 0) branches.push(isIn(comparable(field, 0, scope), numbers.map(number)));
  if (booleans.length > 0 && field.kind === 'property') {
    const { boolean } = scope.property(field.paths);
    if (boolean !== null) branches.push(isIn(boolean, booleans.map(String)));
  }
  return anyOf(branches);
}

function isIn(sql: string, values: string[]): string {
  return values.length === 1 ? `${sql} = ${values[0]}` : `${sql} IN (${values.join(', ')})`;
}

function contains(field: FieldRef, value: Scalar, scope: QueryScope): string {
  const branches: string[] = [];
  if (typeof value === 'string') {
    const own = textOf(field, scope);
    // An empty text is found at place 1, and nowhere in an empty one.
    branches.push(value === '' ? `isNotNull(${own})` : `position(${lowered(own)}, lowerUTF8(${text(value)})) > 0`);
  }
  const elements = field.kind === 'property' ? scope.property(field.paths).elements : null;
  if (elements !== null) branches.push(`has(${elements}, ${text(encodedElement(value))})`);
  return anyOf(branches);
}

function anyOf(branches: string[]): string {
  if (branches.length <= 1) return branches[0] ?? 'false';
  return `(${branches.map((branch) => `ifNull(${branch}, false)`).join(' OR ')})`;
}
