import type { Kysely } from 'kysely';

/** A foreign key ties a card to a tab of its own tenant and agent. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('dashboard_tabs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('sort_order', 'double precision', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('dashboard_tabs_name', ['tenant_id', 'agent_id', 'name'])
    .addUniqueConstraint('dashboard_tabs_owner', ['tenant_id', 'agent_id', 'id'])
    .execute();
  await database.schema
    .createTable('dashboard_cards')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text')
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('card_type', 'text', (column) => column.notNull())
    .addColumn('config', 'text', (column) => column.notNull())
    .addColumn('grid_layout', 'text')
    .addColumn('sort_order', 'double precision', (column) => column.notNull())
    .addColumn('tab_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('dashboard_cards_identity', ['tenant_id', 'agent_id', 'identity'])
    .addForeignKeyConstraint('dashboard_cards_tab', ['tenant_id', 'agent_id', 'tab_id'], 'dashboard_tabs', [
      'tenant_id',
      'agent_id',
      'id',
    ])
    .execute();
  await database.schema
    .createIndex('dashboard_cards_tab_id')
    .on('dashboard_cards')
    .columns(['tenant_id', 'agent_id', 'tab_id'])
    .execute();
}
