import { type Kysely, sql } from 'kysely';
import { createTables } from '../tables.ts';

export function createAccess(database: Kysely<unknown>): Promise<void> {
  return createTables(
    database,
    `CREATE TABLE tenants (
      id text PRIMARY KEY,
      name text NOT NULL UNIQUE,
      timezone text NOT NULL,
      created_at bigint NOT NULL,
      retention_days integer,
      password_login integer NOT NULL DEFAULT 1,
      second_factor text NOT NULL DEFAULT 'optional',
      erasing_since bigint
    )`,
    `CREATE INDEX tenants_being_erased ON tenants (id) WHERE erasing_since IS NOT NULL`,
    `CREATE TABLE agents (
      tenant_id text NOT NULL REFERENCES tenants (id),
      name text NOT NULL,
      created_at bigint NOT NULL,
      created_by text,
      PRIMARY KEY (tenant_id, name)
    )`,
    `CREATE INDEX agents_created_by ON agents (tenant_id, created_by)`,
    `CREATE TABLE users (
      id text PRIMARY KEY,
      tenant_id text NOT NULL REFERENCES tenants (id),
      email text NOT NULL,
      name text NOT NULL,
      role text NOT NULL,
      is_active integer NOT NULL,
      password_hash text,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      email_key text NOT NULL,
      name_search text NOT NULL,
      email_search text NOT NULL,
      phone text,
      avatar_url text,
      password_changed_at bigint,
      last_login_at bigint,
      metadata text NOT NULL DEFAULT '{}',
      CONSTRAINT users_email UNIQUE (tenant_id, email)
    )`,
    `CREATE UNIQUE INDEX users_email_key ON users (tenant_id, email_key)`,
    `CREATE INDEX users_login ON users (email_key)`,
    `CREATE TABLE api_keys (
      id text PRIMARY KEY,
      tenant_id text NOT NULL REFERENCES tenants (id),
      agent_id text,
      label text NOT NULL,
      scopes text NOT NULL,
      secret_hash text NOT NULL,
      created_at bigint NOT NULL,
      expires_at bigint,
      last_used_at bigint,
      revoked_at bigint,
      created_by text
    )`,
    `CREATE INDEX api_keys_tenant ON api_keys (tenant_id)`,
    `CREATE INDEX api_keys_created_by ON api_keys (tenant_id, created_by)`,
    `CREATE TABLE installation (
      fact text PRIMARY KEY,
      at bigint NOT NULL
    )`,
    `CREATE TABLE runners (
      id text PRIMARY KEY,
      alive_until bigint NOT NULL
    )`,
    `CREATE TABLE sealing_keys (
      id text PRIMARY KEY,
      created_at bigint NOT NULL,
      retired_at bigint,
      wrapped text NOT NULL
    )`,
    `CREATE UNIQUE INDEX one_active_sealing_key ON sealing_keys ((retired_at IS NULL)) WHERE retired_at IS NULL`,
    `CREATE TABLE sessions (
      id text PRIMARY KEY,
      tenant_id text NOT NULL REFERENCES tenants (id),
      user_id text NOT NULL,
      session_version bigint,
      created_at bigint NOT NULL,
      last_seen_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      address text NOT NULL,
      user_agent text,
      revoked_at bigint,
      second_factor_at bigint
    )`,
    `CREATE INDEX sessions_user ON sessions (tenant_id, user_id, created_at)`,
    `CREATE INDEX sessions_expired ON sessions (expires_at)`,
    `CREATE TABLE quotas (
      tenant_id text NOT NULL REFERENCES tenants (id),
      key_id text NOT NULL,
      limits text NOT NULL,
      updated_at bigint NOT NULL,
      PRIMARY KEY (tenant_id, key_id)
    )`,
    `CREATE TABLE audit_log (
      id text PRIMARY KEY,
      tenant_id text REFERENCES tenants (id) ON DELETE CASCADE,
      at bigint NOT NULL,
      actor text NOT NULL,
      actor_kind text NOT NULL,
      actor_id text,
      action text NOT NULL,
      target text,
      details text NOT NULL,
      address text,
      request_id text,
      client text
    )`,
    `CREATE INDEX audit_log_newest ON audit_log (tenant_id, id)`,
    `CREATE INDEX audit_log_actions ON audit_log (tenant_id, action, id)`,
    `CREATE INDEX audit_log_age ON audit_log (at)`,
  );
}

/** Entries stay for 400 days, except when their tenant is removed. */
export async function protectAuditLog(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'DELETE' THEN RAISE 'lines of the audit log are never changed'; END IF;
    -- The tenant is removed before its entries.
    IF old.at >= extract(epoch FROM clock_timestamp()) * 1000 - 400 * 86400000.0
      AND (old.tenant_id IS NULL OR EXISTS (SELECT 1 FROM tenants WHERE id = old.tenant_id)) THEN
      RAISE 'lines of the audit log are kept for 400 days';
    END IF;
    RETURN old;
  END $$`.execute(database);
  await sql`CREATE TRIGGER audit_log_kept BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION keep_audit_log()`.execute(database);
  await sql`CREATE TRIGGER audit_log_not_truncated BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log()`.execute(database);
}
