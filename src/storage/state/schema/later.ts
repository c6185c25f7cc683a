/*
 * The migrations after the first one that both databases have, by name. Those that were released
 * never change.
 */

export const LATER: Record<string, readonly string[]> = {
  // The secret before the last rotation, while both work.
  '0027-key-overlap': [
    'ALTER TABLE api_keys ADD COLUMN former_hash text',
    'ALTER TABLE api_keys ADD COLUMN former_until bigint',
    'CREATE INDEX api_keys_newest ON api_keys (tenant_id, created_at DESC, id)',
  ],
  '0028-credential-use': ['ALTER TABLE credentials ADD COLUMN last_used_at bigint'],
  // Lines of the audit log by time, for each filter: with a million lines no answer reads them all.
  '0029-audit-filters': [
    'CREATE INDEX audit_log_times ON audit_log (tenant_id, at)',
    'CREATE INDEX audit_log_action_times ON audit_log (tenant_id, action, at)',
    'CREATE INDEX audit_log_actors ON audit_log (tenant_id, actor, at, action)',
    'CREATE INDEX audit_log_actor_ids ON audit_log (tenant_id, actor_id, at, action)',
    'CREATE INDEX audit_log_targets ON audit_log (tenant_id, target, at)',
    'DROP INDEX audit_log_newest',
    'DROP INDEX audit_log_actions',
  ],
  // The steps of the first hour that each tenant has reached, and who put its checklist away.
  '0030-first-hours': [
    `CREATE TABLE first_hours (
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    at bigint NOT NULL,
    details text,
    PRIMARY KEY (tenant_id, name)
  )`,
    // Workspaces that have cards from before are beyond their first hour.
    `INSERT INTO first_hours (tenant_id, name, at, details)
    SELECT tenants.id, steps.name, tenants.created_at, NULL
    FROM tenants CROSS JOIN
      (SELECT 'event' AS name UNION ALL SELECT 'client' UNION ALL SELECT 'question' UNION ALL SELECT 'card') AS steps
    WHERE EXISTS (SELECT 1 FROM dashboard_cards WHERE dashboard_cards.tenant_id = tenants.id)`,
  ],
  // Invitations, and what lists of many users and of everybody's sessions need.
  '0031-people': [
    // One of an e-mail: another takes its place. A used or revoked one is removed.
    `CREATE TABLE invitations (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    email text NOT NULL,
    email_key text NOT NULL,
    role text NOT NULL,
    secret_hash text NOT NULL UNIQUE,
    invited_by text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
  )`,
    'CREATE UNIQUE INDEX invitations_of_email ON invitations (tenant_id, email_key)',
    'CREATE INDEX invitations_expired ON invitations (expires_at)',
    'CREATE INDEX users_newest ON users (tenant_id, created_at, id)',
    'CREATE INDEX sessions_newest ON sessions (tenant_id, created_at, id) WHERE revoked_at IS NULL',
  ],
  // Grants that identity providers give by assertions: one live of a user and a client.
  '0035-asserted-grants': [
    'ALTER TABLE oauth_grants ADD COLUMN identity_provider text',
    `CREATE UNIQUE INDEX oauth_grants_asserted ON oauth_grants (user_id, client_id)
    WHERE identity_provider IS NOT NULL AND ended_at IS NULL`,
  ],
  // Sets of questions with all their versions, and the answers to them.
  '0033-rubrics': [
    `CREATE TABLE rubrics (
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    version integer NOT NULL,
    definition text NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    PRIMARY KEY (tenant_id, name, version)
  )`,
    `CREATE TABLE assessments (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    execution_id text NOT NULL,
    rubric text NOT NULL,
    version integer NOT NULL,
    assessor_type text NOT NULL,
    assessor_id text NOT NULL,
    assessor_label text NOT NULL,
    answers text NOT NULL,
    comment text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  )`,
    `CREATE UNIQUE INDEX assessments_of_assessor
    ON assessments (tenant_id, execution_id, rubric, assessor_type, assessor_id)`,
    `CREATE INDEX assessments_of_people ON assessments (tenant_id, rubric, version, execution_id, id)
    WHERE assessor_type = 'user'`,
  ],
  // Limits below the tenant of keys, grants and roles, as JSON; null: none.
  '0036-limits': [
    'ALTER TABLE api_keys ADD COLUMN limits text',
    'ALTER TABLE oauth_grants ADD COLUMN limits text',
    'ALTER TABLE tenants ADD COLUMN role_limits text',
  ],
  // Changes that agents made to cards and tabs, with the row before as JSON.
  '0037-dashboard-changes': [
    `CREATE TABLE dashboard_changes (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    at bigint NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    agent_id text NOT NULL,
    title text NOT NULL,
    action text NOT NULL,
    former text,
    maker_kind text NOT NULL,
    maker_id text NOT NULL,
    maker text NOT NULL,
    client text,
    user_id text,
    tool text NOT NULL,
    intent text,
    undone_at bigint,
    undone_by text
  )`,
    'CREATE INDEX dashboard_changes_newest ON dashboard_changes (tenant_id, at DESC, id DESC)',
    'CREATE INDEX dashboard_changes_of_item ON dashboard_changes (tenant_id, item_id)',
    'CREATE INDEX dashboard_changes_oldest ON dashboard_changes (at)',
  ],
  // Secret links to tabs, which go with their tab. A revoked one is removed.
  '0038-dashboard-links': [
    `CREATE TABLE dashboard_links (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    tab_id text NOT NULL REFERENCES dashboard_tabs (id) ON DELETE CASCADE,
    secret_hash text NOT NULL UNIQUE,
    limits text,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    maker text,
    expires_at bigint,
    last_used_at bigint
  )`,
    'CREATE INDEX dashboard_links_of_tab ON dashboard_links (tenant_id, tab_id, created_at)',
    'CREATE INDEX dashboard_links_tab ON dashboard_links (tab_id)',
  ],
  // The language of the pages of a user; null: that of the browser.
  '0039-user-language': ['ALTER TABLE users ADD COLUMN language text'],
};
