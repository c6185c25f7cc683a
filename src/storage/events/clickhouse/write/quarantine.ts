import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { type Refused, refusalReason } from '../../shared/refused.ts';
import { leaveOut, SPOOL_NOW_MS, type SpooledBatch } from './spool.ts';

/**
 * Sets aside what the engine refuses: it blocks no other event and is not lost. In the caller's
 * transaction.
 */
export async function quarantine(transaction: PostgresClient, refused: Refused<SpooledBatch>[]): Promise<void> {
  if (refused.length === 0) return;
  await transaction.query(
    `INSERT INTO event_quarantine (tenant_id, at, reason, content)
      SELECT tenant_id, ${SPOOL_NOW_MS}, reason, content FROM unnest($1::text[], $2::text[], $3::text[]) AS t(tenant_id, reason, content)`,
    [
      refused.map(({ batch }) => batch.tenantId),
      refused.map(({ error }) => refusalReason(error)),
      refused.map(({ content }) => JSON.stringify(content)),
    ],
  );
  const indexes = Map.groupBy(refused, ({ batch }) => batch.position);
  for (const [position, entries] of indexes) {
    const places = entries.flatMap(({ index }) => (index === null ? [] : [index]));
    if (places.length > 0) await leaveOut(transaction, position, places);
    // Nothing of the batch is left: a retry must not set it aside again.
    else await transaction.query(`UPDATE event_spool SET events = '[]' WHERE position = $1`, [position]);
  }
}

export async function quarantined(client: PostgresClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*) AS count FROM event_quarantine');
  return rows[0]!.count;
}

/** Removes the tenant's entries that are found, and returns their contents. */
export async function eraseQuarantined(
  transaction: PostgresClient,
  tenantId: string,
  isFound: (content: unknown) => boolean,
): Promise<{ id?: unknown }[]> {
  const { rows } = await transaction.query<{ id: number; content: string }>(
    'SELECT id, content FROM event_quarantine WHERE tenant_id = $1',
    [tenantId],
  );
  const found = rows
    .map(({ id, content }) => ({ id, content: JSON.parse(content) as unknown }))
    .filter(({ content }) => isFound(content));
  if (found.length > 0) {
    await transaction.query('DELETE FROM event_quarantine WHERE id = ANY($1::bigint[])', [found.map(({ id }) => id)]);
  }
  return found.map(({ content }) => (typeof content === 'object' && content !== null ? content : {}));
}
