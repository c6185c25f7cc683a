import { type RawBuilder, sql } from 'kysely';
import type { ExecutionPlace, ListedThread, ThreadFilter } from '../../../../core/agents/executions/store.ts';
import { dialectOf } from '../dialect.ts';
import { countUpTo, type Question, rowsOf } from './list.ts';

/*
 * A thread stands where its newest execution that fits stands in the index by time, so that a page
 * reads its own threads and passes over older executions of these: nothing is grouped before.
 */

interface Row {
  thread: string;
  at: number;
  number: number;
  executions: number;
  cost: number | null;
  user: string | null;
  first: number;
  last: number;
}

export async function listThreads(
  question: Question<ThreadFilter>,
  { after, limit }: { after: ExecutionPlace | null; limit: number },
): Promise<ListedThread[]> {
  const { reader, tenantId } = question;
  const following = after ? sql`AND (executions.at, executions.number) < (${after[0]}, ${after[1]})` : sql``;
  const { rows } = await sql<Row>`
    SELECT page.*, count(*) AS executions, sum(one.cost) AS cost, min(one.at) AS first, max(one.at) AS last,
      (SELECT user_id FROM executions AS named
        WHERE named.tenant_id = ${tenantId} AND named.thread_id = page.thread AND named.user_id IS NOT NULL
        ORDER BY named.at DESC, named.number DESC LIMIT 1) AS "user"
    FROM (SELECT executions.thread_id AS thread, executions.at, executions.number
      FROM ${await newestOfThreads(question)} ${following}
      ORDER BY executions.at DESC, executions.number DESC LIMIT ${limit}) AS page
    ${dialectOf(reader).join} executions AS one ON one.tenant_id = ${tenantId} AND one.thread_id = page.thread
    GROUP BY page.thread, page.at, page.number
    ORDER BY page.at DESC, page.number DESC`.execute(reader);
  return rows.map(({ thread: threadId, user: userId, first: firstAt, last: lastAt, at, number, executions, cost }) => ({
    ...{ threadId, userId, executions, cost, firstAt, lastAt },
    place: [at, number],
  }));
}

export async function countThreads(question: Question<ThreadFilter>, most: number): Promise<number> {
  return countUpTo(question.reader, most, await newestOfThreads(question));
}

/** For FROM: of each thread the newest execution that fits. More conditions can follow with AND. */
async function newestOfThreads(question: Question<ThreadFilter>): Promise<RawBuilder<unknown>> {
  const { reader, tenantId, filter } = question;
  const { agentId, userId, to = null } = filter;
  const { filtered } = dialectOf(reader);
  const fits = [
    ...(agentId === undefined ? [] : [sql`AND newest.agent_id = ${agentId}`]),
    ...(userId === undefined ? [] : [sql`AND newest.user_id = ${userId}`]),
    ...(to === null ? [] : [sql`AND newest.at < ${to}`]),
  ];
  return sql`${await rowsOf(question)} AND ${filtered('executions.thread_id')} IS NOT NULL
    AND executions.number = (SELECT newest.number FROM executions AS newest
      WHERE newest.tenant_id = ${tenantId} AND newest.thread_id = executions.thread_id ${sql.join(fits, sql` `)}
      ORDER BY newest.at DESC, newest.number DESC LIMIT 1)`;
}
