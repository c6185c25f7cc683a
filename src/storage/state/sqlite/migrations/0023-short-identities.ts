import { type Kysely, sql } from 'kysely';
import { shortIdentity } from '../../../../core/analytics/dashboards/identity.ts';

/** Long identities of cards become digests: other databases cannot index them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const long = sql<{ id: string; identity: string }>`
    SELECT id, identity FROM dashboard_cards WHERE length(identity) > 250`;
  for (const { id, identity } of (await long.execute(database)).rows) {
    await sql`UPDATE dashboard_cards SET identity = ${shortIdentity(identity)} WHERE id = ${id}`.execute(database);
  }
}
