import { sql } from 'kysely';
import { unprocessable } from '../../../../core/base/shared/errors.ts';
import type { StateTransaction } from '../database.ts';
import { dialectOf } from '../dialect.ts';

/** Executions above one another. */
const MAX_ANCESTORS = 100;

/** Before a new parent is written: of two at once, the second one sees the first. */
export function lockParents(transaction: StateTransaction, tenantId: string): Promise<void> {
  return dialectOf(transaction).lock(transaction, { table: 'tenants', id: tenantId });
}

/** After that: throws `unprocessable` for an execution within itself, or with too many above it. */
export async function refuseParent(transaction: StateTransaction, tenantId: string, id: string): Promise<void> {
  // The last one may not be recorded yet.
  const { rows } = await sql<{ id: string }>`WITH RECURSIVE above (id, depth) AS (
      SELECT parent_id, 1 FROM executions WHERE tenant_id = ${tenantId} AND id = ${id}
      UNION ALL
      SELECT parent_id, depth + 1 FROM above
        JOIN executions ON tenant_id = ${tenantId} AND executions.id = above.id
        WHERE parent_id IS NOT NULL AND depth <= ${MAX_ANCESTORS})
    SELECT id FROM above`.execute(transaction);
  if (rows.some((row) => row.id === id)) {
    throw unprocessable(`parentId: "${rows[0]!.id}" runs within this execution, and cannot be its parent.`);
  }
  if (rows.length > MAX_ANCESTORS) {
    throw unprocessable(`parentId: has ${MAX_ANCESTORS} executions above it, the most there may be.`);
  }
}
