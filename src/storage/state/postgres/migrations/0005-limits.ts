import { type Kysely, sql } from 'kysely';

/**
 * Counters are lost with a crash of the database (UNLOGGED), as those of one process are lost with
 * it; logins that wait are not. `times` is a list of epoch milliseconds as JSON.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  // Room on each page, so that updates move no row and touch no index.
  await sql`CREATE UNLOGGED TABLE login_failures (
    name text COLLATE "C" PRIMARY KEY,
    times text COLLATE "C" NOT NULL,
    at bigint NOT NULL
  ) WITH (fillfactor = 50)`.execute(database);
  await sql`CREATE UNLOGGED TABLE event_counts (
    tenant_id text COLLATE "C" PRIMARY KEY,
    stored bigint NOT NULL,
    admitted bigint NOT NULL,
    version bigint NOT NULL,
    counted_at bigint
  ) WITH (fillfactor = 50)`.execute(database);
  await sql`CREATE UNLOGGED TABLE event_admissions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL,
    events bigint NOT NULL,
    at bigint NOT NULL
  )`.execute(database);
  await sql`CREATE INDEX event_admissions_of_tenant ON event_admissions (tenant_id)`.execute(database);
  await sql`CREATE TABLE pending (
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    owner text COLLATE "C" NOT NULL,
    sealed text COLLATE "C" NOT NULL,
    count integer NOT NULL DEFAULT 0,
    expires_at bigint NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (kind, key)
  )`.execute(database);
  await sql`CREATE INDEX pending_of_owner ON pending (kind, owner, number)`.execute(database);
  await sql`CREATE INDEX pending_expired ON pending (expires_at)`.execute(database);
}
