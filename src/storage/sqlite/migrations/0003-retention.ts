import type { Kysely } from 'kysely';

/** For how many days a tenant keeps its events; null: for ever. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('tenants').addColumn('retention_days', 'integer').execute();
}
