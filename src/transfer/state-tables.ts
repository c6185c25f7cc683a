import type { StateTables } from '../storage/state/schema/types.ts';

export type StateTable = keyof StateTables;

/**
 * The tables of state with their keys, in the order in which rows may be added. Others are made
 * from these, or belong to processes that run.
 */
export const MOVED_TABLES = {
  tenants: ['id'],
  installation: ['fact'],
  agents: ['tenant_id', 'name'],
  users: ['id'],
  api_keys: ['id'],
  sessions: ['id'],
  quotas: ['tenant_id', 'key_id'],
  identity_providers: ['uid'],
  user_identities: ['provider_uid', 'issuer', 'subject', 'tenant_id'],
  session_identities: ['session_id'],
  used_names: ['name'],
  totp_factors: ['user_id'],
  passkeys: ['id'],
  recovery_codes: ['user_id', 'hash'],
  oauth_clients: ['id'],
  oauth_grants: ['id'],
  oauth_records: ['kind', 'id_hash'],
  executions: ['tenant_id', 'id'],
  execution_contents: ['tenant_id', 'execution_id'],
  reviews: ['number'],
  budget_usage: ['tenant_id', 'key_id', 'quarter'],
  dashboard_tabs: ['id'],
  dashboard_cards: ['id'],
  providers: ['tenant_id', 'name'],
  connectors: ['tenant_id', 'slug'],
  credentials: ['tenant_id', 'name'],
  metrics: ['tenant_id', 'name', 'version'],
  terms: ['tenant_id', 'term'],
  segments: ['tenant_id', 'name'],
  annotations: ['id'],
  alerts: ['id'],
  alert_changes: ['id'],
  digests: ['id'],
  delivery_messages: ['id', 'part'],
  deliveries: ['id'],
  audit_log: ['id'],
} as const satisfies Partial<Record<StateTable, readonly string[]>>;

export type MovedTable = keyof typeof MOVED_TABLES;

/** Lines of the audit log cannot be removed, except with their tenant; so tenants stay, too. */
export const STAYING: ReadonlySet<MovedTable> = new Set(['tenants', 'audit_log']);

/** What a row may hold decides how many are read at once. */
export const ROWS_AT_ONCE: Partial<Record<MovedTable, number>> = {
  execution_contents: 20,
  delivery_messages: 20,
  deliveries: 100,
};

/** Facts of the installation that are about its place. */
export const NOT_MOVED: Partial<Record<MovedTable, string>> = {
  installation: `fact NOT LIKE 'files %' AND fact NOT LIKE 'import %'`,
};
