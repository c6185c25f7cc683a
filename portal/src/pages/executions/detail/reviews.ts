import { queryOptions } from '@tanstack/react-query';
import { answerOf, client } from '../../../api/client.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { invalidate } from '../../../api/session.ts';
import { EXECUTION, EXECUTIONS } from '../executions.ts';

export const REVIEWS = `${EXECUTION}/reviews` as const;
export const REVIEW = '/api/v1/runtime/v1/observability/reviews/{reviewId}';

export type Review = Schemas['Review'];

/** The review of an execution; null without one. */
export function reviewQuery(executionId: string) {
  return queryOptions({
    queryKey: ['review', REVIEWS, executionId],
    queryFn: async ({ signal }): Promise<Review | null> => {
      const path = { executionId };
      const { review } = await answerOf(client.GET(`${REVIEWS}/exists`, { params: { path }, signal }));
      if (review === null) return null;
      return answerOf(client.GET(REVIEW, { params: { path: { reviewId: review.id } }, signal }));
    },
  });
}

/** What shows reviews is read anew. */
export function invalidateReviews(): Promise<void> {
  return invalidate((path) => path === EXECUTIONS || path.includes('/reviews') || path.includes('/threads'));
}
