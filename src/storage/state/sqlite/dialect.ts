import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { SqliteAdapter, sql } from 'kysely';
import type { StateDatabase } from '../sql/database.ts';
import type { DialectAdapter, SqlDialect, TermIndex, TermIndexes } from '../sql/dialect.ts';

/** FTS5: each index is a virtual table. */
const sqliteTerms: TermIndexes = {
  insert: (index, rows) =>
    sql`INSERT INTO ${sql.table(index)} (rowid, terms)
      VALUES ${sql.join(rows.map(([number, terms]) => sql`(${number}, ${terms.join(' ')})`))}`,
  matches: (index, conditions) => sql`${sql.ref(index)} MATCH ${queryOf(conditions)}`,
  forgetRemoved,
};

const sqliteDialect: SqlDialect = {
  now: sql<number>`CAST(unixepoch('subsec') * 1000 AS integer)`,
  texts: (values) => sql`json_each(${JSON.stringify(values)})`,
  textOf: (json, member) => sql`(${json} ->> ${sql.lit(member)})`,
  elements: (json, member) => sql`json_each(${json}, ${sql.lit(`$.${member}`)})`,
  jsonArray: sql`json_array`,
  skipLocked: sql``,
  filtered: (column) => sql`(${sql.ref(column)} || '')`,
  // SQLite reorders every other join.
  join: sql`CROSS JOIN`,
  lock: async () => undefined,
  whileLocked: (database, _row, statement) => statement(database),
  stopWrites: async () => undefined,
  continueNumbers: async () => undefined,
  terms: sqliteTerms,
};

/**
 * Applies all migrations in one transaction: a kill midway leaves every one of them for the next
 * start.
 */
export class SqliteStateAdapter extends SqliteAdapter implements DialectAdapter {
  readonly dialect = sqliteDialect;

  /**
   * Kysely says false because of `PRAGMA foreign_keys`, which no migration sets
   * (kysely-org/kysely#56).
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** The drivers let statements and transactions wait for each other themselves. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Terms are alphanumeric: no query syntax. */
function queryOf(conditions: string[][]): string {
  return conditions.map((terms) => `(${terms.map((one) => `"${one}"`).join(' OR ')})`).join(' AND ');
}

const PAGES_AT_ONCE = 100;

/** Merges the index: SQLite may keep words of deleted rows forever. */
async function forgetRemoved(index: TermIndex, database: StateDatabase): Promise<void> {
  // A negative number starts a merge of all segments, positive ones continue it.
  for (let pages = -PAGES_AT_ONCE; await merge(index, database, pages); pages = PAGES_AT_ONCE) await yieldToOthers();
}

/** False at the end: SQLite then changes only the row of the command itself. */
function merge(index: TermIndex, database: StateDatabase, pages: number): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const changes = sql<{ changes: number }>`SELECT total_changes() AS changes`;
    const before = await changes.execute(transaction);
    await sql`INSERT INTO ${sql.table(index)} (${sql.ref(index)}, rank) VALUES ('merge', ${pages})`.execute(
      transaction,
    );
    const after = await changes.execute(transaction);
    return after.rows[0]!.changes - before.rows[0]!.changes >= 2;
  });
}
