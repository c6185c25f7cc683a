/** SQL by type, NULL for values of other types; null: no event has that type. */
export interface PropertySql {
  text: string | null;
  number: string | null;
  boolean: string | null;
  container: string | null;
  /** The whole value, equal only for equal values. */
  value: string;
  valueType: 'text' | 'number' | 'boolean' | 'json';
  /** `number` is a BIGINT. */
  isInteger?: boolean;
  /** The JSON column, if every event's value is read from it. */
  within?: string;
}

export type Typed = Pick<PropertySql, 'text' | 'number' | 'boolean' | 'container'>;

export const ABSENT: PropertySql = {
  text: null,
  number: null,
  boolean: null,
  container: null,
  value: 'NULL::VARCHAR',
  valueType: 'text',
};

export function combined(parts: Typed): PropertySql {
  const scalars = (['text', 'number', 'boolean'] as const).filter((type) => parts[type] !== null);
  const [only] = scalars;
  if (only === undefined && parts.container === null) return ABSENT;
  if (only !== undefined && scalars.length === 1 && parts.container === null) {
    return { ...parts, value: parts[only]!, valueType: only };
  }
  const jsons = [...scalars.map((type) => `to_json(${parts[type]})`), ...(parts.container ? [parts.container] : [])];
  return { ...parts, value: jsons.length === 1 ? jsons[0]! : `coalesce(${jsons.join(', ')})`, valueType: 'json' };
}

export function fromJson(json: string): PropertySql {
  return {
    text: `CASE WHEN starts_with(${json}::VARCHAR, '"') THEN json_extract_string(${json}, '$') END`,
    number: `CASE WHEN ${isNumber(json)} THEN CAST(${json} AS DOUBLE) END`,
    boolean: `CASE WHEN ${json}::VARCHAR IN ('true', 'false') THEN ${json}::VARCHAR = 'true' END`,
    container: `CASE WHEN ascii(${json}::VARCHAR) IN (91, 123) THEN ${json} END`,
    value: json,
    valueType: 'json',
  };
}

/** By the first character, a minus or a digit, which is cheaper than parsing. */
export function isNumber(json: string): string {
  return `ascii(${json}::VARCHAR) BETWEEN 45 AND 57`;
}

/**
 * The text shown for a group: the beginning of a long text with its length and a digest, so that
 * two texts that begin alike stay two groups.
 */
export function shortened(column: string, type: PropertySql['valueType'], maxText: number | undefined): string {
  if (maxText === undefined || type === 'number' || type === 'boolean') return column;
  const text = type === 'json' ? `json_extract_string(${column}, '$')` : column;
  const cut = `left(${text}, ${maxText}) || '... (' || length(${text}) || ' characters, ' || left(md5(${text}), 8) || ')'`;
  return `CASE WHEN length(${text}) > ${maxText} THEN ${type === 'json' ? `to_json(${cut})` : cut} ELSE ${column} END`;
}

/** Mixed values: numbers, text, absent ones; the direction applies within each type. */
export function orderBy(column: string, type: PropertySql['valueType'], descending: boolean): string {
  const direction = descending ? 'DESC' : 'ASC';
  if (type !== 'json') return `${column} ${direction} NULLS LAST`;
  const number = `CASE WHEN ${isNumber(column)} THEN CAST(${column} AS DOUBLE) END`;
  return `(${number}) IS NULL, (${number}) ${direction}, json_extract_string(${column}, '$') ${direction} NULLS LAST`;
}
