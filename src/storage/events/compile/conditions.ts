import { type FieldRef, NUMBER_TEXT, type Predicate, type Scalar } from '../../../core/analytics/events/predicates.ts';
import type { PropertySql } from './engine.ts';
import type { EventScope } from './scope.ts';

/** On the table's own columns. May be NULL instead of false. */
export function conjunction(predicates: Predicate[], scope: EventScope): string {
  return predicates.map((predicate) => condition(predicate, scope)).join(' AND ') || 'true';
}

/** A column of the selected events: whether all hold, never NULL. */
export function holds(predicates: Predicate[], scope: EventScope): string {
  return scope.computed(`coalesce(${conjunction(predicates, scope)}, false)`);
}

function condition({ field, test, negated }: Predicate, scope: EventScope): string {
  const positive = positiveCondition(field, test, scope);
  // Only when negated: DuckDB does not push `coalesce` down into the table scan.
  return negated ? `NOT coalesce(${positive}, false)` : positive;
}

function positiveCondition(field: FieldRef, test: Predicate['test'], scope: EventScope): string {
  const { engine } = scope;
  switch (test.kind) {
    case 'present':
      return field.kind === 'event' ? `${scope.value(field)} IS NOT NULL` : isPresent(scope.property(field.paths));
    case 'list': {
      const container = field.kind === 'event' ? null : scope.property(field.paths).container;
      return container === null ? 'false' : engine.startsWith(container, '[', { anyCase: false });
    }
    case 'oneOf':
      return oneOf(field, test.values, scope);
    case 'compare': {
      const operator = { gt: '>', lt: '<', gte: '>=', lte: '<=' }[test.operator];
      const value = typeof test.value === 'number' ? engine.number(test.value) : engine.text(test.value);
      return `${comparable(field, test.value, scope)} ${operator} ${value}`;
    }
    case 'contains':
      return prefiltered(field, test.value, contains(field, test.value, scope), scope);
    case 'numberText':
      return engine.matches(textOf(field, scope), NUMBER_TEXT);
    case 'startsWith': {
      const starts = engine.startsWith(textOf(field, scope), test.value, { anyCase: true });
      return prefiltered(field, test.value, starts, scope);
    }
  }
}

export function isPresent(property: PropertySql): string {
  const parts = [property.text, property.number, property.boolean, property.container].filter((part) => part !== null);
  if (parts.length === 0) return 'false';
  return `(${parts.map((part) => `${part} IS NOT NULL`).join(' OR ')})`;
}

function isTime(field: FieldRef): boolean {
  return field.kind === 'event' && field.name === 'timestamp';
}

function textOf(field: FieldRef, scope: EventScope): string {
  if (isTime(field)) return scope.engine.noText;
  return field.kind === 'event' ? scope.value(field) : (scope.property(field.paths).text ?? scope.engine.noText);
}

/** NULL for events whose value has another type. */
function comparable(field: FieldRef, value: string | number, scope: EventScope): string {
  if (typeof value === 'string') return textOf(field, scope);
  if (isTime(field)) return scope.value(field);
  const number = field.kind === 'event' ? null : scope.property(field.paths).number;
  return number ?? scope.engine.noNumber;
}

function oneOf(field: FieldRef, values: Scalar[], scope: EventScope): string {
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const booleans = values.filter((value) => typeof value === 'boolean');
  if (field.kind === 'event' && field.name === 'id') return scope.hasId(texts);
  const branches: string[] = [];
  if (texts.length > 0) branches.push(scope.engine.isOneOf(comparable(field, '', scope), texts));
  if (numbers.length > 0) branches.push(scope.engine.isOneOf(comparable(field, 0, scope), numbers));
  const boolean = field.kind === 'property' ? scope.property(field.paths).boolean : null;
  if (booleans.length > 0 && boolean !== null) branches.push(`${boolean} IN (${booleans.join(', ')})`);
  return anyOf(branches);
}

function contains(field: FieldRef, value: Scalar, scope: EventScope): string {
  const branches: string[] = [];
  if (typeof value === 'string') branches.push(scope.engine.contains(textOf(field, scope), value));
  const inList = field.kind === 'property' ? scope.engine.listContains(scope.property(field.paths), value) : null;
  if (inList !== null) branches.push(inList);
  return anyOf(branches);
}

function prefiltered(field: FieldRef, value: Scalar, condition: string, scope: EventScope): string {
  if (field.kind === 'event' || typeof value !== 'string') return condition;
  return scope.engine.prefiltered(scope.property(field.paths), value, condition);
}

export function anyOf(branches: string[]): string {
  if (branches.length <= 1) return branches[0] ?? 'false';
  return `(${branches.join(' OR ')})`;
}
