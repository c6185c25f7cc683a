import { sql } from 'kysely';
import type { DueQuery } from '../../../core/concurrency/due-runner.ts';
import type { StateDatabase } from '../database.ts';

type Scheduled = 'alerts' | 'digests';

/** Due, or last run in the future. Tenants take turns. */
export async function dueRows<Row>(
  database: StateDatabase,
  table: Scheduled,
  { now, limit, ofTenant, except }: DueQuery & { now: number },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    WITH due AS (
      SELECT id, next_due, row_number() OVER (PARTITION BY tenant_id ORDER BY next_due, id) AS turn
      FROM ${sql.table(table)} WHERE next_due IS NOT NULL AND (next_due <= ${now} OR checked_at > ${now})
      AND id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)}))
    )
    SELECT scheduled.* FROM due JOIN ${sql.table(table)} AS scheduled ON scheduled.id = due.id
    WHERE turn <= ${ofTenant} ORDER BY turn, due.next_due LIMIT ${limit}`.execute(database);
  return rows;
}

/** The first time after `now`. */
export async function nextDueOf(database: StateDatabase, table: Scheduled, now: number): Promise<number | null> {
  const { rows } = await sql<{ next: number | null }>`
    SELECT min(next_due) AS next FROM ${sql.table(table)} WHERE next_due > ${now}`.execute(database);
  return rows[0]?.next ?? null;
}
