import { isUtf8 } from 'node:buffer';
import BetterSqlite3, { type Database, SqliteError } from 'better-sqlite3';
import { damaged, refuseForeign, type StoreIdentity, statFile } from '../../../installation/unusable.ts';
import { installationInState } from '../identity.ts';

/** Checking takes about 10 ms a megabyte, so the start skips larger files. */
const CHECKED_AT_START_BYTES = 32 * 1024 * 1024;

type Form = 'json' | 'sha256';
export type Forms = Record<string, Record<string, Form>>;

export interface SqliteExamination<Found> {
  thorough: boolean;
  /** Whether an empty file means a loss. */
  mustHoldSomething: () => Promise<boolean> | boolean;
  identity?: StoreIdentity | undefined;
  forms?: Forms;
  /** 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
  read(database: Database): Found | Promise<Found>;
}

/** Null without a file. Throws an UnusableFile for a damaged one. */
export async function examineSqlite<Found>(path: string, examination: SqliteExamination<Found>): Promise<Found | null> {
  const stats = statFile(path);
  const log = statFile(`${path}-wal`);
  if (!stats) return null;
  if (stats.size === 0) {
    // SQLite would treat it as new and discard the log.
    if ((log?.size ?? 0) > 0 || (await examination.mustHoldSomething())) {
      throw damaged(path, 'is damaged: it is empty');
    }
    return null;
  }
  try {
    const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
    try {
      if (examination.thorough) checkEverything(database, examination);
      else if (stats.size <= CHECKED_AT_START_BYTES) checkPages(database, 'quick_check');
      if (examination.identity) refuseForeign(path, installationInState(database), examination.identity);
      return await examination.read(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw damageIn(path, error) ?? error;
  }
}

function checkEverything<Found>(database: Database, { forms = {}, onProgress }: SqliteExamination<Found>): void {
  checkPages(database, 'integrity_check');
  onProgress?.(0.5);
  checkRows(database, forms, (share) => onProgress?.(0.5 + share / 2));
}

function checkPages(database: Database, check: 'quick_check' | 'integrity_check'): void {
  const found = String(database.pragma(`${check}(1)`, { simple: true }));
  if (found !== 'ok') throw damaged(database.name, `is damaged (${found.replaceAll('\n', ' ')})`);
}

function damageIn(path: string, error: unknown): Error | null {
  if (!(error instanceof SqliteError) || !/^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN)/.test(error.code)) return null;
  return damaged(path, `is damaged (${error.message})`, error);
}

export function hasTable(database: Database, name: string): boolean {
  return database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(name) !== undefined;
}

const IS_NOT: Record<Form, (column: string) => string> = {
  json: (column) => `NOT json_valid(${column})`,
  sha256: (column) => `length(${column}) <> 64 OR ${column} GLOB '*[^0-9a-f]*'`,
};

/**
 * SQLite has no page checksums: this finds damaged values, such as invalid UTF-8. Throws an
 * UnusableFile for a value that cannot have been written.
 */
function checkRows(database: Database, forms: Forms, onProgress: (share: number) => void): void {
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
