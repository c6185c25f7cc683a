import { queryOptions } from '@tanstack/react-query';
import type { paths } from '../../../../clients/typescript/api.d.ts';
import { allOf } from '../../api/all-pages.ts';
import { answerOf, client } from '../../api/client.ts';
import type { Schemas } from '../../api/schemas.ts';
import { invalidate } from '../../api/session.ts';
import { EXECUTION, EXECUTIONS } from '../executions/executions.ts';

const OBSERVABILITY = '/api/v1/runtime/v1/observability';
export const QUEUES = `${OBSERVABILITY}/queues` as const;
export const QUEUE = `${QUEUES}/{name}` as const;
export const NEXT = `${QUEUE}/next` as const;
const ITEM = `${QUEUE}/items/{executionId}` as const;
export const RUBRICS = `${OBSERVABILITY}/rubrics` as const;
export const RUBRIC = `${RUBRICS}/{name}` as const;
export const REVIEWS = `${OBSERVABILITY}/reviews` as const;
export const REVIEW = `${REVIEWS}/{reviewId}` as const;
export const REVIEWS_OF_ONE = `${EXECUTION}/reviews` as const;
export const ASSESSMENTS = `${EXECUTION}/assessments` as const;

export type Queue = Schemas['Queue'];
export type QueueRow = Schemas['QueueRow'];
export type Rubric = Schemas['Rubric'];
export type Review = Schemas['Review'];
export type Assessment = Schemas['Assessment'];
export type ReviewsQuery = NonNullable<paths[typeof REVIEWS]['get']['parameters']['query']>;

/** Counts of a queue, and what the asking person holds of it. */
export type Handed = Schemas['HandedItem'];

/** A person's step on an item. */
export type Step = 'done' | 'skip' | 'release';

export function stepOn(name: string, executionId: string, step: Step): Promise<Handed> {
  const path = `${ITEM}/${step}` as const;
  return answerOf(client.POST(path, { params: { path: { name, executionId } } }));
}

/** The review of an execution; null without one. */
export async function reviewOf(executionId: string): Promise<Review | null> {
  const { review } = await answerOf(client.GET(`${REVIEWS_OF_ONE}/exists`, { params: { path: { executionId } } }));
  return review === null ? null : readReview(review.id);
}

export function readReview(reviewId: string): Promise<Review> {
  return answerOf(client.GET(REVIEW, { params: { path: { reviewId } } }));
}

/** All assessments of an execution, oldest first. */
export function assessmentsOf(executionId: string): Promise<Assessment[]> {
  return allOf(async (query) => {
    const { assessments, nextCursor } = await answerOf(
      client.GET(ASSESSMENTS, { params: { path: { executionId }, query } }),
    );
    return { rows: assessments, nextCursor };
  });
}

/** The newest version of each rubric, by name. */
export const rubricsQuery = queryOptions({
  queryKey: ['rubrics', RUBRICS],
  queryFn: () =>
    allOf(async (query) => {
      const { rubrics, nextCursor } = await answerOf(client.GET(RUBRICS, { params: { query } }));
      return { rows: rubrics, nextCursor };
    }),
});

/** Reviews, assessments, rubrics and queues are read anew, wherever they are shown. */
export function invalidateReviews(): Promise<void> {
  return invalidate((path) => path === EXECUTIONS || /\/(reviews|queues|assessments|threads|rubrics)\b/.test(path));
}
