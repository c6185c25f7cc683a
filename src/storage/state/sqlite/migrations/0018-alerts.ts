import { type Kysely, sql } from 'kysely';

/**
 * `next_due` is null for alerts that are switched off; changes are `is_recorded` once they are
 * events, too.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE alerts (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    agent_id text,
    definition text NOT NULL,
    targets text,
    revision integer NOT NULL,
    state text NOT NULL,
    memory text NOT NULL,
    last_check text,
    checked_at bigint,
    next_due bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    created_by text NOT NULL
  )`.execute(database);
  await sql`CREATE INDEX alerts_of_tenant ON alerts (tenant_id, id)`.execute(database);
  await sql`CREATE INDEX alerts_due ON alerts (next_due) WHERE next_due IS NOT NULL`.execute(database);
  await sql`CREATE INDEX alerts_checked ON alerts (checked_at) WHERE next_due IS NOT NULL`.execute(database);
  await sql`CREATE TABLE alert_changes (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    alert_id text NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
    at bigint NOT NULL,
    from_state text NOT NULL,
    to_state text NOT NULL,
    bucket text,
    value double precision,
    compared_with double precision,
    cases text,
    error text,
    is_notified integer NOT NULL,
    is_recorded integer NOT NULL
  )`.execute(database);
  await sql`CREATE INDEX alert_changes_of_alert ON alert_changes (alert_id, id)`.execute(database);
  await sql`CREATE INDEX alert_changes_unrecorded ON alert_changes (id) WHERE is_recorded = 0`.execute(database);
  await sql`CREATE TABLE digests (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    agent_id text,
    definition text NOT NULL,
    targets text,
    revision integer NOT NULL,
    last_sent text,
    checked_at bigint,
    next_due bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    created_by text NOT NULL
  )`.execute(database);
  await sql`CREATE INDEX digests_of_tenant ON digests (tenant_id, id)`.execute(database);
}
