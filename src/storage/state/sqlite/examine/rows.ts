import { isUtf8 } from 'node:buffer';
import type { Database } from 'better-sqlite3';
import { damaged } from '../../../installation/unusable.ts';

/* SQLite has no page checksums: this finds damaged values, such as invalid UTF-8. */

export type Form = 'json' | 'sha256';
export type Forms = Record<string, Record<string, Form>>;

const IS_NOT: Record<Form, (column: string) => string> = {
  json: (column) => `NOT json_valid(${column})`,
  sha256: (column) => `length(${column}) <> 64 OR ${column} GLOB '*[^0-9a-f]*'`,
};

/** Throws an UnusableFile for a value that cannot have been written. */
export function checkRows(database: Database, forms: Forms, onProgress: (share: number) => void): void {
  database.function('is_utf8', { deterministic: true }, (value) => (Buffer.isBuffer(value) && !isUtf8(value) ? 0 : 1));
  const tables = tablesOf(database);
  for (const [index, table] of tables.entries()) {
    const columns = textColumnsOf(database, table);
    for (const column of columns) {
      const form = forms[table]?.[column];
      const wrong = [`NOT is_utf8(CAST("${column}" AS BLOB))`, ...(form ? [IS_NOT[form](`"${column}"`)] : [])];
      const found = database
        .prepare(`SELECT count(*) FROM "${table}" WHERE ${wrong.join(' OR ')}`)
        .pluck()
        .get();
      if (found !== 0) throw damaged(database.name, `is damaged: ${found} values of ${table}.${column} are not whole`);
    }
    onProgress((index + 1) / tables.length);
  }
}

/** Virtual tables check themselves. */
function tablesOf(database: Database): string[] {
  const tables = database.pragma('table_list') as { schema: string; name: string; type: string }[];
  return tables.filter(({ schema, type }) => schema === 'main' && type === 'table').map(({ name }) => name);
}

function textColumnsOf(database: Database, table: string): string[] {
  const columns = database.pragma(`table_info("${table}")`) as { name: string; type: string }[];
  return columns.filter(({ type }) => /^(text|varchar)/i.test(type)).map(({ name }) => name);
}
