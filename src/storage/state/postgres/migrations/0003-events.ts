import { type Kysely, sql } from 'kysely';

/*
 * The durable spool of events and what is known of them; ClickHouse has the events
 * (docs/decisions/0041-events-on-clickhouse.md).
 */

export async function up(database: Kysely<unknown>): Promise<void> {
  const statements = [
    // Receipts of another database do not apply.
    sql`CREATE TABLE event_store (id text NOT NULL)`,
    sql`INSERT INTO event_store VALUES (gen_random_uuid()::text)`,
    // One row for each batch. left_out: indexes of duplicates and of events in the quarantine.
    sql`CREATE TABLE event_spool (
      position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id text COLLATE "C" NOT NULL,
      arrived_at bigint NOT NULL,
      size integer NOT NULL,
      left_out integer[] NOT NULL,
      events text COLLATE "C" NOT NULL
    )`,
    // Rows live for a second: compressing them costs more than it saves.
    sql`ALTER TABLE event_spool ALTER COLUMN events SET STORAGE EXTERNAL`,
    sql`ALTER TABLE event_spool SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
    // Hashes of tenant and id; arrived_at in epoch seconds.
    sql`CREATE TABLE event_ids (key bytea PRIMARY KEY, arrived_at integer NOT NULL)`,
    // At most one: the flush on its way.
    sql`CREATE TABLE event_flushes (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL,
      positions bigint[] NOT NULL
    )`,
    // flush: the newest flush whose events of the tenant are visible. columns: which column has
    // which property, as JSON.
    sql`CREATE TABLE event_tenants (
      tenant_id text COLLATE "C" PRIMARY KEY,
      number integer GENERATED ALWAYS AS IDENTITY UNIQUE,
      version bigint NOT NULL,
      flush bigint NOT NULL,
      columns text COLLATE "C" NOT NULL
    )`,
    sql`CREATE TABLE event_names (
      tenant_id text COLLATE "C" NOT NULL,
      agent_id text COLLATE "C" NOT NULL,
      event_name text COLLATE "C" NOT NULL,
      events bigint NOT NULL,
      first_seen bigint NOT NULL,
      last_seen bigint NOT NULL,
      PRIMARY KEY (tenant_id, agent_id, event_name)
    )`,
    // path: JSON of the keys, outermost first. types: bits.
    sql`CREATE TABLE event_properties (
      tenant_id text COLLATE "C" NOT NULL,
      agent_id text COLLATE "C" NOT NULL,
      event_name text COLLATE "C" NOT NULL,
      path text COLLATE "C" NOT NULL,
      types integer NOT NULL,
      seen_order bigint GENERATED ALWAYS AS IDENTITY,
      PRIMARY KEY (tenant_id, agent_id, event_name, path)
    )`,
    // keys: of the ids to forget, one after another; null before the removal has begun.
    sql`CREATE TABLE event_removals (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id text COLLATE "C" NOT NULL,
      removed text COLLATE "C" NOT NULL,
      requested_at bigint NOT NULL,
      through bigint,
      keys bytea,
      events bigint,
      done_at bigint
    )`,
    sql`CREATE TABLE event_quarantine (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id text COLLATE "C" NOT NULL,
      at bigint NOT NULL,
      reason text COLLATE "C" NOT NULL,
      content text COLLATE "C" NOT NULL
    )`,
  ];
  for (const statement of statements) await statement.execute(database);
}
