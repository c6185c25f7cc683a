/*
 * Tables that nodes share beside the state. Counters are lost with a crash of the database
 * (UNLOGGED), as those of one process are lost with it; logins that wait are not.
 */

export const NODES = [
  `CREATE TABLE leases (
    name text PRIMARY KEY,
    holder text NOT NULL,
    fence bigint NOT NULL,
    held_until timestamptz NOT NULL
  )`,
  // times: a list of epoch milliseconds as JSON. Pages have room, so that updates move no row and
  // touch no index.
  `CREATE UNLOGGED TABLE login_failures (
    name text PRIMARY KEY,
    times text NOT NULL,
    at bigint NOT NULL
  ) WITH (fillfactor = 50)`,
  `CREATE UNLOGGED TABLE event_counts (
    tenant_id text PRIMARY KEY,
    stored bigint NOT NULL,
    admitted bigint NOT NULL,
    version bigint NOT NULL,
    counted_at bigint
  ) WITH (fillfactor = 50)`,
  `CREATE UNLOGGED TABLE event_admissions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text NOT NULL,
    events bigint NOT NULL,
    at bigint NOT NULL
  )`,
  'CREATE INDEX event_admissions_of_tenant ON event_admissions (tenant_id)',
  `CREATE TABLE pending (
    kind text NOT NULL,
    key text NOT NULL,
    owner text NOT NULL,
    sealed text NOT NULL,
    count integer NOT NULL DEFAULT 0,
    expires_at bigint NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (kind, key)
  )`,
  'CREATE INDEX pending_of_owner ON pending (kind, owner, number)',
  'CREATE INDEX pending_expired ON pending (expires_at)',
];
