import { hash } from 'node:crypto';
import type { PostgresClient } from '../../../state/postgres/pool.ts';

const TENANT_BYTES = 8;
export const KEY_BYTES = 20;
const SLICE = 5_000;

/** Marks an event whose id the server made; it is never a duplicate. */
export const NO_KEY = Buffer.alloc(KEY_BYTES);
/** Marks a caller's id that an earlier event of the same statement has. */
export const REPEATED_KEY = Buffer.alloc(KEY_BYTES, 0xff);

/**
 * Idempotency keys: 64 bits of the tenant's hash, by which a whole tenant is forgotten, and 96 bits
 * of the id's.
 */
export function callerIdKey(tenantId: string, id: string): Buffer {
  return Buffer.concat([tenantPrefix(tenantId), hash('sha256', id, 'buffer').subarray(0, KEY_BYTES - TENANT_BYTES)]);
}

const prefixes = new Map<string, Buffer>();
const MAX_PREFIXES = 10_000;

function tenantPrefix(tenantId: string): Buffer {
  const known = prefixes.get(tenantId);
  if (known) return known;
  if (prefixes.size >= MAX_PREFIXES) prefixes.clear();
  const prefix = hash('sha256', tenantId, 'buffer').subarray(0, TENANT_BYTES);
  prefixes.set(tenantId, prefix);
  return prefix;
}

/** `keys`: one after another. */
export async function forgetKeys(client: PostgresClient, keys: Buffer): Promise<void> {
  await client.query(
    `DELETE FROM event_ids WHERE key IN
      (SELECT substring($1::bytea FROM at + 1 FOR ${KEY_BYTES}) FROM generate_series(0, octet_length($1::bytea) - 1, ${KEY_BYTES}) AS at)`,
    [keys],
  );
}

export async function forgetTenant(client: PostgresClient, tenantId: string): Promise<void> {
  const prefix = tenantPrefix(tenantId);
  await client.query('DELETE FROM event_ids WHERE key >= $1 AND key <= $2', [
    prefix,
    Buffer.concat([prefix, Buffer.alloc(KEY_BYTES - TENANT_BYTES, 0xff)]),
  ]);
}

/** Ids of events that are still in the spool keep their claim. */
export async function claimAgain(client: PostgresClient, keys: Buffer[]): Promise<void> {
  if (keys.length === 0) return;
  await client.query(
    `INSERT INTO event_ids (key, arrived_at)
      SELECT DISTINCT substring($1::bytea FROM at + 1 FOR ${KEY_BYTES}), extract(epoch FROM now())::int
      FROM generate_series(0, octet_length($1::bytea) - 1, ${KEY_BYTES}) AS at ORDER BY 1
      ON CONFLICT DO NOTHING`,
    [Buffer.concat(keys)],
  );
}

/**
 * Forgets some ids that are older than the window, and waits for none that an append claims.
 * Returns whether there are more.
 */
export async function forgetExpired(client: PostgresClient, windowMs: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `DELETE FROM event_ids WHERE key = ANY(ARRAY(SELECT key FROM event_ids
        WHERE arrived_at < extract(epoch FROM now())::bigint - $1::bigint ORDER BY arrived_at LIMIT ${SLICE} FOR UPDATE SKIP LOCKED))`,
    [Math.ceil(windowMs / 1_000)],
  );
  return rowCount === SLICE;
}
