import type { Scalar } from '../../../../core/analytics/events/predicates.ts';
import type { EngineSql, PropertySql, ValueType } from '../../compile/engine.ts';

export interface DuckdbProperty extends PropertySql {
  /** The JSON column, if every event's value is read from it. */
  within?: string;
}

const TYPE_OF_VALUE: Record<ValueType, string> = {
  text: 'VARCHAR',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  mixed: 'JSON',
};

/** Hexadecimal digits cannot carry SQL, and become a constant when the statement is planned. */
function text(value: string): string {
  return `decode(unhex('${Buffer.from(value).toString('hex')}'))`;
}

/** Without an exponent it would be a decimal of fewer digits. */
function number(value: number): string {
  if (Number.isSafeInteger(value)) return integer(value);
  return `(${String(value).includes('e') ? value : `${value}e0`})`;
}

function integer(value: number): string {
  return `(${value})::BIGINT`;
}

/** Longer lists are one constant: planning many takes long. */
const MAX_CONSTANTS = 1_000;

/** Mixed values are JSON. */
export const DUCKDB: EngineSql<DuckdbProperty> = {
  text,
  number,
  integer,
  noText: 'NULL::VARCHAR',
  noNumber: 'NULL::DOUBLE',
  isOneOf(column, values) {
    if (values.length > MAX_CONSTANTS) {
      const type = typeof values[0] === 'number' ? 'DOUBLE' : 'VARCHAR';
      return `${column} IN (SELECT unnest(from_json(${text(JSON.stringify(values))}, '["${type}"]')))`;
    }
    const constants = values.map((value) => (typeof value === 'number' ? number(value) : text(value)));
    return constants.length === 1 ? `${column} = ${constants[0]}` : `${column} IN (${constants.join(', ')})`;
  },
  contains: (column, part) => `contains(lower(${column}), lower(${text(part)}))`,
  startsWith: (column, start, { anyCase }) =>
    anyCase ? `starts_with(lower(${column}), lower(${text(start)}))` : `starts_with(${column}, ${text(start)})`,
  matches: (column, pattern) => `regexp_matches(${column}, ${text(pattern)})`,
  listContains({ container }, value) {
    if (container === null) return null;
    const found = `list_filter(TRY_CAST(${container} AS JSON[]), lambda item: ${isSame('item', value)})`;
    return `(json_type(${container}) = 'ARRAY' AND len(${found}) > 0)`;
  },
  /** JSON that does not escape the text contains it in any case. */
  prefiltered({ within }, part, condition) {
    if (within === undefined || ESCAPED.test(part)) return condition;
    return `CASE WHEN contains(lower(${within}), lower(${text(part)})) THEN ${condition} END`;
  },
  startOf: (unit, local) => `epoch_ms(date_trunc('${unit}', make_timestamp(${local} * 1000)))`,
  exactSum: (column) => `fsum(${column})`,
  percentiles: (column, fractions) => `quantile_cont(${column}, [${fractions.join(', ')}])`,
  orderBy(column, type, descending) {
    const direction = descending ? 'DESC' : 'ASC';
    if (type !== 'mixed') return `${column} ${direction} NULLS LAST`;
    const number = `CASE WHEN ${isNumber(column)} THEN CAST(${column} AS DOUBLE) END`;
    return `(${number}) IS NULL, (${number}) ${direction}, json_extract_string(${column}, '$') ${direction} NULLS LAST`;
  },
  shortened(column, type, maxText) {
    const text = type === 'mixed' ? `json_extract_string(${column}, '$')` : column;
    const cut = `left(${text}, ${maxText}) || '... (' || length(${text}) || ' characters, ' || left(md5(${text}), 8) || ')'`;
    const shown = type === 'mixed' ? `to_json(${cut})` : cut;
    return `CASE WHEN length(${text}) > ${maxText} THEN ${shown} ELSE ${column} END`;
  },
  asMixed: (column) => `to_json(${column})`,
  jsonOf: (mixed) => mixed,
  decoded: (value, type) => (type === 'mixed' && typeof value === 'string' ? (JSON.parse(value) as unknown) : value),
  constant(stored, type) {
    const value =
      stored === null
        ? 'NULL'
        : typeof stored === 'string'
          ? text(stored)
          : typeof stored === 'number'
            ? number(stored)
            : String(stored);
    return `${value}::${TYPE_OF_VALUE[type]}`;
  },
  table: (rows, columns) =>
    `(SELECT * FROM (VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}) AS t_0(${columns.map(({ name }) => name).join(', ')}))`,
};

const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

function isSame(item: string, value: Scalar): string {
  if (typeof value === 'string') {
    return `json_type(${item}) = 'VARCHAR' AND json_extract_string(${item}, '$') = ${text(value)}`;
  }
  if (typeof value === 'boolean') return `${item}::VARCHAR = '${value}'`;
  return `${isNumber(item)} AND TRY_CAST(${item} AS DOUBLE) = ${number(value)}`;
}

/** By the first character, a minus or a digit, which is cheaper than parsing. */
export function isNumber(json: string): string {
  return `ascii(${json}::VARCHAR) BETWEEN 45 AND 57`;
}
