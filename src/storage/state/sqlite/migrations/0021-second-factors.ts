import { type Kysely, sql } from 'kysely';

/** Recovery codes are removed when they are used. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE tenants ADD COLUMN second_factor text NOT NULL DEFAULT 'optional'`.execute(database);
  await sql`ALTER TABLE sessions ADD COLUMN second_factor_at bigint`.execute(database);
  await sql`CREATE TABLE totp_factors (
    user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    tenant_id text NOT NULL REFERENCES tenants (id),
    sealed text NOT NULL,
    last_step bigint NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint
  )`.execute(database);
  await sql`CREATE TABLE passkeys (
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
  )`.execute(database);
  await sql`CREATE INDEX passkeys_of_user ON passkeys (user_id, created_at)`.execute(database);
  await sql`CREATE TABLE recovery_codes (
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash text NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    PRIMARY KEY (user_id, hash)
  ) WITHOUT ROWID`.execute(database);
}
