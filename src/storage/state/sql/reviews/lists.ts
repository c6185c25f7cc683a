import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { JudgedExecution, ReviewFilter, StoredReview } from '../../../../core/agents/reviews/store.ts';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateReader } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { fromRow } from '../rows.ts';
import { conditionTerms } from './terms.ts';

export type ReviewRow = Selectable<StateTables['reviews']>;

export async function listReviews(
  reader: StateReader,
  tenantId: string,
  filter: ReviewFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<StoredReview>> {
  if (matchesNothing(filter)) return { items: [], total: 0 };
  const { number, from, isByDate } = matchingReviews(reader, tenantId, filter);
  const newest = (column: RawBuilder<number>) =>
    isByDate ? sql`reviews.created_at DESC, ${column} DESC` : sql`${column} DESC`;
  const page = sql<ReviewRow>`SELECT reviews.*
    FROM (SELECT ${number} AS number FROM ${from} ORDER BY ${newest(number)} LIMIT ${limit} OFFSET ${offset}) AS page
    ${reviewsOf(reader, sql.ref('page.number'), tenantId)}
    ORDER BY ${newest(sql.ref('reviews.number'))}`;
  const [{ rows }, total] = await Promise.all([page.execute(reader), count(reader, tenantId, filter)]);
  return { items: rows.map(toReview), total };
}

export async function reviewedExecutionIds(
  reader: StateReader,
  tenantId: string,
  filter: ReviewFilter,
  limit: number,
): Promise<string[]> {
  if (matchesNothing(filter)) return [];
  const { number, from } = matchingReviews(reader, tenantId, filter);
  const ids = sql<{ id: string }>`SELECT reviews.execution_id AS id
    FROM (SELECT ${number} AS number FROM ${from} LIMIT ${limit}) AS page ${reviewsOf(reader, sql.ref('page.number'), tenantId)}`;
  return (await ids.execute(reader)).rows.map(({ id }) => id);
}

export async function judgedExecutions(
  reader: StateReader,
  tenantId: string,
  filter: ReviewFilter,
  limit: number,
): Promise<JudgedExecution[]> {
  const { number, from } = matchingReviews(reader, tenantId, filter);
  const { rows } = await sql<JudgedExecution>`SELECT execution_id AS "executionId", rating, thread_id AS "threadId",
      coalesce(executions.at, reviews.created_at) AS at
    FROM (SELECT ${number} AS number FROM ${from} ORDER BY ${number} DESC LIMIT ${limit}) AS page
    ${reviewsOf(reader, sql.ref('page.number'), tenantId)}
    LEFT JOIN executions ON executions.tenant_id = reviews.tenant_id AND executions.id = reviews.execution_id`.execute(
    reader,
  );
  return rows;
}

/** A search without words. */
export function matchesNothing({ search, words }: ReviewFilter): boolean {
  return search?.length === 0 || words?.length === 0;
}

export interface Matching {
  /** Includes its conditions: more can follow with AND. */
  from: RawBuilder<unknown>;
  number: RawBuilder<number>;
  isByDate: boolean;
}

/** By the full-text index, or by the dates' index if only dates count. */
export function matchingReviews(reader: StateReader, tenantId: string, filter: ReviewFilter): Matching {
  const { from = null, to = null, ...terms } = filter;
  const dates = [
    ...(from === null ? [] : [sql`reviews.created_at >= ${from}`]),
    ...(to === null ? [] : [sql`reviews.created_at < ${to}`]),
  ];
  if (dates.length > 0 && Object.values(terms).every((value) => value === undefined)) {
    const conditions = sql.join([sql`reviews.tenant_id = ${tenantId}`, ...dates], sql` AND `);
    return { number: sql.ref<number>('reviews.number'), from: sql`reviews WHERE ${conditions}`, isByDate: true };
  }
  const joined = dates.length > 0 ? sql`JOIN reviews ON reviews.number = review_index.rowid` : sql``;
  const conditions = sql.join(
    [dialectOf(reader).terms.matches('review_index', conditionTerms(tenantId, filter)), ...dates],
    sql` AND `,
  );
  return {
    number: sql<number>`review_index.rowid`,
    from: sql`review_index ${joined} WHERE ${conditions}`,
    isByDate: false,
  };
}

/** The numbers are read first: not all reviews of the tenant. */
export function reviewsOf(reader: StateReader, number: RawBuilder<number>, tenantId: string): RawBuilder<unknown> {
  return sql`${dialectOf(reader).join} reviews ON reviews.number = ${number} AND reviews.tenant_id = ${tenantId}`;
}

async function count(reader: StateReader, tenantId: string, filter: ReviewFilter): Promise<number> {
  const { search, words, tags, from = null, to = null } = filter;
  if (!search && !words && !tags && from === null && to === null) return countOfKinds(reader, tenantId, filter);
  const counted = sql<{
    total: number;
  }>`SELECT count(*) AS total FROM ${matchingReviews(reader, tenantId, filter).from}`;
  return (await counted.execute(reader)).rows[0]?.total ?? 0;
}

async function countOfKinds(reader: StateReader, tenantId: string, filter: ReviewFilter): Promise<number> {
  let counts = reader
    .selectFrom('review_counts')
    .select((all) => all.fn.coalesce(all.fn.sum<number>('reviews'), sql.lit(0)).as('total'))
    .where('tenant_id', '=', tenantId);
  if (filter.agentId !== undefined) counts = counts.where('agent_id', '=', filter.agentId);
  if (filter.rating) counts = counts.where('rating', 'in', filter.rating);
  if (filter.status) counts = counts.where('status', 'in', filter.status);
  if (filter.priority) counts = counts.where('priority', 'in', filter.priority);
  return (await counts.executeTakeFirstOrThrow()).total;
}

export function toReview({ number: _, tenant_id: __, ...row }: ReviewRow): StoredReview {
  return { ...fromRow(row), tags: JSON.parse(row.tags) as string[] };
}
