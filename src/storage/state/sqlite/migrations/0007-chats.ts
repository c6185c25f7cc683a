import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('executions').addColumn('chat', 'text').execute();
  await sql`CREATE INDEX executions_running_chats ON executions (tenant_id, id)
    WHERE status = 'running' AND chat IS NOT NULL`.execute(database);
}
