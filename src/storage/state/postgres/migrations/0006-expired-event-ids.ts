import { type Kysely, sql } from 'kysely';

/* Ids that are older than the window are found without a look at the others. */

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX event_ids_arrived_at ON event_ids (arrived_at)`.execute(database);
}
