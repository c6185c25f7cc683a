import type { EngineSql, PropertySql, ValueType } from '../../compile/engine.ts';
import { encodedElement, integer, number, text } from './literals.ts';

export interface ClickhouseProperty extends PropertySql {
  /** The scalar elements of a list, encoded; empty for other values. */
  elements: string | null;
}

export const TYPE_OF_VALUE: Record<ValueType, string> = {
  text: 'Nullable(String)',
  number: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
  mixed: 'Nullable(String)',
};

/**
 * Avoids the dictionary of LowCardinality: with it, a search of many different texts takes 1.4
 * times as long.
 */
function lowered(column: string): string {
  return `lowerUTF8(CAST(${column} AS Nullable(String)))`;
}

const START_OF = { month: 'toStartOfMonth', quarter: 'toStartOfQuarter', year: 'toStartOfYear' };
const MS_OF_DAY = 86_400_000;

/**
 * A mixed value is text whose first character is the type: `s` text, `n` number, `j` JSON of
 * anything else.
 */
export const CLICKHOUSE: EngineSql<ClickhouseProperty> = {
  text,
  number,
  integer,
  noText: 'CAST(NULL AS Nullable(String))',
  noNumber: 'CAST(NULL AS Nullable(Float64))',
  isOneOf(column, values) {
    const constants = values.map((value) => (typeof value === 'number' ? number(value) : text(value)));
    return constants.length === 1 ? `${column} = ${constants[0]}` : `${column} IN (${constants.join(', ')})`;
  },
  // An empty text is found at place 1, and nowhere in an empty one.
  contains: (column, part) =>
    part === '' ? `isNotNull(${column})` : `position(${lowered(column)}, lowerUTF8(${text(part)})) > 0`,
  startsWith: (column, start, { anyCase }) =>
    anyCase ? `startsWith(${lowered(column)}, lowerUTF8(${text(start)}))` : `startsWith(${column}, ${text(start)})`,
  matches: (column, pattern) => `match(${column}, ${text(pattern)})`,
  listContains: ({ elements }, value) =>
    elements === null ? null : `has(${elements}, ${text(encodedElement(value))})`,
  prefiltered: (_property, _text, condition) => condition,
  startOf: (unit, local) => `toInt64(toInt32(${START_OF[unit]}(${dateOf(local)}))) * ${MS_OF_DAY}`,
  exactSum: (column) => `sumKahan(${column})`,
  percentiles: (column, fractions) => `quantilesExactInclusive(${fractions.join(', ')})(${column})`,
  orderBy(column, type, descending) {
    const direction = descending ? 'DESC' : 'ASC';
    if (type !== 'mixed') return `${column} ${direction} NULLS LAST`;
    const isNumber = `startsWith(${column}, 'n')`;
    return (
      `isNull(${column}), NOT ${isNumber}, if(${isNumber}, toFloat64OrZero(substring(${column}, 2)), 0) ${direction}, ` +
      `if(${isNumber}, '', substring(${column}, 2)) ${direction}`
    );
  },
  shortened(column, type, maxText) {
    const [tag, text] = type === 'mixed' ? [`'s', `, `substring(${column}, 2)`] : ['', column];
    const digest = `lower(substring(hex(MD5(${text})), 1, 8))`;
    const cut = `concat(${tag}substringUTF8(${text}, 1, ${maxText}), '... (', toString(lengthUTF8(${text})), ' characters, ', ${digest}, ')')`;
    return `if(lengthUTF8(${text}) > ${maxText}, ${cut}, ${column})`;
  },
  asMixed: (column, type) =>
    type === 'mixed' ? column : `CAST(if(isNull(${column}), NULL, ${tagged(type, column)}) AS Nullable(String))`,
  jsonOf: (mixed) =>
    `if(startsWith(${mixed}, 's'), toJSONString(assumeNotNull(substring(${mixed}, 2))), substring(${mixed}, 2))`,
  decoded(value, type) {
    if (type !== 'mixed' || typeof value !== 'string') return value;
    const rest = value.slice(1);
    if (value[0] === 's') return rest;
    return value[0] === 'n' ? Number(rest) : (JSON.parse(rest) as unknown);
  },
  constant(stored, type) {
    if (stored === null) return `CAST(NULL AS ${TYPE_OF_VALUE[type]})`;
    const value =
      typeof stored === 'string' ? text(stored) : typeof stored === 'number' ? number(stored) : String(stored);
    return `CAST(${value} AS ${TYPE_OF_VALUE[type]})`;
  },
  table(rows, columns) {
    const types = columns.map(({ type }) => TYPE_OF_VALUE[type]).join(', ');
    const tuples = rows.map((row) => `CAST(tuple(${row.join(', ')}) AS Tuple(${types}))`);
    const named = columns.map(({ name }, at) => `row_0.${at + 1} AS ${name}`);
    return `(SELECT ${named.join(', ')} FROM (SELECT arrayJoin([${tuples.join(', ')}]) AS row_0))`;
  },
};

/** A value that is not NULL as a mixed one. */
export function tagged(kind: 'text' | 'number' | 'boolean' | 'container', value: string): string {
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

/** A date of the years 1900 to 2299. */
export function dateOf(local: string): string {
  return `toDate32(toInt32(intDiv(${local} - positiveModulo(${local}, ${MS_OF_DAY}), ${MS_OF_DAY})))`;
}
