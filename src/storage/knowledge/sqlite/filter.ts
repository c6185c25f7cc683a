import type { Database } from 'better-sqlite3';
import type { MetadataTest } from '../../../core/knowledge/filter.ts';

/** On `chunks c` and `documents d`; values in order. */
export interface SqlCondition {
  sql: string;
  values: unknown[];
}

const COMPARED = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const FOLDED = 'folded';
const NUMBER_IN = 'number_in';
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** SQLite's `lower` knows ASCII only, and its casts find a number in `2024-01-05`. */
export function addFunctions(database: Database): void {
  database.function(FOLDED, { deterministic: true }, (text) => folded(String(text)));
  database.function(NUMBER_IN, { deterministic: true }, (text) => (NUMBER.test(String(text)) ? Number(text) : null));
}

function folded(text: string): string {
  return text.toLowerCase();
}

/** A missing key passes `notIn` and `exists: false` only. */
export function sqliteConditionOf(tests: readonly MetadataTest[], chunk = 'c', document = 'd'): SqlCondition {
  const owners = [`${chunk}.metadata`, `${document}.metadata`];
  const conditions = tests.map((test) => onMetadataKey(test.key, compile(test), owners));
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND ') || '1',
    values: conditions.flatMap(({ values }) => values),
  };
}

const AS_NUMBER = `CASE WHEN own.type IN ('integer', 'real') THEN own.value WHEN own.type = 'text' THEN ${NUMBER_IN}(own.value) END`;

function compile(test: MetadataTest): SqlCondition {
  switch (test.test) {
    case 'exists':
      return { sql: `own.type IS ${test.value ? 'NOT NULL' : 'NULL'}`, values: [] };
    case 'in':
    case 'notIn':
      // Types matter: the text "1" is not the number 1, nor is true.
      return {
        sql: `${test.test === 'in' ? '' : 'NOT '}EXISTS (SELECT 1 FROM json_each(?) wanted WHERE wanted.value = own.value
          AND (wanted.type = own.type OR wanted.type IN ('integer', 'real') AND own.type IN ('integer', 'real')))`,
        values: [JSON.stringify(test.values)],
      };
    case 'contains':
      return {
        sql: `CASE own.type WHEN 'array' THEN EXISTS (SELECT 1 FROM json_each(own.value) member WHERE member.value = ?)
          WHEN 'text' THEN instr(${FOLDED}(own.value), ?) > 0 ELSE 0 END`,
        values: [test.value, folded(test.value)],
      };
    default:
      return typeof test.value === 'number'
        ? { sql: `${AS_NUMBER} ${COMPARED[test.test]} ?`, values: [test.value] }
        : { sql: `own.type = 'text' AND own.value ${COMPARED[test.test]} ?`, values: [test.value] };
  }
}

/** In the chunk's metadata, then in its document's; as written, then as a path. */
function onMetadataKey(key: string, { sql, values }: SqlCondition, owners: readonly string[]): SqlCondition {
  const paths = [`$."${key}"`, ...(key.includes('.') ? [`$."${key.split('.').join('"."')}"`] : [])];
  const first = (call: (metadata: string) => string) =>
    `coalesce(${owners.flatMap((metadata) => paths.map(() => call(metadata))).join(', ')})`;
  const value = first((metadata) => `json_extract(${metadata}, ?)`);
  const type = first((metadata) => `nullif(json_type(${metadata}, ?), 'null')`);
  return {
    sql: `SELECT ${sql} FROM (SELECT ${value} AS value, ${type} AS type) own`,
    values: [...values, ...paths, ...paths, ...paths, ...paths],
  };
}
