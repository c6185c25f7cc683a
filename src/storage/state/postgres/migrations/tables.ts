import { type Kysely, sql } from 'kysely';

/** Texts are compared by code points on every server, as in SQLite. */
export async function createTables(database: Kysely<unknown>, ...statements: string[]): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement.replaceAll(/(\w+ text)\b(?!\[)/g, '$1 COLLATE "C"')).execute(database);
  }
}
