import { type Kysely, sql } from 'kysely';

/** An empty key id means the tenant. Usage by quarter hour in UTC, costs in nano-dollars. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE quotas (
    tenant_id text NOT NULL REFERENCES tenants (id),
    key_id text NOT NULL,
    limits text NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, key_id)
  )`.execute(database);
  await sql`CREATE TABLE budget_usage (
    tenant_id text NOT NULL REFERENCES tenants (id),
    key_id text NOT NULL,
    quarter bigint NOT NULL,
    tokens bigint NOT NULL,
    nanos bigint NOT NULL,
    PRIMARY KEY (tenant_id, key_id, quarter)
  ) WITHOUT ROWID`.execute(database);
  await sql`CREATE INDEX budget_usage_quarter ON budget_usage (quarter)`.execute(database);
  await sql`CREATE TABLE budget_reservations (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    key_id text NOT NULL,
    at bigint NOT NULL,
    tokens bigint NOT NULL,
    nanos bigint NOT NULL
  )`.execute(database);
  await sql`CREATE INDEX budget_reservations_tenant ON budget_reservations (tenant_id, at)`.execute(database);
}
