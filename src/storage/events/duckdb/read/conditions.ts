import {
  type FieldRef,
  NUMBER_TEXT,
  type Predicate,
  type Scalar,
} from '../../../../core/analytics/events/predicates.ts';
import { isUuid } from '../write/insert.ts';
import type { StatementBuilder } from './expressions.ts';
import { isNumber } from './property-sql.ts';

/** May be NULL instead of false. */
export function conjunction(predicates: Predicate[], scope: StatementBuilder): string {
  return predicates.map((predicate) => condition(predicate, scope)).join(' AND ') || 'true';
}

function condition({ field, test, negated }: Predicate, scope: StatementBuilder): string {
  const positive = positiveCondition(field, test, scope);
  // Only when negated: DuckDB does not push `coalesce` down into the table scan.
  return negated ? `NOT coalesce(${positive}, false)` : positive;
}

function positiveCondition(field: FieldRef, test: Predicate['test'], scope: StatementBuilder): string {
  switch (test.kind) {
    case 'present':
      return isPresent(field, scope);
    case 'oneOf':
      return oneOf(field, test.values, scope);
    case 'compare': {
      const operator = { gt: '>', lt: '<', gte: '>=', lte: '<=' }[test.operator];
      return `${comparable(field, test.value, scope)} ${operator} ${scope.bind(test.value)}`;
    }
    case 'contains':
      return prefiltered(field, test.value, contains(field, test.value, scope), scope);
    case 'numberText':
      return `regexp_matches(${textOf(field, scope)}, ${scope.bind(NUMBER_TEXT)})`;
    case 'startsWith':
      return prefiltered(
        field,
        test.value,
        `starts_with(lower(${textOf(field, scope)}), lower(${scope.bind(test.value)}))`,
        scope,
      );
  }
}

function isPresent(field: FieldRef, scope: StatementBuilder): string {
  if (field.kind === 'event') return `${scope.column(field)} IS NOT NULL`;
  const { value, valueType, text, number, boolean, container } = scope.property(field.paths);
  if (valueType !== 'json') return `${value} IS NOT NULL`;
  return `(${[text, number, boolean, container]
    .filter((part) => part !== null)
    .map((part) => `${part} IS NOT NULL`)
    .join(' OR ')})`;
}

function numberOf(field: FieldRef, scope: StatementBuilder): string {
  if (field.kind === 'event') return 'NULL::DOUBLE';
  return scope.property(field.paths).number ?? 'NULL::DOUBLE';
}

function textOf(field: FieldRef, scope: StatementBuilder): string {
  if (field.kind === 'event') return scope.column(field);
  return scope.property(field.paths).text ?? 'NULL::VARCHAR';
}

/** NULL for events whose value has another type. */
function comparable(field: FieldRef, value: string | number, scope: StatementBuilder): string {
  const isTime = field.kind === 'event' && field.name === 'timestamp';
  if (isTime) return typeof value === 'number' ? scope.keepColumn('timestamp') : 'NULL';
  return typeof value === 'number' ? numberOf(field, scope) : textOf(field, scope);
}

function oneOf(field: FieldRef, values: Scalar[], scope: StatementBuilder): string {
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const booleans = values.filter((value) => typeof value === 'boolean');
  if (field.kind === 'event' && field.name === 'id') return hasId(texts, scope);
  const branches: string[] = [];
  if (texts.length > 0) branches.push(isIn(comparable(field, '', scope), texts, scope));
  if (numbers.length > 0) branches.push(isIn(comparable(field, 0, scope), numbers, scope));
  if (booleans.length > 0 && field.kind === 'property') {
    branches.push(`${scope.property(field.paths).boolean ?? 'NULL'} IN (${booleans.join(', ')})`);
  }
  return anyOf(branches);
}

/** Compares stored forms: converting each UUID to text takes ten times as long. */
function hasId(ids: string[], scope: StatementBuilder): string {
  const others = ids.filter((id) => !isUuid(id));
  const uuids = ids.filter(isUuid).map((uuid) => `${scope.bind(uuid)}::UUID`);
  const branches: string[] = [];
  if (uuids.length > 0) branches.push(`${scope.keepColumn('uuid')} IN (${uuids.join(', ')})`);
  if (others.length > 0) branches.push(isIn(scope.keepColumn('other_id'), others, scope));
  return anyOf(branches);
}

/** Longer lists are bound as one value: planning many placeholders takes long. */
const MAX_PLACEHOLDERS = 1_000;

function isIn(sql: string, values: (string | number)[], scope: StatementBuilder): string {
  if (values.length > MAX_PLACEHOLDERS) {
    const type = typeof values[0] === 'number' ? 'DOUBLE' : 'VARCHAR';
    return `${sql} IN (SELECT unnest(from_json(${scope.bind(JSON.stringify(values))}, '["${type}"]')))`;
  }
  return values.length === 1 ? `${sql} = ${scope.bind(values[0]!)}` : `${sql} IN (${scope.bindAll(values)})`;
}

function contains(field: FieldRef, value: Scalar, scope: StatementBuilder): string {
  const branches: string[] = [];
  if (typeof value === 'string') {
    branches.push(`contains(lower(${textOf(field, scope)}), lower(${scope.bind(value)}))`);
  }
  const container = field.kind === 'property' ? scope.property(field.paths).container : null;
  if (container !== null) {
    branches.push(
      `(json_type(${container}) = 'ARRAY' AND len(list_filter(TRY_CAST(${container} AS JSON[]), lambda item: ${sameValue('item', value, scope)})) > 0)`,
    );
  }
  return anyOf(branches);
}

/** Prefilter: parses only JSON that contains the text in any case, if JSON does not escape it. */
function prefiltered(field: FieldRef, value: Scalar, condition: string, scope: StatementBuilder): string {
  const within = field.kind === 'property' ? scope.property(field.paths).within : undefined;
  if (within === undefined || typeof value !== 'string' || ESCAPED.test(value)) return condition;
  return `CASE WHEN contains(lower(${within}), lower(${scope.bind(value)})) THEN ${condition} END`;
}

const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

function anyOf(branches: string[]): string {
  if (branches.length <= 1) return branches[0] ?? 'false';
  return `(${branches.join(' OR ')})`;
}

function sameValue(jsonItem: string, value: Scalar, scope: StatementBuilder): string {
  if (typeof value === 'string') {
    return `json_type(${jsonItem}) = 'VARCHAR' AND json_extract_string(${jsonItem}, '$') = ${scope.bind(value)}`;
  }
  if (typeof value === 'boolean') return `${jsonItem}::VARCHAR = ${scope.bind(String(value))}`;
  return `${isNumber(jsonItem)} AND TRY_CAST(${jsonItem} AS DOUBLE) = ${scope.bind(value)}`;
}
