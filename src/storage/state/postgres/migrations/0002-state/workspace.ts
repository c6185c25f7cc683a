import type { Kysely } from 'kysely';
import { createTables } from '../tables.ts';

export function createWorkspace(database: Kysely<unknown>): Promise<void> {
  return createTables(
    database,
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
    `CREATE INDEX dashboard_cards_tab_id ON dashboard_cards (tenant_id, agent_id, tab_id)`,
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
    `CREATE INDEX connectors_name ON connectors (tenant_id, name, slug)`,
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
    `CREATE INDEX credentials_created_by ON credentials (tenant_id, created_by)`,
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
    `CREATE INDEX annotations_at ON annotations (tenant_id, at)`,
  );
}
