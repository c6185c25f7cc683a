import BetterSqlite3, { type Statement } from 'better-sqlite3';
import { workerData } from 'piscina';

/* A thread of `reader.ts`: one connection that cannot write. */

export interface ReadRequest {
  sql: string;
  parameters: readonly unknown[];
}

const CACHE_KIB = 16_384;
const MAX_STATEMENTS = 100;

const { path } = workerData as { path: string };
const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
database.pragma(`cache_size = -${CACHE_KIB}`);
const statements = new Map<string, Statement<unknown[]>>();

export default function read({ sql, parameters }: ReadRequest): unknown[] {
  return statementOf(sql).all(...parameters);
}

function statementOf(sql: string): Statement<unknown[]> {
  const known = statements.get(sql);
  if (known) return known;
  if (statements.size >= MAX_STATEMENTS) statements.clear();
  const statement = database.prepare(sql);
  statements.set(sql, statement);
  return statement;
}
