import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  const add = (table: string, column: string, type: 'text' | 'bigint') =>
    database.schema.alterTable(table).addColumn(column, type).execute();
  await add('users', 'email_key', 'text');
  await add('users', 'phone', 'text');
  await add('users', 'avatar_url', 'text');
  await add('users', 'password_changed_at', 'bigint');
  await add('users', 'last_login_at', 'bigint');
  await database.schema
    .alterTable('users')
    .addColumn('metadata', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute();
  await sql`UPDATE users SET email_key = lower(email), password_changed_at = created_at`.execute(database);
  await database.schema
    .createIndex('users_email_key')
    .unique()
    .on('users')
    .columns(['tenant_id', 'email_key'])
    .execute();
  await database.schema.createIndex('users_login').on('users').column('email_key').execute();
  await add('agents', 'created_by', 'text');
  await add('api_keys', 'created_by', 'text');
  for (const table of ['agents', 'api_keys']) {
    const index = database.schema.createIndex(`${table}_created_by`).on(table);
    await index.columns(['tenant_id', 'created_by']).execute();
  }
  await database.schema
    .createTable('audit_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text')
    .addColumn('details', 'text', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('audit_log_newest').on('audit_log').columns(['tenant_id', 'id']).execute();
}
