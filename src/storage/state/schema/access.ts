/*
 * Tenants, users, keys and logins: a part of the first migration, which never changes
 * (`index.ts`).
 */

export const ACCESS = [
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
  'CREATE INDEX tenants_being_erased ON tenants (id) WHERE erasing_since IS NOT NULL',
  `CREATE TABLE agents (
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    created_at bigint NOT NULL,
    created_by text,
    PRIMARY KEY (tenant_id, name)
  )`,
  'CREATE INDEX agents_created_by ON agents (tenant_id, created_by)',
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
  'CREATE UNIQUE INDEX users_email_key ON users (tenant_id, email_key)',
  'CREATE INDEX users_login ON users (email_key)',
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
  'CREATE INDEX api_keys_tenant ON api_keys (tenant_id)',
  'CREATE INDEX api_keys_created_by ON api_keys (tenant_id, created_by)',
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
  'CREATE INDEX sessions_user ON sessions (tenant_id, user_id, created_at)',
  'CREATE INDEX sessions_expired ON sessions (expires_at)',

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
  'CREATE INDEX passkeys_of_user ON passkeys (user_id, created_at)',
  // A code is removed when it is used.
  `CREATE TABLE recovery_codes (
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash text NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    PRIMARY KEY (user_id, hash)
  ) WITHOUT ROWID`,

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
  // Nulls are distinct in an index.
  `CREATE UNIQUE INDEX identity_providers_of_tenant ON identity_providers (coalesce(tenant_id, ''), id)`,
  `CREATE TABLE user_identities (
    provider_uid text NOT NULL REFERENCES identity_providers (uid) ON DELETE CASCADE,
    issuer text NOT NULL,
    subject text NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    PRIMARY KEY (provider_uid, issuer, subject, tenant_id)
  ) WITHOUT ROWID`,
  // A user has one account of a provider: an e-mail that gets another owner must not bring the user
  // along.
  'CREATE UNIQUE INDEX user_identities_of_user ON user_identities (user_id, provider_uid, issuer)',
  'CREATE INDEX user_identities_of_tenant ON user_identities (tenant_id)',
  `CREATE TABLE session_identities (
    session_id text PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    tenant_id text NOT NULL,
    provider_uid text NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    idp_session text
  ) WITHOUT ROWID`,
  'CREATE INDEX session_identities_of_subject ON session_identities (provider_uid, subject)',
  'CREATE INDEX session_identities_of_session ON session_identities (provider_uid, idp_session)',
  // Hashes of what may be used once: the state of a login, the id of a logout token.
  `CREATE TABLE used_names (
    name text PRIMARY KEY,
    expires_at bigint NOT NULL
  ) WITHOUT ROWID`,
  'CREATE INDEX used_names_expired ON used_names (expires_at)',

  `CREATE TABLE oauth_clients (
    id text PRIMARY KEY,
    kind text NOT NULL,
    name text,
    metadata text NOT NULL,
    secret_hash text,
    created_at bigint NOT NULL,
    last_used_at bigint
  )`,
  'CREATE INDEX oauth_clients_unused ON oauth_clients (kind, last_used_at, created_at)',
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
  // These two have every column that a page sorts, filters and counts by.
  `CREATE INDEX oauth_grants_of_tenant ON oauth_grants (tenant_id, created_at, id, expires_at)
    WHERE activated_at IS NOT NULL AND ended_at IS NULL`,
  `CREATE INDEX oauth_grants_of_user ON oauth_grants (tenant_id, user_id, created_at, id, expires_at)
    WHERE activated_at IS NOT NULL AND ended_at IS NULL`,
  'CREATE INDEX oauth_grants_of_client ON oauth_grants (client_id)',
  'CREATE INDEX oauth_grants_expired ON oauth_grants (expires_at)',
  // The authorization server keeps pending requests, codes and tokens for a while, by a hash of
  // their id.
  `CREATE TABLE oauth_records (
    kind text NOT NULL,
    id_hash text NOT NULL,
    grant_id text,
    content text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    consumed_at bigint,
    PRIMARY KEY (kind, id_hash)
  ) WITHOUT ROWID`,
  'CREATE INDEX oauth_records_of_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL',
  'CREATE INDEX oauth_records_expired ON oauth_records (expires_at)',

  // Lines stay for 400 days, except when their tenant is removed: triggers of each database see to
  // it.
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
  'CREATE INDEX audit_log_newest ON audit_log (tenant_id, id)',
  'CREATE INDEX audit_log_actions ON audit_log (tenant_id, action, id)',
  'CREATE INDEX audit_log_age ON audit_log (at)',

  'CREATE TABLE installation (fact text PRIMARY KEY, at bigint NOT NULL)',
  'CREATE TABLE runners (id text PRIMARY KEY, alive_until bigint NOT NULL)',
  `CREATE TABLE sealing_keys (
    id text PRIMARY KEY,
    created_at bigint NOT NULL,
    retired_at bigint,
    wrapped text NOT NULL
  )`,
  `CREATE UNIQUE INDEX one_active_sealing_key ON sealing_keys ((retired_at IS NULL)) WHERE retired_at IS NULL`,
];
