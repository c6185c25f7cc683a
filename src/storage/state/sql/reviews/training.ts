import { type RawBuilder, sql } from 'kysely';
import type {
  ReviewedExecution,
  ReviewFilter,
  TrainingCount,
  TrainingKind,
} from '../../../../core/agents/reviews/store.ts';
import type { StateReader } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { unpackedContent } from '../executions/body.ts';
import { matchesNothing, matchingReviews, reviewsOf } from './lists.ts';

/** Reviews and characters per page: they bound the memory of an export. */
const PAGE_REVIEWS = 200;
const PAGE_CHARACTERS = 4 * 1024 * 1024;

export async function countForTraining(
  reader: StateReader,
  tenantId: string,
  filter: ReviewFilter,
): Promise<TrainingCount[]> {
  if (matchesNothing(filter)) return [];
  const { number, from } = matchingReviews(reader, tenantId, filter);
  const counts = sql<Omit<TrainingCount, 'wasCorrected'> & { wasCorrected: number }>`
    SELECT rating, corrected_output IS NOT NULL AS "wasCorrected", shape, count(*) AS reviews
    FROM (SELECT ${number} AS number FROM ${from}) AS matching ${reviewsOf(reader, sql.ref('matching.number'), tenantId)}
    LEFT JOIN executions ON executions.tenant_id = reviews.tenant_id AND executions.id = reviews.execution_id
    GROUP BY 1, 2, 3`;
  const { rows } = await counts.execute(reader);
  return rows.map((row) => ({ ...row, wasCorrected: row.wasCorrected === 1 }));
}

interface TrainingRow extends Omit<ReviewedExecution, 'content'> {
  body: Uint8Array | null;
}

/** Reads as many as fit, but at least one. */
export async function readForTraining(
  reader: StateReader,
  tenantId: string,
  { filter, after, kinds }: { filter: ReviewFilter; after: number; kinds?: readonly TrainingKind[] | undefined },
): Promise<ReviewedExecution[]> {
  if (matchesNothing(filter)) return [];
  const { number, from } = matchingReviews(reader, tenantId, filter);
  const page = sql<TrainingRow>`
    WITH measured AS (
      SELECT matching.number, coalesce(content_length, 0) + coalesce(length(corrected_output), 0) AS length
      FROM (SELECT ${number} AS number FROM ${from} AND ${number} > ${after} ORDER BY ${number}) AS matching
      ${reviewsOf(reader, sql.ref('matching.number'), tenantId)}
      LEFT JOIN executions ON executions.tenant_id = reviews.tenant_id AND executions.id = reviews.execution_id
      ${kinds === undefined ? sql`` : sql`WHERE ${isOneOf(reader, kinds)}`}
      ORDER BY matching.number LIMIT ${PAGE_REVIEWS}),
    placed AS (SELECT number, sum(length) OVER (ORDER BY number) - length AS before FROM measured)
    SELECT placed.number, reviews.id, reviews.execution_id AS "executionId", rating, corrected_output AS "correctedOutput", body
    FROM placed ${reviewsOf(reader, sql.ref('placed.number'), tenantId)}
    LEFT JOIN executions ON executions.tenant_id = reviews.tenant_id AND executions.id = reviews.execution_id
    LEFT JOIN execution_bodies ON execution_bodies.number = executions.number
    WHERE before < ${PAGE_CHARACTERS} ORDER BY placed.number`;
  const { rows } = await page.execute(reader);
  return Promise.all(
    rows.map(async ({ body, ...review }) => ({ ...review, content: body && (await unpackedContent(body)) })),
  );
}

/** One bound value: one statement for any number of kinds. */
function isOneOf(reader: StateReader, kinds: readonly TrainingKind[]): RawBuilder<boolean> {
  const keys = kinds.map(({ rating, wasCorrected, shape }) => `${rating} ${wasCorrected ? 1 : 0} ${shape ?? ''}`);
  return sql`rating || ' ' || CASE WHEN corrected_output IS NULL THEN '0' ELSE '1' END || ' ' || coalesce(shape, '')
    IN (SELECT value FROM ${dialectOf(reader).texts(keys)} AS given)`;
}
