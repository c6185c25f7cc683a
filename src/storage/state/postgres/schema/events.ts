/*
 * The durable spool of events and what is known of them; ClickHouse has the events
 * (docs/decisions/0041-events-on-clickhouse.md).
 */

export const EVENTS = [
  // Receipts of another database do not apply.
  `CREATE TABLE event_store (id text NOT NULL)`,
  `INSERT INTO event_store VALUES (gen_random_uuid()::text)`,
  // One row for each batch. left_out: indexes of duplicates and of events in the quarantine.
  `CREATE TABLE event_spool (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text NOT NULL,
    arrived_at bigint NOT NULL,
    size integer NOT NULL,
    left_out integer[] NOT NULL,
    events text NOT NULL
  )`,
  // Rows live for a second: compressing them costs more than it saves.
  `ALTER TABLE event_spool ALTER COLUMN events SET STORAGE EXTERNAL`,
  `ALTER TABLE event_spool SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
  // Hashes of tenant and id; arrived_at in epoch seconds.
  `CREATE TABLE event_ids (key bytea PRIMARY KEY, arrived_at integer NOT NULL)`,
  // Ids that are older than the window are found without a look at the others.
  `CREATE INDEX event_ids_arrived_at ON event_ids (arrived_at)`,
  // At most one: the flush on its way.
  `CREATE TABLE event_flushes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL,
    positions bigint[] NOT NULL
  )`,
  // flush: the newest flush whose events of the tenant are visible. columns: which column has
  // which property, as JSON.
  `CREATE TABLE event_tenants (
    tenant_id text PRIMARY KEY,
    number integer GENERATED ALWAYS AS IDENTITY UNIQUE,
    version bigint NOT NULL,
    flush bigint NOT NULL,
    columns text NOT NULL
  )`,
  `CREATE TABLE event_names (
    tenant_id text NOT NULL,
    agent_id text NOT NULL,
    event_name text NOT NULL,
    events bigint NOT NULL,
    first_seen bigint NOT NULL,
    last_seen bigint NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, event_name)
  )`,
  // path: JSON of the keys, outermost first. types: bits.
  `CREATE TABLE event_properties (
    tenant_id text NOT NULL,
    agent_id text NOT NULL,
    event_name text NOT NULL,
    path text NOT NULL,
    types integer NOT NULL,
    seen_order bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (tenant_id, agent_id, event_name, path)
  )`,
  // keys: of the ids to forget, one after another; null before the removal has begun.
  `CREATE TABLE event_removals (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text NOT NULL,
    removed text NOT NULL,
    requested_at bigint NOT NULL,
    through bigint,
    keys bytea,
    events bigint,
    done_at bigint
  )`,
  `CREATE TABLE event_quarantine (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text NOT NULL,
    at bigint NOT NULL,
    reason text NOT NULL,
    content text NOT NULL
  )`,
];

/** Answers of nodes stay in their caches until what they read changes. */
export const EVENT_CHANGES = [
  // version: of the tenant at the last change of events of that name and day (UTC); the empty name
  // stands for every name and day.
  `CREATE TABLE event_changes (
    tenant_id text NOT NULL,
    event_name text NOT NULL,
    day integer NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (tenant_id, event_name, day)
  )`,
  // The version up to which changes are noted.
  'ALTER TABLE event_tenants ADD COLUMN noted bigint NOT NULL DEFAULT 0',
];
