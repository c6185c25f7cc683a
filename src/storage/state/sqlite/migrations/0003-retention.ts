import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('tenants').addColumn('retention_days', 'integer').execute();
}
