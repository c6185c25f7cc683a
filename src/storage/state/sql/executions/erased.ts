import { type RawBuilder, sql } from 'kysely';
import type { ErasedConversations } from '../../../../core/agents/executions/store.ts';
import type { StateDatabase } from '../database.ts';
import { dialectOf } from '../dialect.ts';

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
