import { type Selectable, sql, type Transaction } from 'kysely';
import { indexedTerms } from '../../sql/reviews/terms.ts';
import type { StateTables } from '../../sql/schema.ts';

const ROWS_AT_ONCE = 1_000;

/**
 * Indexes every review anew, with the terms that this version makes: singular and plural, and exact
 * words.
 */
export async function up(transaction: Transaction<StateTables>): Promise<void> {
  await sql`INSERT INTO review_index (review_index) VALUES ('delete-all')`.execute(transaction);
  let rows: Selectable<StateTables['reviews']>[];
  let last = 0;
  do {
    rows = await transaction
      .selectFrom('reviews')
      .selectAll()
      .where('number', '>', last)
      .orderBy('number')
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const row of rows) {
      const terms = indexedTerms(row.tenant_id, { ...row, agentId: row.agent_id, tags: JSON.parse(row.tags) }).join(
        ' ',
      );
      await sql`INSERT INTO review_index (rowid, terms) VALUES (${row.number}, ${terms})`.execute(transaction);
    }
    last = rows.at(-1)?.number ?? last;
  } while (rows.length > 0);
}
