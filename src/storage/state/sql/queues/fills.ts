import { type RawBuilder, sql } from 'kysely';
import type { ExecutionPlace } from '../../../../core/agents/executions/store.ts';
import type {
  Candidate,
  ChangedExecution,
  QueueProgress,
  QueueState,
  SeenExecutions,
} from '../../../../core/agents/queues/store.ts';
import type { StateDatabase, StateReader } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { conditionsOf, type Question, rowsOf } from '../executions/list.ts';
import { untouched } from './untouched.ts';

const CANDIDATE = sql`executions.number, executions.id, executions.thread_id AS "threadId", executions.at,
  coalesce(executions.completed_at, executions.at) AS "endedAt"`;

export async function changes(database: StateDatabase, tenantId: string, limit: number): Promise<ChangedExecution[]> {
  return database
    .selectFrom('queue_changes')
    .select(['number', 'mark'])
    .where('tenant_id', '=', tenantId)
    .orderBy('number')
    .limit(limit)
    .execute();
}

/** Rows that somebody is changing are left. */
export async function changesSeen(
  database: StateDatabase,
  tenantId: string,
  seen: readonly ChangedExecution[],
): Promise<void> {
  const { texts, skipLocked } = dialectOf(database);
  const given = seen.map(({ number, mark }) => `${number} ${mark}`);
  await sql`DELETE FROM queue_changes WHERE number IN (
    SELECT number FROM queue_changes WHERE tenant_id = ${tenantId}
      AND number IN (${numbersIn(
        database,
        seen.map(({ number }) => number),
      )})
      AND number || ' ' || mark IN (SELECT value FROM ${texts(given)} AS given)
    ${skipLocked})`.execute(database);
}

export async function matchingCandidates(question: Question, numbers: readonly number[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`SELECT ${CANDIDATE} FROM executions
    WHERE executions.number IN (${numbersIn(question.reader, numbers)}) AND ${conditionsOf(question)}
    ORDER BY executions.number`.execute(question.reader);
  return rows;
}

export async function candidates(
  question: Question,
  after: ExecutionPlace | null,
  limit: number,
): Promise<Candidate[]> {
  const following = after ? sql`AND (executions.at, executions.number) > (${after[0]}, ${after[1]})` : sql``;
  const { rows } = await sql<Candidate>`SELECT ${CANDIDATE} FROM ${await rowsOf(question)} ${following}
    ORDER BY executions.at, executions.number LIMIT ${limit}`.execute(question.reader);
  return rows;
}

export async function numbersOf(
  reader: StateReader,
  tenantId: string,
  threadIds: readonly string[],
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`SELECT number FROM executions
    WHERE tenant_id = ${tenantId} AND thread_id IN (SELECT value FROM ${dialectOf(reader).texts(threadIds)} AS given)
      AND number > ${after} ORDER BY number LIMIT ${limit}`.execute(reader);
  return rows.map(({ number }) => number);
}

export function enter(
  database: StateDatabase,
  { queue: { id }, revision }: Pick<QueueState, 'queue' | 'revision'>,
  numbers: readonly number[],
  progress: QueueProgress,
  seen: SeenExecutions = { numbers: [], now: 0 },
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await dialectOf(transaction).lock(transaction, { table: 'queues', id });
    const isSame = await transaction
      .selectFrom('queues')
      .select('id')
      .where('id', '=', id)
      .where('revision', '=', revision)
      .executeTakeFirst();
    if (!isSame) return;
    const entered = new Set(numbers);
    const others = seen.numbers.filter((number) => !entered.has(number));
    if (numbers.length > 0) {
      await sql`INSERT INTO queue_items (number, queue_id, at, is_open, done_count)
        SELECT number, ${id}, at, 1, 0 FROM executions WHERE number IN (${numbersIn(transaction, numbers)})
        ORDER BY number ON CONFLICT (number, queue_id) DO NOTHING`.execute(transaction);
    }
    if (others.length > 0) {
      await sql`DELETE FROM queue_items WHERE queue_id = ${id} AND number IN (${numbersIn(transaction, others)})
        AND ${untouched(seen.now)}`.execute(transaction);
    }
    if (seen.numbers.length > 0) {
      await sql`UPDATE queue_items SET holder = NULL, lease_until = NULL WHERE queue_id = ${id}
        AND number IN (${numbersIn(transaction, seen.numbers)}) AND lease_until <= ${seen.now}`.execute(transaction);
    }
    const { place, isWalked, outcomesFrom } = progress;
    const columns = {
      ...(place === undefined ? {} : { place: place && JSON.stringify(place) }),
      ...(isWalked === undefined ? {} : { is_walked: Number(isWalked) }),
      ...(outcomesFrom === undefined ? {} : { outcomes_from: outcomesFrom }),
    };
    if (Object.keys(columns).length === 0) return;
    await transaction.updateTable('queues').set(columns).where('id', '=', id).execute();
  });
}

function numbersIn(database: StateReader, numbers: readonly number[]): RawBuilder<unknown> {
  return sql`SELECT CAST(value AS bigint) FROM ${dialectOf(database).texts(numbers.map(String))} AS given`;
}
