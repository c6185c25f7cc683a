import type { CardType } from '../../core/dashboards/schema.ts';
import type { Role } from '../../core/roles.ts';

/** The tables of the state database. Times are epoch milliseconds; lists are JSON text; ids are made by the program. */
export interface StateTables {
  tenants: { id: string; name: string; timezone: string; created_at: number; retention_days: number | null };
  agents: { tenant_id: string; name: string; created_at: number; created_by: string | null };
  users: {
    id: string;
    tenant_id: string;
    email: string;
    /** The e-mail in lower case: what is unique, and what a login looks for. */
    email_key: string;
    name: string;
    phone: string | null;
    avatar_url: string | null;
    role: Role;
    is_active: number;
    password_hash: string | null;
    password_changed_at: number | null;
    last_login_at: number | null;
    metadata: string;
    created_at: number;
    updated_at: number;
  };
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
  audit_log: {
    id: string;
    tenant_id: string;
    at: number;
    actor: string;
    actor_kind: 'operator' | 'key' | 'user';
    actor_id: string | null;
    action: string;
    target: string | null;
    details: string;
  };
  installation: { fact: string; at: number };
}
