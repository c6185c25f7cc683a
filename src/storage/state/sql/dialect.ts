import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase, StateTransaction } from './database.ts';

/** Differences between SQLite and PostgreSQL. */
export interface SqlDialect {
  /** Epoch milliseconds by the clock of the database, which all processes share. */
  now: RawBuilder<number>;
  /** A table of texts with the column `value`. */
  texts(values: readonly string[]): RawBuilder<unknown>;
  /** A table of the list that a member of a JSON text has, with the column `value`. */
  elements(json: RawBuilder<unknown>, member: string): RawBuilder<unknown>;
  /** The text that a member of a JSON text is. */
  textOf(json: RawBuilder<unknown>, member: string): RawBuilder<string>;
  /** A function: the list of its arguments as JSON, null for null. */
  jsonArray: RawBuilder<unknown>;
  /**
   * At the end of a query whose rows are about to be changed: rows that another transaction is
   * changing are left out.
   */
  skipLocked: RawBuilder<unknown>;
  /**
   * A column of texts for conditions by which no index is to be chosen: SQLite has no statistics,
   * and may take the worse one.
   */
  filtered(column: string): RawBuilder<string>;
  /** A join whose left side is read first. */
  join: RawBuilder<unknown>;
  /**
   * Until the transaction ends, no other one has the lock of the row. What says "one statement sees
   * what the others did" takes it first: PostgreSQL's statements do not see what runs beside them.
   * SQLite has one writer anyway.
   */
  lock(transaction: StateTransaction, row: LockedRow): Promise<void>;
  /** One statement with that lock: in SQLite without a transaction around it. */
  whileLocked<Result>(
    database: StateDatabase,
    row: LockedRow,
    statement: (database: StateDatabase) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Until the transaction ends, nothing is written to these tables, and what others were writing is
   * there.
   */
  stopWrites(transaction: StateTransaction, tables: (keyof StateTables)[]): Promise<void>;
  /** After rows were added with numbers of their own: new ones get higher numbers. */
  continueNumbers(database: StateDatabase): Promise<void>;
  terms: TermIndexes;
}

export type LockedRow =
  /** `forRemoval` makes rows that reference it wait as well. */
  { table: 'tenants' | 'users' | 'oauth_grants' | 'queues'; id: string; forRemoval?: true } | 'all tenants';

export type TermIndex = 'review_index' | 'execution_index' | 'execution_text_index';

/** The number of a row, and its terms. */
export type TermsOfRow = readonly [number: number, terms: string[]];

/** The indexes of rows by their terms: a row of an index has the number of its row as `rowid`. */
export interface TermIndexes {
  insert(index: TermIndex, rows: readonly TermsOfRow[]): RawBuilder<unknown>;
  /** A condition on rows of the index: each list has a term of the row. */
  matches(index: TermIndex, conditions: string[][]): RawBuilder<boolean>;
  /** Words of removed rows leave the disk. */
  forgetRemoved(index: TermIndex, database: StateDatabase): Promise<void>;
}

/** An adapter of Kysely that knows its dialect. */
export interface DialectAdapter {
  dialect: SqlDialect;
}

export function dialectOf(database: Kysely<StateTables>): SqlDialect {
  return (database.getExecutor().adapter as unknown as DialectAdapter).dialect;
}

/** Without a limit; both databases know it. */
export const ALL = Number.MAX_SAFE_INTEGER;

export function greater(one: RawBuilder<number>, other: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`CASE WHEN ${one} > ${other} THEN ${one} ELSE ${other} END`;
}
