import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE annotations (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    text text NOT NULL,
    at bigint NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL
  )`.execute(database);
  await sql`CREATE INDEX annotations_at ON annotations (tenant_id, at)`.execute(database);
}
