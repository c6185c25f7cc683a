import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('connectors')
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('has_tools', 'integer', (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('connectors_key', ['tenant_id', 'slug'])
    .execute();
  await database.schema
    .createIndex('connectors_name')
    .on('connectors')
    .columns(['tenant_id', 'name', 'slug'])
    .execute();
  await database.schema
    .createTable('credentials')
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('username', 'text')
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('hosts', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('credentials_key', ['tenant_id', 'name'])
    .execute();
  await database.schema
    .createIndex('credentials_created_by')
    .on('credentials')
    .columns(['tenant_id', 'created_by'])
    .execute();
}
