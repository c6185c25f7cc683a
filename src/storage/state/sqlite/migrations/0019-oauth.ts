import { type Kysely, sql } from 'kysely';

/**
 * `oauth_records` are what the authorization server keeps for a while: pending requests, codes and
 * tokens, by a hash of their id.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE oauth_clients (
    id text PRIMARY KEY,
    kind text NOT NULL,
    name text,
    metadata text NOT NULL,
    secret_hash text,
    created_at bigint NOT NULL,
    last_used_at bigint
  )`.execute(database);
  await sql`CREATE INDEX oauth_clients_unused ON oauth_clients (kind, last_used_at, created_at)`.execute(database);
  await sql`CREATE TABLE oauth_grants (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    user_id text NOT NULL,
    session_version bigint,
    client_id text NOT NULL,
    client_name text,
    client_kind text NOT NULL,
    resource text NOT NULL,
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    activated_at bigint,
    last_used_at bigint,
    ended_at bigint
  )`.execute(database);
  // They have every column that a page sorts, filters and counts by.
  await sql`CREATE INDEX oauth_grants_of_tenant ON oauth_grants (tenant_id, created_at, id, expires_at)
    WHERE activated_at IS NOT NULL AND ended_at IS NULL`.execute(database);
  await sql`CREATE INDEX oauth_grants_of_user ON oauth_grants (tenant_id, user_id, created_at, id, expires_at)
    WHERE activated_at IS NOT NULL AND ended_at IS NULL`.execute(database);
  await sql`CREATE INDEX oauth_grants_of_client ON oauth_grants (client_id)`.execute(database);
  await sql`CREATE INDEX oauth_grants_expired ON oauth_grants (expires_at)`.execute(database);
  await sql`CREATE TABLE oauth_records (
    kind text NOT NULL,
    id_hash text NOT NULL,
    grant_id text,
    content text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    consumed_at bigint,
    PRIMARY KEY (kind, id_hash)
  ) WITHOUT ROWID`.execute(database);
  await sql`CREATE INDEX oauth_records_of_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL`.execute(
    database,
  );
  await sql`CREATE INDEX oauth_records_expired ON oauth_records (expires_at)`.execute(database);
  await sql`ALTER TABLE audit_log ADD COLUMN client text`.execute(database);
}
