import { type Kysely, sql } from 'kysely';
import { searchKey } from '../../../../core/base/shared/text-search.ts';

interface Users {
  users: { id: string; name: string; email: string; name_search: string; email_search: string };
}

/** `runner` names the process, in `runners` while it lives. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE runners (id text PRIMARY KEY, alive_until bigint NOT NULL)`.execute(database);
  for (const table of ['executions', 'budget_reservations', 'deliveries']) {
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN runner text`.execute(database);
  }
  await sql`ALTER TABLE tenants ADD COLUMN erasing_since bigint`.execute(database);
  await sql`CREATE INDEX tenants_being_erased ON tenants (id) WHERE erasing_since IS NOT NULL`.execute(database);
  await sql`CREATE TABLE sealing_keys (
    id text PRIMARY KEY,
    created_at bigint NOT NULL,
    retired_at bigint,
    wrapped text NOT NULL
  )`.execute(database);
  await sql`CREATE UNIQUE INDEX one_active_sealing_key ON sealing_keys ((retired_at IS NULL)) WHERE retired_at IS NULL`.execute(
    database,
  );
  await sql`ALTER TABLE users ADD COLUMN name_search text NOT NULL DEFAULT ''`.execute(database);
  await sql`ALTER TABLE users ADD COLUMN email_search text NOT NULL DEFAULT ''`.execute(database);
  await fillSearch(database as Kysely<Users>);
}

async function fillSearch(database: Kysely<Users>): Promise<void> {
  for (const { id, name, email } of await database.selectFrom('users').select(['id', 'name', 'email']).execute()) {
    const keys = { name_search: searchKey(name), email_search: searchKey(email) };
    await database.updateTable('users').set(keys).where('id', '=', id).execute();
  }
}
