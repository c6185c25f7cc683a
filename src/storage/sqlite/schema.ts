import type { CardType } from '../../core/dashboards/schema.ts';

/** The tables of the state database. Times are epoch milliseconds; lists are JSON text; ids are made by the program. */
export interface StateTables {
  tenants: { id: string; name: string; timezone: string; created_at: number; retention_days: number | null };
  agents: { tenant_id: string; name: string; created_at: number };
  users: {
    id: string;
    tenant_id: string;
    email: string;
    name: string;
    role: string;
    is_active: number;
    password_hash: string | null;
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
  installation: { fact: string; at: number };
}
