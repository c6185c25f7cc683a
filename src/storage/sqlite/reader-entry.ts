import BetterSqlite3, { type Database, type Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { workerData } from 'piscina';

/* The entry of reader threads, each with a read-only connection. */

export interface ReadRequest {
  sql: string;
  parameters: readonly unknown[];
}

const CACHE_KIB = 16_384;
const MAX_STATEMENTS = 100;

const { path } = workerData as { path: string };
const statements = new LRUCache<string, Statement<unknown[]>>({ max: MAX_STATEMENTS });
let database: Database | undefined;

export default function read({ sql, parameters }: ReadRequest): unknown[] {
  return statementOf(sql).all(...parameters);
}

function statementOf(sql: string): Statement<unknown[]> {
  const known = statements.get(sql);
  if (known) return known;
  database ??= open();
  const statement = database.prepare(sql);
  statements.set(sql, statement);
  return statement;
}

/** Opened with the first query: that one fails if it cannot be opened, and the next retries. */
function open(): Database {
  const opened = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  opened.pragma(`cache_size = -${CACHE_KIB}`);
  return opened;
}
