import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { sql } from 'kysely';
import type { StateDatabase } from '../sql/database.ts';
import type { ReviewIndex } from '../sql/dialect.ts';

/** FTS5: `review_index` is a virtual table, its row id is the review's number. */
export const sqliteReviewIndex: ReviewIndex = {
  insert: (number, terms) => sql`INSERT INTO review_index (rowid, terms) VALUES (${number}, ${terms.join(' ')})`,
  matches: (conditions) => sql`review_index MATCH ${queryOf(conditions)}`,
  forgetRemoved,
};

/** Terms are alphanumeric: no query syntax. */
function queryOf(conditions: string[][]): string {
  return conditions.map((terms) => `(${terms.map((one) => `"${one}"`).join(' OR ')})`).join(' AND ');
}

const PAGES_AT_ONCE = 100;

/** Merges the index: SQLite may keep words of deleted reviews forever. */
async function forgetRemoved(database: StateDatabase): Promise<void> {
  // A negative number starts a merge of all segments, positive ones continue it.
  for (let pages = -PAGES_AT_ONCE; await merge(database, pages); pages = PAGES_AT_ONCE) await yieldToOthers();
}

/** False at the end: SQLite then changes only the row of the command itself. */
function merge(database: StateDatabase, pages: number): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const changes = sql<{ changes: number }>`SELECT total_changes() AS changes`;
    const before = await changes.execute(transaction);
    await sql`INSERT INTO review_index (review_index, rank) VALUES ('merge', ${pages})`.execute(transaction);
    const after = await changes.execute(transaction);
    return after.rows[0]!.changes - before.rows[0]!.changes >= 2;
  });
}
