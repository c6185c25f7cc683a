import type { Kysely } from 'kysely';

/** The retention of a tenant's events in days; null: forever. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('tenants').addColumn('retention_days', 'integer').execute();
}
