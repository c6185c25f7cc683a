import type { PostgresClient } from '../../../state/postgres/pool.ts';
import type { Clickhouse } from '../client.ts';
import { isRefusal } from '../faults.ts';
import type { Tables } from '../schema.ts';
import { SeenNames } from './known.ts';
import { Shredder } from './shred.ts';
import { leaveOut, SPOOL_NOW_MS, type SpooledBatch, type SpooledEvent } from './spool.ts';
import type { FlushTenants } from './tenants.ts';

export interface Refused {
  batch: SpooledBatch;
  /** Its place in the batch; null: the batch is not JSON. */
  index: number | null;
  /** The event, or the text of a batch that is not JSON. */
  content: unknown;
  error: unknown;
}

/**
 * Sets aside what the engine refuses: it blocks no other event and is not lost. In the caller's
 * transaction.
 */
export async function quarantine(transaction: PostgresClient, refused: Refused[]): Promise<void> {
  if (refused.length === 0) return;
  await transaction.query(
    `INSERT INTO event_quarantine (tenant_id, at, reason, content)
      SELECT tenant_id, ${SPOOL_NOW_MS}, reason, content FROM unnest($1::text[], $2::text[], $3::text[]) AS t(tenant_id, reason, content)`,
    [
      refused.map(({ batch }) => batch.tenantId),
      refused.map(({ error }) => (error instanceof Error ? error.message : String(error))),
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

interface Single extends SpooledEvent {
  batch: SpooledBatch;
}

/** Finds the events that the engine refuses by bisection, in a table that keeps nothing. */
export async function findRefused(
  batches: SpooledBatch[],
  tenants: FlushTenants,
  engine: { clickhouse: Clickhouse; tables: Tables },
): Promise<Refused[]> {
  const singles = batches.flatMap((batch) => batch.events.map((event) => ({ ...event, batch })));
  const refused: Refused[] = [];
  const search = async (some: Single[]): Promise<void> => {
    const error = await refusal(some, tenants, engine);
    if (error === null || some.length === 0) return;
    if (some.length === 1) {
      const { batch, index, event } = some[0]!;
      refused.push({ batch, index, content: event, error });
      return;
    }
    const middle = Math.ceil(some.length / 2);
    await search(some.slice(0, middle));
    await search(some.slice(middle));
  };
  await search(singles);
  return refused;
}

/** Null if the engine accepts the events. */
async function refusal(
  singles: Single[],
  tenants: FlushTenants,
  { clickhouse, tables }: { clickhouse: Clickhouse; tables: Tables },
): Promise<unknown> {
  const shredder = new Shredder();
  const seenNames = new SeenNames();
  for (const { batch, event } of singles) shredder.add(tenants.find(batch.tenantId), batch.position, event, seenNames);
  try {
    await clickhouse.insert(`${tables.trial} (${shredder.columnNames.join(', ')})`, shredder.block(0, ''), null);
    return null;
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}
