import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { ErasedConversations } from '../../../../core/agents/executions/store.ts';
import type { StateDatabase } from '../database.ts';
import { dialectOf } from '../dialect.ts';

/** Reviews or assessments of a statement: other work runs in between. */
const AT_ONCE = 100;

interface Erased {
  /** A table of the ids that are given, with the column `value`. */
  given: RawBuilder<unknown>;
  /** Whether a row of `executions` is of the threads. */
  isOfThreads: RawBuilder<boolean>;
  /** Whether one of the given ids is erased; its row of `executions` may be missing. */
  isErased: RawBuilder<boolean>;
}

export function erasedOf(database: StateDatabase, { threadIds, executionIds, userId }: ErasedConversations): Erased {
  const { texts } = dialectOf(database);
  const given = texts(executionIds);
  const isOfThreads = sql<boolean>`executions.thread_id IN (SELECT value FROM ${texts(threadIds)} AS threads)`;
  if (userId === null) return { given, isOfThreads, isErased: sql`executions.thread_id IS NULL` };
  const isOwn = sql`executions.user_id = ${userId}`;
  return {
    given,
    isOfThreads: sql`${isOfThreads} AND (executions.user_id IS NULL OR ${isOwn})`,
    isErased: sql`(${isOwn} OR executions.user_id IS NULL AND executions.thread_id IS NULL)`,
  };
}

/** Keys of some reviews or assessments of what is erased, for IN. Null erases the whole tenant. */
export function someErased<Key>(
  database: StateDatabase,
  [table, column]: ['reviews', 'number'] | ['assessments', 'id'],
  tenantId: string,
  erased: ErasedConversations | null,
): RawBuilder<Key> {
  const about = sql.table(table);
  const key = sql.ref(`${table}.${column}`);
  if (!erased) return sql`(SELECT ${key} FROM ${about} WHERE tenant_id = ${tenantId} LIMIT ${AT_ONCE})`;
  const { given, isOfThreads, isErased } = erasedOf(database, erased);
  return sql`(
    SELECT ${key} FROM executions JOIN ${about} ON ${about}.tenant_id = executions.tenant_id AND execution_id = executions.id
    WHERE executions.tenant_id = ${tenantId} AND ${isOfThreads}
    UNION ALL
    SELECT ${key} FROM ${given} AS given JOIN ${about} ON ${about}.tenant_id = ${tenantId} AND execution_id = given.value
    LEFT JOIN executions ON executions.tenant_id = ${about}.tenant_id AND executions.id = execution_id
    WHERE ${isErased}
    LIMIT ${AT_ONCE})`;
}

/** Repeats a removal of some rows until none is left. Returns the number of all. */
export async function removeAll(removeSome: () => Promise<number>): Promise<number> {
  let all = 0;
  for (let removed = await removeSome(); removed > 0; removed = await removeSome()) {
    all += removed;
    await yieldToOthers();
  }
  return all;
}
