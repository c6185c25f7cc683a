import { createHash } from 'node:crypto';
import { PostgresAdapter, sql } from 'kysely';
import type { StateTransaction } from '../sql/database.ts';
import type { DialectAdapter, LockedRow, ReviewIndex, SqlDialect } from '../sql/dialect.ts';

/**
 * Characters of a term: what GIN indexes has 2,704 bytes at most. Longer ones go by their digest.
 */
const LONGEST_INDEXED = 500;

const reviews: ReviewIndex = {
  insert: (number, terms) => sql`INSERT INTO review_index (rowid, terms) VALUES (${number}, ${terms.map(indexed)})`,
  matches: (conditions) =>
    sql`(${sql.join(
      conditions.map((terms) => sql`review_index.terms && ${terms.map(indexed)}::text[]`),
      sql` AND `,
    )})`,
  // Autovacuum does it.
  forgetRemoved: async () => undefined,
};

const postgresDialect: SqlDialect = {
  now: sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`,
  texts: (values) => sql`(SELECT unnest(${values}::text[]) AS value)`,
  elements: (json, member) => sql`json_array_elements(coalesce(${json}::json -> ${sql.lit(member)}, '[]'))`,
  jsonArray: sql`json_build_array`,
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  join: sql`JOIN`,
  lock,
  whileLocked: (database, row, statement) =>
    database.transaction().execute(async (transaction) => {
      await lock(transaction, row);
      return statement(transaction);
    }),
  commit: (database, work) => database.transaction().execute(work),
  sharesCommits: false,
  continueNumbers: async (database) => {
    await sql`SELECT setval(pg_get_serial_sequence('reviews', 'number'), (SELECT max(number) FROM reviews))`.execute(
      database,
    );
  },
  reviews,
};

async function lock(transaction: StateTransaction, row: LockedRow): Promise<void> {
  if (row === 'all tenants') {
    await sql`SELECT 1 FROM tenants ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
    return;
  }
  const { table, id, forRemoval } = row;
  // Rows that reference it can be added during this, except before its removal.
  const strength = forRemoval ? sql`FOR UPDATE` : sql`FOR NO KEY UPDATE`;
  await sql`SELECT 1 FROM ${sql.table(table)} WHERE id = ${id} ${strength}`.execute(transaction);
}

function indexed(text: string): string {
  return text.length <= LONGEST_INDEXED ? text : createHash('sha256').update(text).digest('hex');
}

export class PostgresStateAdapter extends PostgresAdapter implements DialectAdapter {
  readonly dialect = postgresDialect;
}
