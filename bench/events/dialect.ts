/** The SQL dialect of an engine. Columns of the event itself have the same names everywhere. */
export interface Dialect {
  table: string;
  /** A property as text or number; a key inside an object is written with a dot. */
  text(key: string): string;
  number(key: string): string;
  /** The column ts as `YYYY-MM-DD` and as epoch milliseconds, and an instant to compare it with. */
  day: string;
  milliseconds: string;
  instant(iso: string): string;
  /** Whether a text contains another, in any case. */
  contains(text: string, part: string): string;
  /** The values at 50, 95 and 99 % as one list; null if the engine has no such function. */
  percentiles(number: string): string | null;
}

const duckdb: Omit<Dialect, 'text' | 'number'> = {
  table: 'events',
  day: "strftime(ts, '%Y-%m-%d')",
  milliseconds: 'epoch_ms(ts)',
  instant: (iso) => `'${iso}'::TIMESTAMP`,
  contains: (text, part) => `contains(lower(${text}), '${part}')`,
  percentiles: (number) => `quantile_cont(${number}, [0.5, 0.95, 0.99])`,
};

/** The floor: nothing is faster in the same engine than a column of the right type. */
export const typedColumns: Dialect = {
  ...duckdb,
  text: (key) => key.replace('.', '__'),
  number: (key) => key,
};

export const duckdbJson: Dialect = {
  ...duckdb,
  text: (key) => `(properties->>'$.${key}')`,
  number: (key) => `TRY_CAST((properties->>'$.${key}') AS DOUBLE)`,
};

/** Times are epoch milliseconds there. */
export const sqlite: Dialect = {
  table: 'events',
  text: (key) => `(properties->>'$.${key}')`,
  number: (key) => `(properties->>'$.${key}')`,
  day: "strftime('%Y-%m-%d', ts / 1000, 'unixepoch')",
  milliseconds: 'ts',
  instant: (iso) => String(Date.parse(iso)),
  contains: (text, part) => `instr(lower(${text}), '${part}') > 0`,
  percentiles: () => null,
};

export const postgres: Dialect = {
  table: 'events',
  text: (key) => `(properties#>>'{${key.replace('.', ',')}}')`,
  number: (key) => `(properties->>'${key}')::float8`,
  day: "to_char(ts, 'YYYY-MM-DD')",
  milliseconds: '(extract(epoch from ts) * 1000)::float8',
  instant: (iso) => `'${iso.replace('Z', '')}'::timestamp`,
  contains: (text, part) => `position('${part}' in lower(${text})) > 0`,
  percentiles: (number) => `percentile_cont(array[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY ${number})`,
};

export const clickhouse: Dialect = {
  table: 'events',
  text: (key) => `properties.${key}.:String`,
  number: (key) => `properties.${key}.:Int64`,
  day: "formatDateTime(ts, '%Y-%m-%d')",
  milliseconds: 'toUnixTimestamp64Milli(ts)',
  instant: (iso) => `toDateTime64('${iso.replace('T', ' ').replace('Z', '')}', 3, 'UTC')`,
  contains: (text, part) => `positionCaseInsensitive(${text}, '${part}') > 0`,
  percentiles: (number) => `quantilesExactInclusive(0.5, 0.95, 0.99)(${number})`,
};
