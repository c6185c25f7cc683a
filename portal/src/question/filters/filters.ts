import type { Schemas } from '../../api/schemas.ts';
import { OPERATORS, type Operator, takesList, takesNoValue } from '../words/words.ts';

type EventFilter = Schemas['EventFilter'];
type Scalar = string | number | boolean;

/** A typed value with its type, because a filter distinguishes `"1"` and `1`. */
export interface FilterValue {
  text: string;
  /** `blank`: an empty field. */
  kind: 'text' | 'number' | 'boolean' | 'blank';
}

type ValueKind = Exclude<FilterValue['kind'], 'blank'>;

/** A filter as the form holds it. It is incomplete without a property, or without a value that the operator needs. */
export interface FilterRow {
  /** React's key of the row. */
  id: number;
  propertyKey: string;
  operator: Operator;
  values: FilterValue[];
}

let lastId = 0;
export function nextId(): number {
  lastId += 1;
  return lastId;
}

export function newFilter(): FilterRow {
  return { id: nextId(), propertyKey: '', operator: 'eq', values: [] };
}

export function isComplete({ propertyKey, operator, values }: FilterRow): boolean {
  return propertyKey !== '' && (takesNoValue(operator) || values.some(isGiven));
}

/** The filters of complete rows; undefined without any. */
export function filtersOf(rows: readonly FilterRow[]): EventFilter[] | undefined {
  const complete = rows.filter(isComplete);
  if (complete.length === 0) return undefined;
  return complete.map(({ propertyKey, operator, values }) => {
    if (takesNoValue(operator)) return { propertyKey, operator };
    const scalars = values.filter(isGiven).map(scalarOf);
    return { propertyKey, operator, value: takesList(operator) ? scalars : scalars[0]! };
  });
}

/** Rows of filters from an untrusted source, without invalid filters. */
export function rowsOf(filters: unknown): FilterRow[] {
  if (!Array.isArray(filters)) return [];
  return filters.flatMap((filter: unknown) => {
    const { propertyKey, operator, value } = (filter ?? {}) as Record<string, unknown>;
    const known = OPERATORS.find((one) => one.value === operator)?.value;
    if (typeof propertyKey !== 'string' || known === undefined) return [];
    const scalars = (Array.isArray(value) ? value : [value]).filter(isScalar);
    return [{ id: nextId(), propertyKey, operator: known, values: scalars.map(filterValueOf) }];
  });
}

/** The paths of the fields in the request, which has complete rows alone. */
export function filterPaths(path: string, rows: readonly FilterRow[]): string[] {
  const members = rows
    .filter(isComplete)
    .flatMap((_, index) => ['propertyKey', 'operator', 'value'].map((member) => `${path}[${index}].${member}`));
  return [path, ...members];
}

/** The index of a row among the complete rows, which are sent; null for an incomplete one. */
export function placeOf(rows: readonly FilterRow[], row: FilterRow): number | null {
  return isComplete(row) ? rows.filter(isComplete).indexOf(row) : null;
}

/** The value of a typed text for a property of this type: `number`, `string|number`, or undefined if it is unknown. */
export function typedValue(text: string, type: string | undefined): FilterValue {
  return { text, kind: text === '' ? 'blank' : kindsOf(text, type)[0]! };
}

/** The possible values of the text, the likeliest first. */
export function kindsOf(text: string, type: string | undefined): ValueKind[] {
  const types = type?.split('|') ?? [];
  const mayBe = (name: string) => types.length === 0 || types.includes(name) || types.includes('array');
  const kinds: ValueKind[] = [];
  if (mayBe('number') && isNumeric(text)) kinds.push('number');
  if (mayBe('boolean') && (text === 'true' || text === 'false')) kinds.push('boolean');
  if (mayBe('string') || kinds.length === 0) kinds.push('text');
  return kinds;
}

export function filterValueOf(scalar: Scalar): FilterValue {
  const kind = typeof scalar === 'number' ? 'number' : typeof scalar === 'boolean' ? 'boolean' : 'text';
  return { text: String(scalar), kind };
}

function isGiven({ kind }: FilterValue): boolean {
  return kind !== 'blank';
}

function scalarOf({ text, kind }: FilterValue): Scalar {
  if (kind === 'number' && isNumeric(text)) return Number(text);
  if (kind === 'boolean') return text === 'true';
  return text;
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
