import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type { StoredReview } from '../../../core/reviews/store.ts';
import type { StateDatabase } from '../database.ts';
import type { StateTables } from '../schema.ts';
import { indexedTerms } from './terms.ts';

export async function indexReview(
  transaction: Transaction<StateTables>,
  tenantId: string,
  number: number,
  review: StoredReview,
): Promise<void> {
  const terms = indexedTerms(tenantId, review);
  await sql`INSERT INTO review_index (rowid, terms) VALUES (${number}, ${terms})`.execute(transaction);
}

const PAGES_AT_ONCE = 100;

/** Merges the index: SQLite may keep words of deleted reviews forever. */
export async function forgetRemoved(database: StateDatabase): Promise<void> {
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
