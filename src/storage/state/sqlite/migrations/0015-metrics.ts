import { type Kysely, sql } from 'kysely';

/** Definitions are JSON. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE metrics (
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    version bigint NOT NULL,
    definition text NOT NULL,
    state text NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    decided_at bigint,
    decided_by text,
    PRIMARY KEY (tenant_id, name, version)
  )`.execute(database);
  await sql`CREATE TABLE terms (
    tenant_id text NOT NULL REFERENCES tenants (id),
    term text NOT NULL,
    definition text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, term)
  )`.execute(database);
}
