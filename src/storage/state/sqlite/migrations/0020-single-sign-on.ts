import { type Kysely, sql } from 'kysely';

/**
 * `used_names` are hashes of what may be used once: the state of a login, the id of a logout token.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE tenants ADD COLUMN password_login integer NOT NULL DEFAULT 1`.execute(database);
  await sql`CREATE TABLE identity_providers (
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
  )`.execute(database);
  // Nulls are distinct in an index.
  await sql`CREATE UNIQUE INDEX identity_providers_of_tenant ON identity_providers (ifnull(tenant_id, ''), id)`.execute(
    database,
  );
  await sql`CREATE TABLE user_identities (
    provider_uid text NOT NULL REFERENCES identity_providers (uid) ON DELETE CASCADE,
    issuer text NOT NULL,
    subject text NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    PRIMARY KEY (provider_uid, issuer, subject, tenant_id)
  ) WITHOUT ROWID`.execute(database);
  // A user has one account of a provider: an e-mail that gets another owner must not bring the user
  // along.
  await sql`CREATE UNIQUE INDEX user_identities_of_user ON user_identities (user_id, provider_uid, issuer)`.execute(
    database,
  );
  await sql`CREATE INDEX user_identities_of_tenant ON user_identities (tenant_id)`.execute(database);
  await sql`CREATE TABLE session_identities (
    session_id text PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    tenant_id text NOT NULL,
    provider_uid text NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    idp_session text
  ) WITHOUT ROWID`.execute(database);
  await sql`CREATE INDEX session_identities_of_subject ON session_identities (provider_uid, subject)`.execute(database);
  await sql`CREATE INDEX session_identities_of_session ON session_identities (provider_uid, idp_session)`.execute(
    database,
  );
  await sql`CREATE TABLE used_names (name text PRIMARY KEY, expires_at bigint NOT NULL) WITHOUT ROWID`.execute(
    database,
  );
  await sql`CREATE INDEX used_names_expired ON used_names (expires_at)`.execute(database);
}
