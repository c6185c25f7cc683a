import { type Kysely, sql } from 'kysely';

/** Triggers protect entries for 400 days, except when their tenant is removed. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('audit_lines')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant_id', 'text', (column) => column.references('tenants.id').onDelete('cascade'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text')
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('address', 'text')
    .addColumn('request_id', 'text')
    .execute();
  const known = sql.raw('id, tenant_id, at, actor, actor_kind, actor_id, action, target, details');
  await sql`INSERT INTO audit_lines (${known}) SELECT ${known} FROM audit_log`.execute(database);
  await database.schema.dropTable('audit_log').execute();
  await database.schema.alterTable('audit_lines').renameTo('audit_log').execute();
  const index = (name: string, columns: string[]) =>
    database.schema.createIndex(`audit_log_${name}`).on('audit_log').columns(columns).execute();
  await index('newest', ['tenant_id', 'id']);
  await index('actions', ['tenant_id', 'action', 'id']);
  await index('age', ['at']);
  await protect(database);
}

async function protect(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TRIGGER audit_log_unchanged BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'lines of the audit log are never changed'); END`.execute(database);
  // REPLACE removes the former row without firing the DELETE trigger.
  await sql`CREATE TRIGGER audit_log_not_replaced BEFORE INSERT ON audit_log
    WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'lines of the audit log are never replaced'); END`.execute(database);
  // The tenant is removed before its entries.
  await sql`CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log
    WHEN OLD.at >= unixepoch('subsec') * 1000 - 400 * 86400000
      AND (OLD.tenant_id IS NULL OR EXISTS (SELECT 1 FROM tenants WHERE id = OLD.tenant_id))
    BEGIN SELECT RAISE(ABORT, 'lines of the audit log are kept for 400 days'); END`.execute(database);
}
