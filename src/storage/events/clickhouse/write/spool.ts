import type { StoredEvent } from '../../../../core/analytics/events/store.ts';
import type { PostgresClient } from '../../../state/postgres/pool.ts';
import type { SpooledAppend } from '../../shared/append-queue.ts';
import { type PackedBatch, unpacked } from '../../shared/packed-batch.ts';
import { callerIdKey, KEY_BYTES, NO_KEY, REPEATED_KEY } from './caller-ids.ts';

export interface SpooledEvent {
  /** Its place in the batch, with those that are left out. */
  index: number;
  event: StoredEvent;
}

export interface SpooledBatch {
  position: number;
  tenantId: string;
  /** Epoch milliseconds. */
  arrivedAt: number;
  events: SpooledEvent[];
  /** The row's text if it is not a JSON array; there are no events then. */
  unreadable?: string;
  /** Bytes of JSON. */
  size: number;
}

/**
 * One statement claims the ids that are new and stores every batch as it came, with the indexes of
 * its duplicates. A claim of the same id elsewhere is waited for; the keys are sorted, so that two
 * statements never wait for each other.
 */
export async function appendBatches(
  client: PostgresClient,
  batches: PackedBatch[],
  windowMs: number,
): Promise<SpooledAppend[]> {
  const { keys, firsts } = keysOf(batches);
  const given = batches.map((batch, index) => {
    const at = 3 + index * 2;
    return `(${index}, $${at}::text, ${batch.count}, ${firsts[index]}, $${at + 1}::text)`;
  });
  const { rows } = await client.query<{ batch: number; position: number | null; left_out: number }>(
    `WITH ids AS MATERIALIZED (SELECT at, substring($1::bytea FROM at * ${KEY_BYTES} + 1 FOR ${KEY_BYTES}) AS key
        FROM generate_series(0, octet_length($1::bytea) / ${KEY_BYTES} - 1) AS at),
      claimed AS (INSERT INTO event_ids AS known (key, arrived_at) SELECT key, extract(epoch FROM now())::int FROM ids
        WHERE key <> '${hex(NO_KEY)}' AND key <> '${hex(REPEATED_KEY)}' ORDER BY key
        ON CONFLICT (key) DO UPDATE SET arrived_at = excluded.arrived_at
          WHERE known.arrived_at < extract(epoch FROM now())::bigint - $2::bigint
        RETURNING key),
      known AS MATERIALIZED (SELECT at FROM ids
        WHERE key <> '${hex(NO_KEY)}' AND NOT EXISTS (SELECT FROM claimed WHERE claimed.key = ids.key)),
      given (batch, tenant_id, count, first, events) AS (VALUES ${given.join(', ')}),
      batches AS (SELECT given.*, ARRAY(SELECT at - first FROM known WHERE at >= first AND at < first + count) AS left_out FROM given),
      stored AS (INSERT INTO event_spool (tenant_id, arrived_at, size, left_out, events)
        SELECT tenant_id, ${SPOOL_NOW_MS}, octet_length(events), left_out, events FROM batches
        WHERE cardinality(left_out) < count ORDER BY batch RETURNING position)
      SELECT batch, cardinality(left_out) AS left_out, (SELECT max(position) FROM stored) AS position FROM batches ORDER BY batch`,
    [keys, Math.floor(windowMs / 1_000), ...batches.flatMap(({ tenantId, text }) => [tenantId, text])],
  );
  // A batch of duplicates alone: the originals are committed, as the statement waited for them.
  const position = rows[0]?.position ?? (await lastPosition(client));
  return rows.map(({ left_out }) => ({ duplicates: left_out, position }));
}

export const SPOOL_NOW_MS = '(extract(epoch FROM now()) * 1000)::bigint';

/**
 * The keys of batches with callers' ids one after another, a key for each event, and where each
 * batch's begin.
 */
function keysOf(batches: PackedBatch[]): { keys: Buffer; firsts: number[] } {
  const keys: Buffer[] = [];
  const seen = new Set<string>();
  const firsts = batches.map(({ tenantId, callerIds }) => {
    if (callerIds === null) return NOWHERE;
    const first = keys.length;
    for (const id of callerIds) {
      const key = id === null ? NO_KEY : callerIdKey(tenantId, id);
      const name = key.toString('latin1');
      keys.push(id !== null && seen.has(name) ? REPEATED_KEY : key);
      seen.add(name);
    }
    return first;
  });
  return { keys: Buffer.concat(keys), firsts };
}

/** The place of keys in a batch without keys: beyond every place. */
const NOWHERE = 1_000_000_000;

function hex(key: Buffer): string {
  return `\\x${key.toString('hex')}`;
}

/** The position of the newest batch that is not visible yet, 0 if all are. */
export async function lastPosition(client: PostgresClient): Promise<number> {
  const { rows } = await client.query<{ position: number }>(
    'SELECT coalesce(max(position), 0) AS position FROM event_spool',
  );
  return rows[0]!.position;
}

/** The position of the oldest batch that is not visible; beyond all positions if there is none. */
export async function firstPosition(client: PostgresClient): Promise<number> {
  const { rows } = await client.query<{ first: number | null }>('SELECT min(position) AS first FROM event_spool');
  return rows[0]!.first ?? Number.POSITIVE_INFINITY;
}

interface SpoolRow {
  position: number;
  tenant_id: string;
  arrived_at: number;
  size: number;
  left_out: number[];
  events: string;
}

const ROW = 'position, tenant_id, arrived_at, size, left_out, events';
const MAX_BATCHES = 2_000;

/**
 * The oldest, until they have `bytes` or more. Rows that commit late with an earlier position come
 * with a later call.
 */
export async function readOldest(client: PostgresClient, bytes: number): Promise<SpooledBatch[]> {
  const { rows } = await client.query<SpoolRow>(
    `SELECT ${ROW} FROM event_spool WHERE position IN (SELECT position FROM
        (SELECT position, sum(size) OVER (ORDER BY position) - size AS before FROM
          (SELECT position, size FROM event_spool ORDER BY position LIMIT ${MAX_BATCHES}) AS oldest) AS sized
        WHERE before < $1)
      ORDER BY position`,
    [bytes],
  );
  return rows.map(batchOf);
}

export async function readBatches(client: PostgresClient, positions: number[]): Promise<SpooledBatch[]> {
  const { rows } = await client.query<SpoolRow>(
    `SELECT ${ROW} FROM event_spool WHERE position = ANY($1::bigint[]) ORDER BY position`,
    [positions],
  );
  return rows.map(batchOf);
}

/** The batches of one tenant, whatever their position. */
export async function readTenant(client: PostgresClient, tenantId: string): Promise<SpooledBatch[]> {
  const { rows } = await client.query<SpoolRow>(`SELECT ${ROW} FROM event_spool WHERE tenant_id = $1`, [tenantId]);
  return rows.map(batchOf);
}

export async function leaveOut(client: PostgresClient, position: number, indexes: number[]): Promise<void> {
  await client.query('UPDATE event_spool SET left_out = left_out || $2::int[] WHERE position = $1', [
    position,
    indexes,
  ]);
}

function batchOf(row: SpoolRow): SpooledBatch {
  const { position, tenant_id: tenantId, arrived_at: arrivedAt, size, left_out, events } = row;
  const { events: all, ...unreadable } = unpacked(events);
  const leftOut = new Set(left_out);
  const kept = all.map((event, index) => ({ index, event })).filter(({ index }) => !leftOut.has(index));
  return { position, tenantId, arrivedAt, size, events: kept, ...unreadable };
}
