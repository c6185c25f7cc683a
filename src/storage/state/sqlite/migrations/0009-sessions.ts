import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('session_version', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text')
    .addColumn('revoked_at', 'bigint')
    .execute();
  const ofUser = database.schema.createIndex('sessions_user').on('sessions');
  await ofUser.columns(['tenant_id', 'user_id', 'created_at']).execute();
  await database.schema.createIndex('sessions_expired').on('sessions').column('expires_at').execute();
}
