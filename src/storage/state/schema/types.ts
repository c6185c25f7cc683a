import type { Generated } from 'kysely';
import type { ClientKind, StoredClient } from '../../../core/access/oauth/store.ts';
import type { Requirement } from '../../../core/access/second-factor/store.ts';
import type { StoredDashboardChange } from '../../../core/analytics/dashboards/changes/store.ts';
import type { CardType } from '../../../core/analytics/dashboards/config-schema.ts';
import type { MetricState } from '../../../core/analytics/events/questions/question.ts';
import type { FirstHourName } from '../../../core/analytics/first-hour/store.ts';
import type { Role } from '../../../core/base/shared/caller.ts';
import type { AlertState } from '../../../core/watch/alerts/transition.ts';
import type { DeliverySource, DeliveryState } from '../../../core/watch/deliveries/store.ts';
import type { TargetType } from '../../../core/watch/deliveries/targets.ts';
import type { TextLanguage } from '../../../language/messages.ts';
import type { ExecutionTables } from './execution-types.ts';

/** Times are epoch milliseconds, lists are JSON. */
export interface StateTables extends ExecutionTables {
  tenants: {
    id: string;
    name: string;
    timezone: string;
    created_at: number;
    retention_days: number | null;
    execution_retention_days: number | null;
    second_factor: Requirement;
    password_login: Generated<number>;
    /** When its erasure was last known to be under way. */
    erasing_since: number | null;
    role_limits: string | null;
  };
  agents: { tenant_id: string; name: string; created_at: number; created_by: string | null };
  users: {
    id: string;
    tenant_id: string;
    email: string;
    email_key: string;
    name: string;
    /** `searchKey` of the name. */
    name_search: string;
    email_search: string;
    phone: string | null;
    avatar_url: string | null;
    role: Role;
    is_active: number;
    password_hash: string | null;
    /** The session version, which tokens name. Deactivating a user changes it too. */
    password_changed_at: number | null;
    last_login_at: number | null;
    language: TextLanguage | null;
    metadata: string;
    created_at: number;
    updated_at: number;
  };
  sessions: {
    id: string;
    tenant_id: string;
    user_id: string;
    /** `password_changed_at` of the user at login. */
    session_version: number | null;
    created_at: number;
    last_seen_at: number;
    expires_at: number;
    address: string;
    user_agent: string | null;
    revoked_at: number | null;
    second_factor_at: number | null;
  };
  invitations: {
    id: string;
    tenant_id: string;
    email: string;
    email_key: string;
    role: Role;
    secret_hash: string;
    invited_by: string;
    created_at: number;
    expires_at: number;
  };
  totp_factors: {
    user_id: string;
    tenant_id: string;
    sealed: string;
    last_step: number;
    created_at: number;
    last_used_at: number | null;
  };
  passkeys: {
    id: string;
    tenant_id: string;
    user_id: string;
    credential_id: string;
    public_key: string;
    counter: number;
    transports: string;
    host: string;
    name: string;
    created_at: number;
    last_used_at: number | null;
  };
  recovery_codes: { user_id: string; hash: string; tenant_id: string };
  api_keys: {
    id: string;
    tenant_id: string;
    agent_id: string | null;
    label: string;
    scopes: string;
    secret_hash: string;
    created_at: number;
    expires_at: number | null;
    last_used_at: number | null;
    revoked_at: number | null;
    created_by: string | null;
    former_hash: string | null;
    former_until: number | null;
    limits: string | null;
  };
  dashboard_tabs: {
    id: string;
    tenant_id: string;
    agent_id: string;
    name: string;
    sort_order: number;
    created_at: number;
    updated_at: number;
  };
  dashboard_cards: {
    id: string;
    tenant_id: string;
    agent_id: string;
    identity: string;
    idempotency_key: string | null;
    title: string;
    card_type: CardType;
    config: string;
    grid_layout: string | null;
    sort_order: number;
    tab_id: string | null;
    created_at: number;
    updated_at: number;
  };
  dashboard_links: {
    id: string;
    tenant_id: string;
    tab_id: string;
    secret_hash: string;
    /** JSON. */
    limits: string | null;
    created_at: number;
    created_by: string;
    maker: string | null;
    expires_at: number | null;
    last_used_at: number | null;
  };
  dashboard_changes: {
    id: string;
    tenant_id: string;
    /** `updated_at` of the card or tab after the change. */
    at: number;
    kind: StoredDashboardChange['kind'];
    item_id: string;
    agent_id: string;
    title: string;
    action: StoredDashboardChange['action'];
    /** The row before. Null of a new one. */
    former: string | null;
    maker_kind: StoredDashboardChange['by']['kind'];
    maker_id: string;
    maker: string;
    client: string | null;
    user_id: string | null;
    tool: string;
    intent: string | null;
    undone_at: number | null;
    undone_by: string | null;
  };
  providers: { tenant_id: string; name: string; definition: string; created_at: number; updated_at: number };
  connectors: {
    tenant_id: string;
    slug: string;
    name: string;
    definition: string;
    has_tools: number;
    created_by: string | null;
    created_at: number;
    updated_at: number;
  };
  credentials: {
    tenant_id: string;
    name: string;
    username: string | null;
    sealed: string;
    hosts: string;
    created_by: string | null;
    created_at: number;
    updated_at: number;
    last_used_at: number | null;
  };
  audit_log: {
    id: string;
    tenant_id: string | null;
    at: number;
    actor: string;
    actor_kind: 'operator' | 'key' | 'user';
    actor_id: string | null;
    client: string | null;
    action: string;
    target: string | null;
    details: string;
    address: string | null;
    request_id: string | null;
  };
  quotas: { tenant_id: string; key_id: string; limits: string; updated_at: number };
  budget_usage: { tenant_id: string; key_id: string; quarter: number; tokens: number; nanos: number };
  budget_reservations: {
    id: string;
    tenant_id: string;
    key_id: string;
    at: number;
    tokens: number;
    nanos: number;
    runner: string | null;
  };
  metrics: {
    tenant_id: string;
    name: string;
    version: number;
    definition: string;
    state: MetricState;
    created_at: number;
    created_by: string;
    decided_at: number | null;
    decided_by: string | null;
  };
  annotations: { id: string; tenant_id: string; text: string; at: number; created_at: number; created_by: string };
  segments: {
    tenant_id: string;
    name: string;
    definition: string;
    created_at: number;
    created_by: string;
    updated_at: number;
  };
  first_hours: { tenant_id: string; name: FirstHourName; at: number; details: string | null };
  terms: { tenant_id: string; term: string; definition: string; created_at: number; updated_at: number };
  delivery_messages: {
    id: string;
    part: number;
    tenant_id: string;
    /** The size of this part. */
    bytes: number;
    created_at: number;
    body: string;
  };
  deliveries: {
    id: string;
    tenant_id: string;
    source_kind: DeliverySource['kind'];
    source_id: string;
    type: string;
    title: string;
    target_type: TargetType;
    place: string;
    /** Sealed. Null of finished ones. */
    target: string | null;
    message_id: string | null;
    /** Addresses of an e-mail; 1 of others. */
    recipients: number;
    state: DeliveryState;
    attempts: number;
    is_claimed: number;
    /** The process that claimed it last. */
    runner: string | null;
    fence: number;
    /** While the delivery is claimed, the end of its lease. */
    due_at: number;
    error: string | null;
    created_at: number;
    attempted_at: number | null;
    finished_at: number | null;
  };
  alerts: {
    id: string;
    tenant_id: string;
    agent_id: string | null;
    definition: string;
    /** Sealed. */
    targets: string | null;
    revision: number;
    state: AlertState;
    memory: string;
    last_check: string | null;
    checked_at: number | null;
    next_due: number | null;
    created_at: number;
    updated_at: number;
    created_by: string;
    maker: string | null;
  };
  alert_changes: {
    id: string;
    tenant_id: string;
    alert_id: string;
    at: number;
    from_state: AlertState;
    to_state: AlertState;
    bucket: string | null;
    value: number | null;
    compared_with: number | null;
    cases: string | null;
    error: string | null;
    is_notified: number;
    is_recorded: number;
  };
  digests: {
    id: string;
    tenant_id: string;
    agent_id: string | null;
    definition: string;
    /** Sealed. */
    targets: string | null;
    revision: number;
    last_sent: string | null;
    checked_at: number | null;
    next_due: number | null;
    created_at: number;
    updated_at: number;
    created_by: string;
    maker: string | null;
  };
  oauth_clients: {
    id: string;
    kind: StoredClient['kind'];
    name: string | null;
    metadata: string;
    secret_hash: string | null;
    created_at: number;
    last_used_at: number | null;
  };
  oauth_grants: {
    id: string;
    tenant_id: string;
    user_id: string;
    /** `password_changed_at` of the user when it was allowed. */
    session_version: number | null;
    client_id: string;
    client_name: string | null;
    client_kind: ClientKind;
    identity_provider: string | null;
    resource: string;
    scopes: string;
    created_at: number;
    expires_at: number;
    activated_at: number | null;
    last_used_at: number | null;
    ended_at: number | null;
    limits: string | null;
  };
  oauth_records: {
    kind: string;
    id_hash: string;
    grant_id: string | null;
    content: string;
    created_at: number;
    expires_at: number;
    consumed_at: number | null;
  };
  identity_providers: {
    uid: string;
    /** Null for a provider of the whole installation. */
    tenant_id: string | null;
    id: string;
    definition: string;
    is_enabled: number;
    sealed_secret: string | null;
    authority: 'ADMIN' | 'SUPER_ADMIN';
    revision: number;
    created_at: number;
    updated_at: number;
  };
  user_identities: {
    provider_uid: string;
    issuer: string;
    subject: string;
    tenant_id: string;
    user_id: string;
    created_at: number;
  };
  session_identities: {
    session_id: string;
    tenant_id: string;
    provider_uid: string;
    issuer: string;
    subject: string;
    idp_session: string | null;
  };
  used_names: { name: string; expires_at: number };
  installation: { fact: string; at: number };
  /** Processes that are alive. A row that names another runner is abandoned. */
  runners: { id: string; alive_until: number };
  sealing_keys: { id: string; created_at: number; retired_at: number | null; wrapped: string };
}
