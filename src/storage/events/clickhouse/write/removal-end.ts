import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { erases, isWhole, type Removed } from '../../shared/removed.ts';
import { noteRemoved } from '../changes.ts';
import { callerIdKey, claimAgain, forgetKeys, forgetTenant } from './caller-ids.ts';
import type { Flusher, FlusherParts } from './flusher.ts';
import { eraseQuarantined } from './quarantine.ts';

import { readTenant } from './spool.ts';

export interface Removal {
  id: number;
  tenantId: string;
  removed: Removed;
  /** Later flushes are not removed; null: it has not begun. */
  through: number | null;
  events: number;
}

/** Requests that are done are kept for those who wait for them. */
const KEPT_MS = 86_400_000;

/** Once the rows are gone. Between two flushes, as the names are counted again. */
export async function endRemoval(
  { flusher, ...parts }: FlusherParts & { flusher: Flusher },
  removal: Removal,
  fence: number,
): Promise<void> {
  const { id, tenantId, removed } = removal;
  await flusher.betweenFlushes(async () => {
    const { number } = await tenantStateOf(parts.pool, tenantId);
    // A whole tenant is counted, too: after a failure there may be events that came after it.
    const counts = removal.events > 0 || isWhole(removed) ? await countNames(parts, number) : null;
    const left = isWhole(removed) && counts!.length > 0 ? await idsOf(parts, `tenant = ${number}`) : [];
    await flusher.transaction(fence, async (transaction) => {
      const refused = await eraseRefused(transaction, removal);
      if (counts?.length === 0) await removeNames(transaction, tenantId);
      else if (counts) await recount(transaction, tenantId, counts);
      if (isWhole(removed) && counts!.length === 0) {
        await transaction.query('DELETE FROM event_tenants WHERE tenant_id = $1', [tenantId]);
      }
      if (!('before' in removed)) await forgetIds(transaction, removal, left);
      await transaction.query('UPDATE event_tenants SET version = version + 1 WHERE tenant_id = $1', [tenantId]);
      await noteRemoved(transaction, tenantId);
      await transaction.query(
        `UPDATE event_removals SET done_at = (extract(epoch FROM now()) * 1000)::bigint, keys = NULL, removed = '{}',
          events = events + $2 WHERE id = $1`,
        [id, refused],
      );
      await transaction.query(
        'DELETE FROM event_removals WHERE done_at < (extract(epoch FROM now()) * 1000)::bigint - $1::bigint',
        [KEPT_MS],
      );
    });
    flusher.tenants.forget(tenantId);
  });
}

async function forgetIds(
  transaction: PostgresClient,
  { id, tenantId, removed }: Removal,
  left: string[],
): Promise<void> {
  if (isWhole(removed)) await forgetTenant(transaction, tenantId);
  else {
    const { rows } = await transaction.query<{ keys: Buffer | null }>('SELECT keys FROM event_removals WHERE id = $1', [
      id,
    ]);
    const keys = rows[0]?.keys;
    if (keys && keys.length > 0) await forgetKeys(transaction, keys);
  }
  const spooled = await readTenant(transaction, tenantId);
  const ids = spooled.flatMap(({ events }) => events.flatMap(({ event }) => (event.idFromCaller ? [event.id] : [])));
  await claimAgain(
    transaction,
    [...left, ...ids].map((one) => callerIdKey(tenantId, one)),
  );
}

/** Erases refused events and their ids, so that they can be sent again. */
async function eraseRefused(transaction: PostgresClient, { tenantId, removed }: Removal): Promise<number> {
  if ('before' in removed) {
    await transaction.query('DELETE FROM event_quarantine WHERE tenant_id = $1 AND at < $2', [
      tenantId,
      removed.before,
    ]);
    return 0;
  }
  const erased = await eraseQuarantined(transaction, tenantId, (content) => erases(removed, content));
  const ids = erased.flatMap(({ id }) => (typeof id === 'string' ? [callerIdKey(tenantId, id)] : []));
  if (ids.length > 0) await forgetKeys(transaction, Buffer.concat(ids));
  return erased.length;
}

/** No tenant has this number. */
const UNKNOWN_TENANT = { number: 0, flush: 0 };

/** `flush`: the newest one whose events of the tenant are visible. */
export async function tenantStateOf(
  client: PostgresClient,
  tenantId: string,
): Promise<{ number: number; flush: number }> {
  const { rows } = await client.query<{ number: number; flush: number }>(
    'SELECT number, flush FROM event_tenants WHERE tenant_id = $1',
    [tenantId],
  );
  return rows[0] ?? UNKNOWN_TENANT;
}

type Table = Pick<FlusherParts, 'clickhouse' | 'tables'>;

export async function countRows({ clickhouse, tables }: Table, condition: string): Promise<number> {
  const [row] = await clickhouse.rows<[number]>(`SELECT count() FROM ${tables.events} WHERE ${condition}`);
  return row![0];
}

export async function idsOf({ clickhouse, tables }: Table, condition: string): Promise<string[]> {
  return (await clickhouse.rows<[string]>(`SELECT id FROM ${tables.events} WHERE ${condition}`)).flat();
}

function countNames({ clickhouse, tables }: Table, tenant: number): Promise<Counted[]> {
  return clickhouse.rows<Counted>(
    `SELECT agent_id, event_name, count(), min(timestamp), max(timestamp) FROM ${tables.events} WHERE tenant = ${tenant} GROUP BY agent_id, event_name`,
  );
}

type Counted = [agentId: string, eventName: string, events: number, firstSeen: number, lastSeen: number];

async function removeNames(transaction: PostgresClient, tenantId: string): Promise<void> {
  for (const table of ['event_names', 'event_properties']) {
    await transaction.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
  }
}

/** Names beyond the limit of listed ones stay unlisted. */
async function recount(transaction: PostgresClient, tenantId: string, counts: Counted[]): Promise<void> {
  await transaction.query(
    `UPDATE event_names AS known SET events = counted.events, first_seen = counted.first, last_seen = counted.last
      FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[]) AS counted(agent_id, event_name, events, first, last)
      WHERE known.tenant_id = $1 AND known.agent_id = counted.agent_id AND known.event_name = counted.event_name`,
    [tenantId, ...[0, 1, 2, 3, 4].map((column) => counts.map((row) => row[column]))],
  );
  for (const table of ['event_names', 'event_properties']) {
    await transaction.query(
      `DELETE FROM ${table} AS known WHERE tenant_id = $1 AND NOT EXISTS
        (SELECT FROM unnest($2::text[], $3::text[]) AS counted(agent_id, event_name)
          WHERE known.agent_id = counted.agent_id AND known.event_name = counted.event_name)`,
      [tenantId, counts.map(([agentId]) => agentId), counts.map(([, eventName]) => eventName)],
    );
  }
}
