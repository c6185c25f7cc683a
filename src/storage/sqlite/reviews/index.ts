import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type { StoredReview } from '../../../core/reviews/store.ts';
import type { StateDatabase } from '../database.ts';
import type { StateTables } from '../schema.ts';
import { indexedTerms } from './terms.ts';

/** Puts a review into the index. One that stands there already is taken out before. */
export async function indexReview(
  transaction: Transaction<StateTables>,
  tenantId: string,
  number: number,
  review: StoredReview,
): Promise<void> {
  const terms = indexedTerms(tenantId, review);
  await sql`INSERT INTO review_index (rowid, terms) VALUES (${number}, ${terms})`.execute(transaction);
}

/** Some ten milliseconds' work: others may write between. */
const PAGES_AT_ONCE = 100;

/**
 * Writes the index anew without the words of reviews that are gone. It marks them as deleted and keeps them until it merges
 * the part that they are in, which may be never.
 */
export async function forgetRemoved(database: StateDatabase): Promise<void> {
  // Negative: every part is to be merged into one; then on with it.
  for (let pages = -PAGES_AT_ONCE; await merge(database, pages); pages = PAGES_AT_ONCE) await nextTurn();
}

/** False when there was nothing left to do: SQLite says it by having changed no row but the command's own. */
function merge(database: StateDatabase, pages: number): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const changes = sql<{ changes: number }>`SELECT total_changes() AS changes`;
    const before = await changes.execute(transaction);
    await sql`INSERT INTO review_index (review_index, rank) VALUES ('merge', ${pages})`.execute(transaction);
    const after = await changes.execute(transaction);
    return after.rows[0]!.changes - before.rows[0]!.changes >= 2;
  });
}
