import type { Kysely } from 'kysely';
import { createTables } from '../tables.ts';

export function createLogins(database: Kysely<unknown>): Promise<void> {
  return createTables(
    database,
    `CREATE TABLE identity_providers (
      uid text PRIMARY KEY,
      tenant_id text REFERENCES tenants (id),
      id text NOT NULL,
      definition text NOT NULL,
      is_enabled integer NOT NULL,
      sealed_secret text,
      authority text NOT NULL,
      revision integer NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL
    )`,
    `CREATE UNIQUE INDEX identity_providers_of_tenant ON identity_providers (coalesce(tenant_id, ''), id)`,
    `CREATE TABLE user_identities (
      provider_uid text NOT NULL REFERENCES identity_providers (uid) ON DELETE CASCADE,
      issuer text NOT NULL,
      subject text NOT NULL,
      tenant_id text NOT NULL REFERENCES tenants (id),
      user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_at bigint NOT NULL,
      PRIMARY KEY (provider_uid, issuer, subject, tenant_id)
    )`,
    `CREATE UNIQUE INDEX user_identities_of_user ON user_identities (user_id, provider_uid, issuer)`,
    `CREATE INDEX user_identities_of_tenant ON user_identities (tenant_id)`,
    `CREATE TABLE session_identities (
      session_id text PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
      tenant_id text NOT NULL,
      provider_uid text NOT NULL,
      issuer text NOT NULL,
      subject text NOT NULL,
      idp_session text
    )`,
    `CREATE INDEX session_identities_of_subject ON session_identities (provider_uid, subject)`,
    `CREATE INDEX session_identities_of_session ON session_identities (provider_uid, idp_session)`,
    `CREATE TABLE used_names (
      name text PRIMARY KEY,
      expires_at bigint NOT NULL
    )`,
    `CREATE INDEX used_names_expired ON used_names (expires_at)`,
    `CREATE TABLE totp_factors (
      user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      tenant_id text NOT NULL REFERENCES tenants (id),
      sealed text NOT NULL,
      last_step bigint NOT NULL,
      created_at bigint NOT NULL,
      last_used_at bigint
    )`,
    `CREATE TABLE passkeys (
      id text PRIMARY KEY,
      tenant_id text NOT NULL REFERENCES tenants (id),
      user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      credential_id text NOT NULL UNIQUE,
      public_key text NOT NULL,
      counter bigint NOT NULL,
      transports text NOT NULL,
      host text NOT NULL,
      name text NOT NULL,
      created_at bigint NOT NULL,
      last_used_at bigint
    )`,
    `CREATE INDEX passkeys_of_user ON passkeys (user_id, created_at)`,
    `CREATE TABLE recovery_codes (
      user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      hash text NOT NULL,
      tenant_id text NOT NULL REFERENCES tenants (id),
      PRIMARY KEY (user_id, hash)
    )`,
    `CREATE TABLE oauth_clients (
      id text PRIMARY KEY,
      kind text NOT NULL,
      name text,
      metadata text NOT NULL,
      secret_hash text,
      created_at bigint NOT NULL,
      last_used_at bigint
    )`,
    `CREATE INDEX oauth_clients_unused ON oauth_clients (kind, last_used_at, created_at)`,
    `CREATE TABLE oauth_grants (
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
    )`,
    `CREATE INDEX oauth_grants_of_tenant ON oauth_grants (tenant_id, created_at, id, expires_at) WHERE activated_at IS NOT NULL AND ended_at IS NULL`,
    `CREATE INDEX oauth_grants_of_user ON oauth_grants (tenant_id, user_id, created_at, id, expires_at) WHERE activated_at IS NOT NULL AND ended_at IS NULL`,
    `CREATE INDEX oauth_grants_of_client ON oauth_grants (client_id)`,
    `CREATE INDEX oauth_grants_expired ON oauth_grants (expires_at)`,
    `CREATE TABLE oauth_records (
      kind text NOT NULL,
      id_hash text NOT NULL,
      grant_id text,
      content text NOT NULL,
      created_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      consumed_at bigint,
      PRIMARY KEY (kind, id_hash)
    )`,
    `CREATE INDEX oauth_records_of_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL`,
    `CREATE INDEX oauth_records_expired ON oauth_records (expires_at)`,
  );
}
