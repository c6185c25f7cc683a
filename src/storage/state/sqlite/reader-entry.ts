import BetterSqlite3 from 'better-sqlite3';
import { workerData } from 'piscina';
import { Statements } from './prepared.ts';

/* The entry of reader threads, each with a read-only connection. */

export interface ReadRequest {
  sql: string;
  parameters: readonly unknown[];
}

const { path, cacheKib } = workerData as { path: string; cacheKib: number };
let statements: Statements | undefined;

export default function read({ sql, parameters }: ReadRequest): unknown[] {
  statements ??= open();
  return statements.of(sql).all(...parameters);
}

/** Opened with the first query, so that the next one retries a failure. */
function open(): Statements {
  const opened = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  opened.pragma(`cache_size = -${cacheKib}`);
  return new Statements(opened);
}
