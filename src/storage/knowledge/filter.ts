import type { MetadataTest } from '../../core/knowledge/filter.ts';

/** A condition on `chunks c` and `documents d`, with the values that are bound to it in their order. */
export interface Condition {
  sql: string;
  values: unknown[];
}

const COMPARED = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** SQLite's own `lower` knows ASCII alone. Whoever runs a condition has to give its database this function. */
export const FOLDED = 'folded';
export const folded = (text: string): string => text.toLowerCase();

/** All tests as one condition. What has no such key passes `notIn` and `exists: false` alone. */
export function conditionOf(tests: readonly MetadataTest[]): Condition {
  const conditions = tests.map(compile);
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND ') || '1',
    values: conditions.flatMap(({ values }) => values),
  };
}

function compile(test: MetadataTest): Condition {
  const { sql: value, values: paths } = valueAt(test.key);
  switch (test.test) {
    case 'exists':
      return { sql: `${value} IS ${test.value ? 'NOT NULL' : 'NULL'}`, values: paths };
    case 'in':
    case 'notIn': {
      const { sql: type, values: typePaths } = typeAt(test.key);
      // Type-aware, as filters of events are: the text "1" is not the number 1, and SQLite knows true as 1.
      const kinds = `CASE WHEN ${type} IN ('true', 'false') THEN ${type} WHEN ${type} = 'text' THEN 'text' ELSE 'number' END`;
      const any = test.values.map(() => `(${value} = ? AND ${kinds} = ?)`).join(' OR ');
      const values = test.values.flatMap((one) => [
        ...paths,
        typeof one === 'boolean' ? Number(one) : one,
        ...Array.from({ length: 3 }, () => typePaths).flat(),
        kindOf(one),
      ]);
      if (test.test === 'in') return { sql: any, values };
      return { sql: `${value} IS NULL OR NOT (${any})`, values: [...paths, ...values] };
    }
    case 'contains': {
      const { sql: type, values: typePaths } = typeAt(test.key);
      return {
        sql: `CASE ${type} WHEN 'text' THEN instr(${FOLDED}(${value}), ?) > 0
          WHEN 'array' THEN EXISTS (SELECT 1 FROM json_each(${value}) WHERE json_each.value = ?) ELSE 0 END`,
        values: [...typePaths, ...paths, folded(test.value), ...paths, test.value],
      };
    }
    default: {
      // Of booleans SQLite makes numbers.
      const { sql: type, values: typePaths } = typeAt(test.key);
      const types = typeof test.value === 'number' ? "('integer', 'real')" : "('text')";
      return {
        sql: `${type} IN ${types} AND ${value} ${COMPARED[test.test]} ?`,
        values: [...typePaths, ...paths, test.value],
      };
    }
  }
}

function kindOf(value: string | number | boolean): string {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? 'text' : 'number';
}

/** The paths of a key: as it is written, and where it has dots, into objects. */
function pathsOf(key: string): string[] {
  const whole = `$."${key}"`;
  if (!key.includes('.')) return [whole];
  return [
    whole,
    `$${key
      .split('.')
      .map((part) => `."${part}"`)
      .join('')}`,
  ];
}

function firstOf(call: (metadata: string) => string, key: string): Condition {
  const paths = pathsOf(key);
  const calls = ['c.metadata', 'd.metadata'].flatMap((metadata) => paths.map(() => call(metadata)));
  return { sql: `coalesce(${calls.join(', ')})`, values: [...paths, ...paths] };
}

/** A chunk's own value, else its document's. */
function valueAt(key: string): Condition {
  return firstOf((metadata) => `json_extract(${metadata}, ?)`, key);
}

function typeAt(key: string): Condition {
  return firstOf((metadata) => `nullif(json_type(${metadata}, ?), 'null')`, key);
}
