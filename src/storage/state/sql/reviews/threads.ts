import { type RawBuilder, sql } from 'kysely';
import type { ReviewPlace, StoredReview } from '../../../../core/agents/reviews/store.ts';
import type { StateReader } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { countUpTo } from '../executions/list.ts';
import { type ReviewRow, toReview } from './lists.ts';

type Thread = [tenantId: string, threadId: string];

export async function reviewsOfThread(
  reader: StateReader,
  thread: Thread,
  { after, limit }: { after: ReviewPlace | null; limit: number },
): Promise<StoredReview[]> {
  const following = after ? sql`AND (reviews.created_at, reviews.id) > (${after[0]}, ${after[1]})` : sql``;
  const { rows } = await sql<ReviewRow>`SELECT reviews.* FROM ${ofThread(reader, thread)} ${following}
    ORDER BY reviews.created_at, reviews.id LIMIT ${limit}`.execute(reader);
  return rows.map(toReview);
}

export function countOfThread(reader: StateReader, thread: Thread, most: number): Promise<number> {
  return countUpTo(reader, most, ofThread(reader, thread));
}

/** For FROM; more conditions can follow with AND. */
function ofThread(reader: StateReader, [tenantId, threadId]: Thread): RawBuilder<unknown> {
  return sql`executions ${dialectOf(reader).join} reviews
    ON reviews.tenant_id = executions.tenant_id AND reviews.execution_id = executions.id
    WHERE executions.tenant_id = ${tenantId} AND executions.thread_id = ${threadId}`;
}
