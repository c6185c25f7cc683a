import { type Kysely, sql } from 'kysely';

/** Definitions are JSON. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE segments (
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    definition text NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, name)
  )`.execute(database);
}
