import type { FieldRef, Predicate, PropertyPath, Scalar } from '../../core/events/predicates.ts';

export type Bindable = string | number;

export interface CompiledQuery {
  sql: string;
  params: Bindable[];
}

const COLUMN_OF_FIELD = {
  id: 'id',
  eventName: 'event_name',
  threadId: 'thread_id',
  executionId: 'execution_id',
  agentId: 'agent_id',
  timestamp: 'timestamp',
} as const;

/**
 * Collects the values of one statement and the properties it reads. Every value is bound; no identifier ever comes
 * from input: a property is a bound JSON pointer behind a numbered column.
 */
export class Scope {
  readonly params: Bindable[] = [];
  private readonly properties: PropertyPath[][] = [];

  bind(value: Bindable): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }

  bindAll(values: Bindable[]): string {
    return values.map((value) => this.bind(value)).join(', ');
  }

  /** The column that holds a field's value: text, milliseconds for the timestamp, JSON for a property. */
  column(field: FieldRef): string {
    if (field.kind === 'event') return COLUMN_OF_FIELD[field.name];
    const key = JSON.stringify(field.paths);
    let index = this.properties.findIndex((paths) => JSON.stringify(paths) === key);
    if (index === -1) index = this.properties.push(field.paths) - 1;
    return `p${index}`;
  }

  /** The select list that makes the property columns. Call it after every `column` of the statement. */
  propertyColumns(): string[] {
    return this.properties.map((paths, index) => {
      const values = paths.map((path) => `nullif(json_extract(properties, ${this.bind(jsonPointer(path))}), 'null')`);
      return `${values.length === 1 ? values[0] : `coalesce(${values.join(', ')})`} AS p${index}`;
    });
  }

  /** The JSON at each path as one list. */
  values(paths: PropertyPath[]): string {
    return `json_extract(properties, [${this.bindAll(paths.map(jsonPointer))}])`;
  }
}

/** RFC 6901. */
function jsonPointer(path: PropertyPath): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A property's number, or NULL where it holds anything else. */
export function numberOf(field: FieldRef, scope: Scope): string {
  if (field.kind === 'event') return 'NULL::DOUBLE';
  const column = scope.column(field);
  return `CASE WHEN ${isNumber(column)} THEN CAST(${column} AS DOUBLE) END`;
}

/** JSON_TYPE of the numbers that canonical JSON can hold. */
export function isNumber(jsonColumn: string): string {
  return `json_type(${jsonColumn}) IN ('UBIGINT', 'BIGINT', 'DOUBLE')`;
}

function textOf(field: FieldRef, scope: Scope): string {
  const column = scope.column(field);
  if (field.kind === 'event') return column;
  return `CASE WHEN json_type(${column}) = 'VARCHAR' THEN json_extract_string(${column}, '$') END`;
}

/** Order of mixed values: numbers, then text, absent last. Only the order inside each turns with the direction. */
export function orderBy(field: FieldRef, column: string, descending: boolean): string {
  const direction = descending ? 'DESC' : 'ASC';
  if (field.kind === 'event') return `${column} ${direction} NULLS LAST`;
  const number = `CASE WHEN ${isNumber(column)} THEN CAST(${column} AS DOUBLE) END`;
  return `(${number}) IS NULL, (${number}) ${direction}, json_extract_string(${column}, '$') ${direction} NULLS LAST`;
}

export function conjunction(predicates: Predicate[], scope: Scope): string {
  return predicates.map((predicate) => condition(predicate, scope)).join(' AND ') || 'true';
}

function condition({ field, test, negated }: Predicate, scope: Scope): string {
  const positive = positiveCondition(field, test, scope);
  return negated ? `NOT coalesce(${positive}, false)` : `coalesce(${positive}, false)`;
}

function positiveCondition(field: FieldRef, test: Predicate['test'], scope: Scope): string {
  switch (test.kind) {
    case 'present':
      return `${scope.column(field)} IS NOT NULL`;
    case 'oneOf':
      return oneOf(field, test.values, scope);
    case 'compare': {
      const operator = { gt: '>', lt: '<', gte: '>=', lte: '<=' }[test.operator];
      return `${comparable(field, test.value, scope)} ${operator} ${scope.bind(test.value)}`;
    }
    case 'contains':
      return contains(field, test.value, scope);
    case 'startsWith':
      return `starts_with(lower(${textOf(field, scope)}), lower(${scope.bind(test.value)}))`;
  }
}

/** The side of a comparison that has the value's own type; NULL where the event holds another. */
function comparable(field: FieldRef, value: string | number, scope: Scope): string {
  const isTime = field.kind === 'event' && field.name === 'timestamp';
  if (isTime) return typeof value === 'number' ? 'timestamp' : 'NULL';
  return typeof value === 'number' ? numberOf(field, scope) : textOf(field, scope);
}

function oneOf(field: FieldRef, values: Scalar[], scope: Scope): string {
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const booleans = values.filter((value) => typeof value === 'boolean');
  const branches: string[] = [];
  if (texts.length > 0) branches.push(`${comparable(field, '', scope)} IN (${scope.bindAll(texts)})`);
  if (numbers.length > 0) branches.push(`${comparable(field, 0, scope)} IN (${scope.bindAll(numbers)})`);
  if (booleans.length > 0 && field.kind === 'property') {
    branches.push(`${scope.column(field)}::VARCHAR IN (${scope.bindAll(booleans.map(String))})`);
  }
  return branches.map((branch) => `coalesce(${branch}, false)`).join(' OR ') || 'false';
}

function contains(field: FieldRef, value: Scalar, scope: Scope): string {
  const branches: string[] = [];
  if (typeof value === 'string') {
    branches.push(`contains(lower(${textOf(field, scope)}), lower(${scope.bind(value)}))`);
  }
  if (field.kind === 'property') {
    const column = scope.column(field);
    branches.push(
      `(json_type(${column}) = 'ARRAY' AND len(list_filter(TRY_CAST(${column} AS JSON[]), lambda item: ${sameValue('item', value, scope)})) > 0)`,
    );
  }
  return branches.map((branch) => `coalesce(${branch}, false)`).join(' OR ') || 'false';
}

function sameValue(jsonItem: string, value: Scalar, scope: Scope): string {
  if (typeof value === 'string') {
    return `json_type(${jsonItem}) = 'VARCHAR' AND json_extract_string(${jsonItem}, '$') = ${scope.bind(value)}`;
  }
  if (typeof value === 'boolean') return `${jsonItem}::VARCHAR = ${scope.bind(String(value))}`;
  return `${isNumber(jsonItem)} AND TRY_CAST(${jsonItem} AS DOUBLE) = ${scope.bind(value)}`;
}
