import { type Kysely, sql } from 'kysely';

/**
 * `due_at` of a claimed delivery is the end of its lease. Finished deliveries have neither target
 * nor body.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE deliveries (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    source_kind text NOT NULL,
    source_id text NOT NULL,
    type text NOT NULL,
    title text NOT NULL,
    target_type text NOT NULL,
    place text NOT NULL,
    target text,
    body text,
    state text NOT NULL,
    attempts integer NOT NULL,
    is_claimed integer NOT NULL,
    fence integer NOT NULL,
    due_at bigint NOT NULL,
    error text,
    created_at bigint NOT NULL,
    attempted_at bigint,
    finished_at bigint
  )`.execute(database);
  await sql`CREATE INDEX deliveries_due ON deliveries (due_at) WHERE state = 'waiting'`.execute(database);
  await sql`CREATE INDEX deliveries_due_of_tenant ON deliveries (tenant_id, due_at, id) WHERE state = 'waiting'`.execute(
    database,
  );
  await sql`CREATE INDEX deliveries_source ON deliveries (tenant_id, source_kind, source_id, id)`.execute(database);
  await sql`CREATE INDEX deliveries_of_tenant ON deliveries (tenant_id, id)`.execute(database);
  await sql`CREATE INDEX deliveries_dead ON deliveries (id) WHERE state = 'dead'`.execute(database);
  await sql`CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL`.execute(
    database,
  );
}
