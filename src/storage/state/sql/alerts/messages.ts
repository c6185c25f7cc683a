import { sql } from 'kysely';
import type { NewDelivery } from '../../../../core/watch/deliveries/store.ts';
import type { StateDatabase, StateTransaction } from '../database.ts';

/**
 * Characters of a row. SQLite writes on the main thread: a row holds it up for a few milliseconds.
 */
const PART = 512 * 1024;

/** By body: the id of the message, which is that of its first delivery. */
export function messageIds(deliveries: readonly NewDelivery[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { id, body } of deliveries) if (!ids.has(body)) ids.set(body, id);
  return ids;
}

type NewMessage = Pick<NewDelivery, 'body' | 'createdAt'> & { tenantId: string; id: string };

/**
 * Stores messages of more than one part, each part in a commit of its own, and then does the work
 * that adds the deliveries. Where it adds none, which it says with a result other than `added`, the
 * messages go again.
 */
export async function withMessages<Result>(
  database: StateDatabase,
  { tenantId, deliveries, added }: { tenantId: string; deliveries: readonly NewDelivery[]; added: Result },
  work: () => Promise<Result>,
): Promise<Result> {
  const large = [...messageIds(deliveries)].filter(([body]) => body.length > PART);
  const ids = large.map(([, id]) => id);
  const createdAt = deliveries[0]?.createdAt ?? 0;
  let result: Result | undefined;
  try {
    for (const [body, id] of large) {
      const parts = partsOf({ id, tenantId, body, createdAt });
      for (const part of parts) await database.transaction().execute((transaction) => insertPart(transaction, part));
    }
    result = await work();
    return result;
  } finally {
    if (result !== added && ids.length > 0)
      await database.transaction().execute((transaction) => removeUnneeded(transaction, ids));
  }
}

/** Stores the messages of one part; `withMessages` has stored the others. */
export async function insertMessages(
  transaction: StateTransaction,
  tenantId: string,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const createdAt = deliveries[0]?.createdAt ?? 0;
  for (const [body, id] of messageIds(deliveries)) {
    if (body.length > PART) continue;
    for (const part of partsOf({ id, tenantId, body, createdAt })) await insertPart(transaction, part);
  }
}

/** By id. */
export async function bodiesOf(transaction: StateTransaction, ids: readonly string[]): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  for (const id of new Set(ids)) {
    const rows = await transaction
      .selectFrom('delivery_messages')
      .select('body')
      .where('id', '=', id)
      .orderBy('part')
      .execute();
    bodies.set(id, rows.map(({ body }) => body).join(''));
  }
  return bodies;
}

/** Messages that no delivery waits with. */
export async function removeUnneeded(transaction: StateTransaction, ids: readonly string[]): Promise<void> {
  await transaction.deleteFrom('delivery_messages').where('id', 'in', ids).where(isUnneeded).execute();
}

/** Removes what a crash left, or two processes that ended the last deliveries at once. */
export async function pruneMessages(database: StateDatabase, before: number): Promise<void> {
  await database.deleteFrom('delivery_messages').where('created_at', '<', before).where(isUnneeded).execute();
}

const isUnneeded = () => sql<boolean>`NOT EXISTS (
  SELECT 1 FROM deliveries WHERE message_id = delivery_messages.id AND state = 'waiting')`;

function* partsOf({ id, tenantId, body, createdAt }: NewMessage) {
  for (let start = 0, part = 0; start < body.length; part += 1) {
    const end = endOfPart(body, start + PART);
    const text = body.slice(start, end);
    const bytes = Buffer.byteLength(text);
    yield { id, part, tenant_id: tenantId, bytes, created_at: createdAt, body: text };
    start = end;
  }
}

/** Not within a surrogate pair. */
function endOfPart(body: string, end: number): number {
  const last = body.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

async function insertPart(
  transaction: StateTransaction,
  part: ReturnType<typeof partsOf> extends Generator<infer Part> ? Part : never,
): Promise<void> {
  const insert = transaction.insertInto('delivery_messages').values(part);
  await insert.onConflict((conflict) => conflict.columns(['id', 'part']).doNothing()).execute();
}
