import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { StateDatabase } from '../sql/database.ts';
import { ACCESS } from './access.ts';
import { CONTENT } from './content.ts';
import { LATER } from './later.ts';

/** A database's part in the schema. */
export interface EngineSchema {
  /** The statement, which is in the words of SQLite, in those of this database. */
  statement(text: string): string;
  /** Statements for its own tables, indexes and triggers. */
  own: readonly string[];
  /** Later migrations that this database alone has, by name. */
  later?: Record<string, readonly string[]>;
  /** The last migration of the history that FIRST replaced. */
  former: string;
}

const FIRST = '0025-schema';

/**
 * The migrations of both databases, in the order of their names. The first one, with ACCESS,
 * CONTENT and `own`, never changes: a new table or column is the statement of an entry of its own
 * in `later.ts`, and new databases run it, too. Nodes of the former release go on while a node
 * migrates: a migration that breaks them has `-contract` at the end of its name, and comes a
 * release after the code stopped using what it removes.
 */
export function migrationsOf({ statement, own, later = {} }: EngineSchema): Record<string, Migration> {
  const running = (statements: readonly string[]): Migration => ({
    up: async (database) => {
      for (const text of statements) await sql.raw(statement(text)).execute(database);
    },
  });
  const all = Object.entries({ ...LATER, ...later }).sort(([one], [other]) => (one < other ? -1 : 1));
  const afterFirst = all.map(([name, statements]) => [name, running(statements)] as const);
  return { [FIRST]: running([...ACCESS, ...CONTENT, ...own]), ...Object.fromEntries(afterFirst) };
}

/** Why this version cannot use a database with these migrations; null where it can. */
export function otherVersion(
  applied: readonly string[],
  engine: EngineSchema,
): { is: 'newer' | 'older'; by: string } | null {
  const last = applied.at(-1);
  const newer = applied.filter((name) => name > FIRST && !(name in migrationsOf(engine))).at(-1);
  if (newer !== undefined) return { is: 'newer', by: newer };
  return last === undefined || last >= FIRST || last === engine.former ? null : { is: 'older', by: last };
}

/**
 * Takes a database at the end of the former history as one of the first migration, whose tables it
 * has. Each of several processes may call it.
 */
export async function adopt(database: StateDatabase): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const former = await sql`DELETE FROM kysely_migration WHERE name < ${FIRST}`.execute(transaction);
    if (former.numAffectedRows === 0n) return;
    for (const statement of ADOPTION) await sql.raw(statement).execute(transaction);
    await sql`INSERT INTO kysely_migration VALUES (${FIRST}, ${new Date().toISOString()})`.execute(transaction);
  });
}

/** Deliveries that wait since before messages had a table have their own body. */
const ADOPTION = [
  `INSERT INTO delivery_messages (id, part, tenant_id, bytes, created_at, body)
    SELECT id, 0, tenant_id, octet_length(body), created_at, body FROM deliveries WHERE body IS NOT NULL`,
  'UPDATE deliveries SET message_id = id WHERE body IS NOT NULL',
  'ALTER TABLE deliveries DROP COLUMN body',
];
