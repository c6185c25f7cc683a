import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { HandState, QueueAssessor, QueueStore, Released } from '../../../../core/agents/queues/store.ts';
import type { StateDatabase, StateTransaction } from '../database.ts';
import { dialectOf } from '../dialect.ts';

/* Whoever hands out an item, or takes one back, has the lock of its queue. */

interface Lease {
  now: number;
  until: number;
}

interface Item {
  number: number;
  queueId: string;
  doneCount: number;
  /** Done people that make it done. */
  assessors: number;
  holder: string | null;
  leaseUntil: number | null;
}

export function takeItem(
  database: StateDatabase,
  ...[queueId, by, lease, last = false]: Parameters<QueueStore['take']>
): ReturnType<QueueStore['take']> {
  return withLock(database, queueId, async (transaction) => {
    const found =
      (await heldBy(transaction, queueId, by, lease.now)) ?? (await oldest(transaction, queueId, by, lease));
    if (!found) return null;
    if (found.hasEnded === 1 && !last) {
      await noteChange(transaction, found.number);
      return 'lease ended';
    }
    await give(transaction, { ...found, queueId }, by, lease);
    return { executionId: found.id, leaseUntil: lease.until };
  });
}

export function settleItem(
  database: StateDatabase,
  ...[queueId, executionId, by, as, now]: Parameters<QueueStore['settle']>
): ReturnType<QueueStore['settle']> {
  return withLock(database, queueId, async (transaction) => {
    const item = await itemOf(transaction, queueId, executionId);
    if (!item) return 'unknown';
    const before = await handOf(transaction, item, by);
    if (before === null) return 'never held';
    await putHand(transaction, item, by, as, now);
    const doneCount = item.doneCount + Number(as === 'done') - Number(before === 'done');
    await change(transaction, item, doneCount, item.holder === by.id ? null : item);
    return 'settled';
  });
}

export function releaseItem(
  database: StateDatabase,
  ...[queueId, executionId, by, lease]: Parameters<QueueStore['release']>
): Promise<Released> {
  return withLock(database, queueId, async (transaction) => {
    const item = await itemOf(transaction, queueId, executionId);
    if (!item) return 'unknown';
    const before = await handOf(transaction, item, by);
    if (before === null) return 'never held';
    if (before === 'taken') {
      await noteChange(transaction, item.number);
      await sql`DELETE FROM queue_hands
        WHERE number = ${item.number} AND queue_id = ${queueId} AND assessor = ${by.id}`.execute(transaction);
      await change(transaction, item, item.doneCount, item.holder === by.id ? null : item);
      return 'released';
    }
    if (item.holder !== null && item.holder !== by.id && item.leaseUntil! > lease.now) return 'held by another';
    await change(transaction, item, item.doneCount - Number(before === 'done'), null);
    await give(transaction, item, by, lease);
    return { executionId, leaseUntil: lease.until };
  });
}

function withLock<Result>(
  database: StateDatabase,
  id: string,
  work: (transaction: StateTransaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    await dialectOf(transaction).lock(transaction, { table: 'queues', id });
    return work(transaction);
  });
}

/**
 * Lets queues check the execution again. Call it before the items change: an erasure locks the
 * execution first and its items after it.
 */
async function noteChange(transaction: StateTransaction, number: number): Promise<void> {
  await sql`INSERT INTO queue_changes (number, tenant_id, mark)
    SELECT number, tenant_id, ${randomInt(2 ** 47)} FROM executions WHERE number = ${number}
    ON CONFLICT (number) DO UPDATE SET mark = excluded.mark`.execute(transaction);
}

interface Found {
  number: number;
  id: string;
  /** The lease of the one who had it has ended. */
  hasEnded: 0 | 1;
}

/** The item that they took last. */
async function heldBy(transaction: StateTransaction, queueId: string, by: QueueAssessor, now: number) {
  const { rows } = await sql<Found>`SELECT items.number, executions.id, 0 AS "hasEnded" FROM queue_items AS items
    JOIN executions ON executions.number = items.number
    WHERE items.queue_id = ${queueId} AND holder = ${by.id} AND lease_until > ${now} AND is_open = 1
    ORDER BY lease_until DESC, items.number LIMIT 1`.execute(transaction);
  return rows[0];
}

async function oldest(transaction: StateTransaction, queueId: string, by: QueueAssessor, { now }: Lease) {
  const { rows } = await sql<Found>`SELECT items.number, executions.id,
      CASE WHEN holder IS NULL THEN 0 ELSE 1 END AS "hasEnded"
    FROM (
      SELECT number, holder FROM queue_items AS open
      WHERE queue_id = ${queueId} AND is_open = 1 AND (holder IS NULL OR lease_until <= ${now})
        AND NOT EXISTS (SELECT 1 FROM queue_hands AS hands WHERE hands.number = open.number
          AND hands.queue_id = ${queueId} AND hands.assessor = ${by.id} AND hands.state IN ('done', 'skipped'))
      ORDER BY at, number LIMIT 1) AS items
    JOIN executions ON executions.number = items.number`.execute(transaction);
  return rows[0];
}

async function itemOf(transaction: StateTransaction, queueId: string, executionId: string): Promise<Item | undefined> {
  const { rows } = await sql<Item>`SELECT items.number, items.queue_id AS "queueId", done_count AS "doneCount",
      queues.assessors, holder, lease_until AS "leaseUntil"
    FROM queues
    JOIN executions ON executions.tenant_id = queues.tenant_id AND executions.id = ${executionId}
    JOIN queue_items AS items ON items.number = executions.number AND items.queue_id = queues.id
    WHERE queues.id = ${queueId}`.execute(transaction);
  return rows[0];
}

async function handOf(
  transaction: StateTransaction,
  { number, queueId }: Item,
  by: QueueAssessor,
): Promise<HandState | null> {
  const row = await transaction
    .selectFrom('queue_hands')
    .select('state')
    .where('number', '=', number)
    .where('queue_id', '=', queueId)
    .where('assessor', '=', by.id)
    .executeTakeFirst();
  return row?.state ?? null;
}

async function give(
  transaction: StateTransaction,
  item: Pick<Item, 'number' | 'queueId'>,
  by: QueueAssessor,
  { now, until }: Lease,
): Promise<void> {
  await sql`UPDATE queue_items SET holder = ${by.id}, lease_until = ${until}
    WHERE number = ${item.number} AND queue_id = ${item.queueId}`.execute(transaction);
  await putHand(transaction, item, by, 'taken', now);
}

async function putHand(
  transaction: StateTransaction,
  { number, queueId }: Pick<Item, 'number' | 'queueId'>,
  { id, label }: QueueAssessor,
  state: HandState,
  now: number,
): Promise<void> {
  await sql`INSERT INTO queue_hands (number, queue_id, assessor, label, state, updated_at)
    VALUES (${number}, ${queueId}, ${id}, ${label}, ${state}, ${now})
    ON CONFLICT (number, queue_id, assessor) DO UPDATE
    SET label = excluded.label, state = excluded.state, updated_at = excluded.updated_at`.execute(transaction);
}

async function change(
  transaction: StateTransaction,
  { number, queueId, assessors }: Item,
  doneCount: number,
  held: Pick<Item, 'holder' | 'leaseUntil'> | null,
): Promise<void> {
  await transaction
    .updateTable('queue_items')
    .set({
      done_count: doneCount,
      is_open: doneCount < assessors ? 1 : 0,
      holder: held?.holder ?? null,
      lease_until: held?.leaseUntil ?? null,
    })
    .where('number', '=', number)
    .where('queue_id', '=', queueId)
    .execute();
}
