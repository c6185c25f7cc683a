/*
 * Content that tenants define, record and are sent: a part of the first migration, which never
 * changes (`index.ts`).
 */

export const CONTENT = [
  `CREATE TABLE dashboard_tabs (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    agent_id text NOT NULL,
    name text NOT NULL,
    sort_order double precision NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    CONSTRAINT dashboard_tabs_name UNIQUE (tenant_id, agent_id, name),
    CONSTRAINT dashboard_tabs_owner UNIQUE (tenant_id, agent_id, id)
  )`,
  // The foreign key ties a card to a tab of its own tenant and agent.
  `CREATE TABLE dashboard_cards (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    agent_id text NOT NULL,
    identity text NOT NULL,
    idempotency_key text,
    title text NOT NULL,
    card_type text NOT NULL,
    config text NOT NULL,
    grid_layout text,
    sort_order double precision NOT NULL,
    tab_id text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    CONSTRAINT dashboard_cards_identity UNIQUE (tenant_id, agent_id, identity),
    FOREIGN KEY (tenant_id, agent_id, tab_id) REFERENCES dashboard_tabs (tenant_id, agent_id, id)
  )`,
  'CREATE INDEX dashboard_cards_tab_id ON dashboard_cards (tenant_id, agent_id, tab_id)',
  `CREATE TABLE metrics (
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    version bigint NOT NULL,
    definition text NOT NULL,
    state text NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    decided_at bigint,
    decided_by text,
    PRIMARY KEY (tenant_id, name, version)
  )`,
  `CREATE TABLE terms (
    tenant_id text NOT NULL REFERENCES tenants (id),
    term text NOT NULL,
    definition text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, term)
  )`,
  `CREATE TABLE segments (
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    definition text NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, name)
  )`,
  `CREATE TABLE annotations (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    text text NOT NULL,
    at bigint NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL
  )`,
  'CREATE INDEX annotations_at ON annotations (tenant_id, at)',

  `CREATE TABLE providers (
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    definition text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, name)
  )`,
  `CREATE TABLE connectors (
    tenant_id text NOT NULL REFERENCES tenants (id),
    slug text NOT NULL,
    name text NOT NULL,
    definition text NOT NULL,
    has_tools integer NOT NULL,
    created_by text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, slug)
  )`,
  'CREATE INDEX connectors_name ON connectors (tenant_id, name, slug)',
  `CREATE TABLE credentials (
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    username text,
    sealed text NOT NULL,
    hosts text NOT NULL,
    created_by text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, name)
  )`,
  'CREATE INDEX credentials_created_by ON credentials (tenant_id, created_by)',

  `CREATE TABLE executions (
    tenant_id text NOT NULL REFERENCES tenants (id),
    id text NOT NULL,
    id_from_caller integer NOT NULL,
    agent_id text NOT NULL,
    thread_id text,
    status text NOT NULL,
    provider text,
    model text,
    usage text,
    shape text NOT NULL,
    content_length integer NOT NULL,
    revision integer NOT NULL,
    started_at bigint,
    completed_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    created_by text,
    chat text,
    runner text,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX executions_made_id ON executions (id) WHERE id_from_caller = 0',
  'CREATE INDEX executions_thread ON executions (tenant_id, thread_id)',
  'CREATE INDEX executions_created_by ON executions (tenant_id, created_by) WHERE created_by IS NOT NULL',
  `CREATE INDEX executions_running_chats ON executions (tenant_id, id)
    WHERE status = 'running' AND chat IS NOT NULL`,
  // In a table of their own, so that statistics of executions stay cheap.
  `CREATE TABLE execution_contents (
    tenant_id text NOT NULL,
    execution_id text NOT NULL,
    messages text NOT NULL,
    output text NOT NULL,
    PRIMARY KEY (tenant_id, execution_id),
    FOREIGN KEY (tenant_id, execution_id) REFERENCES executions (tenant_id, id) ON DELETE CASCADE
  )`,
  // Numbers are in the order of creation, which is that of lists, and the row ids of the index,
  // which each database has in its own way. A further index would be written with every review.
  `CREATE TABLE reviews (
    number integer PRIMARY KEY,
    id text NOT NULL UNIQUE,
    tenant_id text NOT NULL REFERENCES tenants (id),
    execution_id text NOT NULL,
    agent_id text NOT NULL,
    rating text NOT NULL,
    status text NOT NULL,
    priority text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    resolved_at bigint,
    reviewed_by text NOT NULL,
    updated_by text,
    resolved_by text,
    tags text NOT NULL,
    comment text NOT NULL,
    action_taken text,
    resolution_notes text,
    corrected_output text,
    CONSTRAINT reviews_execution UNIQUE (tenant_id, execution_id)
  )`,
  'CREATE INDEX reviews_dates ON reviews (tenant_id, created_at)',
  // Triggers keep the counts.
  `CREATE TABLE review_counts (
    tenant_id text NOT NULL,
    agent_id text NOT NULL,
    rating text NOT NULL,
    status text NOT NULL,
    priority text NOT NULL,
    reviews bigint NOT NULL,
    resolution_ms bigint NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, rating, status, priority)
  )`,

  // An empty key id means the tenant.
  `CREATE TABLE quotas (
    tenant_id text NOT NULL REFERENCES tenants (id),
    key_id text NOT NULL,
    limits text NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, key_id)
  )`,
  // By quarter hour in UTC; costs are in nano-dollars.
  `CREATE TABLE budget_usage (
    tenant_id text NOT NULL REFERENCES tenants (id),
    key_id text NOT NULL,
    quarter bigint NOT NULL,
    tokens bigint NOT NULL,
    nanos bigint NOT NULL,
    PRIMARY KEY (tenant_id, key_id, quarter)
  ) WITHOUT ROWID`,
  'CREATE INDEX budget_usage_quarter ON budget_usage (quarter)',
  `CREATE TABLE budget_reservations (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    key_id text NOT NULL,
    at bigint NOT NULL,
    tokens bigint NOT NULL,
    nanos bigint NOT NULL,
    runner text
  )`,
  'CREATE INDEX budget_reservations_tenant ON budget_reservations (tenant_id, at)',

  // A message is stored once, in parts, and its deliveries refer to it.
  `CREATE TABLE delivery_messages (
    id text NOT NULL,
    part integer NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    bytes integer NOT NULL,
    created_at bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (id, part)
  )`,
  'CREATE INDEX delivery_messages_of_tenant ON delivery_messages (tenant_id, bytes)',
  'CREATE INDEX delivery_messages_created ON delivery_messages (created_at)',
  `CREATE TABLE deliveries (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    source_kind text NOT NULL,
    source_id text NOT NULL,
    type text NOT NULL,
    title text NOT NULL,
    target_type text NOT NULL,
    place text NOT NULL,
    target text,
    message_id text,
    recipients integer NOT NULL DEFAULT 1,
    state text NOT NULL,
    attempts integer NOT NULL,
    is_claimed integer NOT NULL,
    runner text,
    fence integer NOT NULL,
    due_at bigint NOT NULL,
    error text,
    created_at bigint NOT NULL,
    attempted_at bigint,
    finished_at bigint
  )`,
  `CREATE INDEX deliveries_due ON deliveries (due_at) WHERE state = 'waiting'`,
  `CREATE INDEX deliveries_due_of_tenant ON deliveries (tenant_id, due_at, id) WHERE state = 'waiting'`,
  `CREATE INDEX deliveries_of_message ON deliveries (message_id) WHERE state = 'waiting'`,
  'CREATE INDEX deliveries_source ON deliveries (tenant_id, source_kind, source_id, id)',
  'CREATE INDEX deliveries_of_tenant ON deliveries (tenant_id, id)',
  'CREATE INDEX deliveries_created ON deliveries (tenant_id, created_at, recipients)',
  `CREATE INDEX deliveries_dead ON deliveries (id) WHERE state = 'dead'`,
  'CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL',
  // next_due is null while the alert is switched off.
  `CREATE TABLE alerts (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    agent_id text,
    definition text NOT NULL,
    targets text,
    revision integer NOT NULL,
    state text NOT NULL,
    memory text NOT NULL,
    last_check text,
    checked_at bigint,
    next_due bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    created_by text NOT NULL,
    maker text
  )`,
  'CREATE INDEX alerts_of_tenant ON alerts (tenant_id, id)',
  'CREATE INDEX alerts_due ON alerts (next_due) WHERE next_due IS NOT NULL',
  'CREATE INDEX alerts_checked ON alerts (checked_at) WHERE next_due IS NOT NULL',
  // A change is recorded once it is also an event.
  `CREATE TABLE alert_changes (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    alert_id text NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
    at bigint NOT NULL,
    from_state text NOT NULL,
    to_state text NOT NULL,
    bucket text,
    value double precision,
    compared_with double precision,
    cases text,
    error text,
    is_notified integer NOT NULL,
    is_recorded integer NOT NULL
  )`,
  'CREATE INDEX alert_changes_of_alert ON alert_changes (alert_id, id)',
  'CREATE INDEX alert_changes_unrecorded ON alert_changes (id) WHERE is_recorded = 0',
  `CREATE TABLE digests (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    agent_id text,
    definition text NOT NULL,
    targets text,
    revision integer NOT NULL,
    last_sent text,
    checked_at bigint,
    next_due bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    created_by text NOT NULL,
    maker text
  )`,
  'CREATE INDEX digests_of_tenant ON digests (tenant_id, id)',
];
