import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import { jsonPointer } from '../../shared/known-names.ts';
import type { TenantColumns } from '../columns.ts';
import { columnName, KINDS, type Kind, MAP_OF_KIND } from '../schema.ts';
import { text } from './literals.ts';

/** SQL by type, NULL for values of other types; null: no event has that type. */
export interface PropertySql extends Record<Kind, string | null> {
  /** The whole value, equal only for equal values, NULL for an absent one. */
  value: string;
  /**
   * `tagged`: text whose first character is the type: `s` text, `n` number, `j` JSON of anything
   * else.
   */
  valueType: 'text' | 'number' | 'boolean' | 'tagged';
  /** The scalar elements of a list, encoded; empty for other values. */
  elements: string | null;
}

export const NO_TEXT = 'CAST(NULL AS Nullable(String))';
export const NO_NUMBER = 'CAST(NULL AS Nullable(Float64))';
const NO_LIST = 'CAST([] AS Array(String))';

export const ABSENT: PropertySql = {
  text: null,
  number: null,
  boolean: null,
  container: null,
  value: NO_TEXT,
  valueType: 'text',
  elements: null,
};

/** The first path that is present decides, whatever it has. */
export function propertySql(paths: PropertyPath[], columns: TenantColumns | null): PropertySql {
  if (columns === null) return ABSENT;
  const possible = paths.map((path) => ofPath(path, columns)).filter((one) => one !== ABSENT);
  const [first, ...others] = possible;
  if (first === undefined) return ABSENT;
  return others.reduce((before, next) => combined(alternatives(before, next)), first);
}

function ofPath(path: PropertyPath, columns: TenantColumns): PropertySql {
  const pointer = text(jsonPointer(path));
  const place = (kind: Kind): string | null => {
    const found = columns.locate(path, kind);
    if (found.kind === 'absent') return null;
    return found.kind === 'map' || kind === 'container'
      ? `${MAP_OF_KIND[kind]}[${pointer}]`
      : columnName(kind, found.slot);
  };
  const [ofText, ofNumber, ofBoolean, container] = KINDS.map(place) as [
    string | null,
    string | null,
    string | null,
    string | null,
  ];
  const elements = container === null ? null : `lists[${pointer}]`;
  return combined({ text: ofText, number: ofNumber, boolean: ofBoolean, container, elements });
}

type Parts = Omit<PropertySql, 'value' | 'valueType'>;

function alternatives(first: PropertySql, second: PropertySql): Parts {
  const isFirst = isPresent(first);
  const either = (kind: Kind | 'elements', none: string) => {
    const [one, other] = [first[kind], second[kind]];
    return one === null && other === null ? null : `if(${isFirst}, ${one ?? none}, ${other ?? none})`;
  };
  return {
    text: either('text', 'NULL'),
    number: either('number', 'NULL'),
    boolean: either('boolean', 'NULL'),
    container: either('container', 'NULL'),
    elements: either('elements', NO_LIST),
  };
}

export function isPresent(property: PropertySql): string {
  const parts = KINDS.map((kind) => property[kind]).filter((part) => part !== null);
  if (parts.length === 0) return 'false';
  return `(${parts.map((part) => `isNotNull(${part})`).join(' OR ')})`;
}

function combined(parts: Parts): PropertySql {
  const present = KINDS.filter((kind) => parts[kind] !== null);
  const [only] = present;
  if (only === undefined) return ABSENT;
  if (present.length === 1 && only !== 'container') return { ...parts, value: parts[only]!, valueType: only };
  const cases = present.map((kind) => `isNotNull(${parts[kind]}), ${tagged(kind, parts[kind]!)}`);
  return { ...parts, value: `multiIf(${cases.join(', ')}, NULL)`, valueType: 'tagged' };
}

function tagged(kind: Kind, value: string): string {
  switch (kind) {
    case 'text':
      return `concat('s', ${value})`;
    case 'number':
      return `concat('n', toString(${value}))`;
    case 'boolean':
      return `if(${value}, 'jtrue', 'jfalse')`;
    case 'container':
      return `concat('j', ${value})`;
  }
}

/** A value of any type as tagged text. */
export function asTagged(column: string, type: PropertySql['valueType']): string {
  if (type === 'tagged') return column;
  return `if(isNull(${column}), NULL, ${tagged(type, column)})`;
}

/** The text shown for a group, like DuckDB's `shortened`: with its length and a digest. */
export function shortened(column: string, type: PropertySql['valueType'], maxText: number | undefined): string {
  if (maxText === undefined || type === 'number' || type === 'boolean') return column;
  const [tag, text] = type === 'tagged' ? [`'s', `, `substring(${column}, 2)`] : ['', column];
  const cut = `concat(${tag}substringUTF8(${text}, 1, ${maxText}), '... (', toString(lengthUTF8(${text})), ' characters, ', lower(substring(hex(MD5(${text})), 1, 8)), ')')`;
  return `if(lengthUTF8(${text}) > ${maxText}, ${cut}, ${column})`;
}

/** The value of tagged text, or of a value as the engine prints it. */
export function decodedText(value: unknown, type: PropertySql['valueType']): unknown {
  if (type !== 'tagged' || typeof value !== 'string') return value;
  const rest = value.slice(1);
  if (value[0] === 's') return rest;
  return value[0] === 'n' ? Number(rest) : (JSON.parse(rest) as unknown);
}

/** Numbers, then text, absent values last; the direction applies within each type. */
export function orderBy(column: string, type: PropertySql['valueType'], descending: boolean): string {
  const direction = descending ? 'DESC' : 'ASC';
  if (type !== 'tagged') return `${column} ${direction} NULLS LAST`;
  const isNumber = `startsWith(${column}, 'n')`;
  return (
    `isNull(${column}), NOT ${isNumber}, if(${isNumber}, toFloat64OrZero(substring(${column}, 2)), 0) ${direction}, ` +
    `if(${isNumber}, '', substring(${column}, 2)) ${direction}`
  );
}
