import { SqliteAdapter, sql } from 'kysely';
import type { DialectAdapter, SqlDialect } from '../sql/dialect.ts';
import { commitInBackground } from './background-commit.ts';
import { sqliteReviewIndex } from './review-index.ts';

const sqliteDialect: SqlDialect = {
  now: sql<number>`CAST(unixepoch('subsec') * 1000 AS integer)`,
  texts: (values) => sql`json_each(${JSON.stringify(values)})`,
  elements: (json, member) => sql`json_each(${json}, ${sql.lit(`$.${member}`)})`,
  jsonArray: sql`json_array`,
  skipLocked: sql``,
  // SQLite reorders every other join.
  join: sql`CROSS JOIN`,
  lock: async () => undefined,
  whileLocked: (database, _row, statement) => statement(database),
  commit: commitInBackground,
  sharesCommits: true,
  continueNumbers: async () => undefined,
  reviews: sqliteReviewIndex,
};

/**
 * Applies all migrations in one transaction: a kill midway leaves every one of them for the next
 * start.
 */
export class StateAdapter extends SqliteAdapter implements DialectAdapter {
  readonly dialect = sqliteDialect;

  /**
   * Kysely says false because of `PRAGMA foreign_keys`, which no migration sets
   * (kysely-org/kysely#56).
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
