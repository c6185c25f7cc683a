import type { ReviewStore } from '../../reviews/store.ts';
import { type Caller, requireScope } from '../../shared/caller.ts';
import { RuntimeError } from '../../shared/errors.ts';
import type { ReviewedSo } from '../schema.ts';

/** Some 10 MB of ids: more make a question take longer than it may. */
const MAX_EXECUTIONS = 250_000;

/** The executions that were reviewed so. Needs `reviews:read`; undefined when the question is not about reviews. */
export async function reviewedExecutions(
  store: ReviewStore,
  caller: Caller,
  review: ReviewedSo | undefined,
): Promise<string[] | undefined> {
  if (review === undefined) return undefined;
  requireScope(caller, 'reviews:read');
  const ids = await store.executionIds(caller.tenantId, review, MAX_EXECUTIONS + 1);
  if (ids.length <= MAX_EXECUTIONS) return ids;
  throw new RuntimeError(
    'unprocessable',
    `review: more than ${MAX_EXECUTIONS.toLocaleString('en')} executions are reviewed so; narrow it by status or tags.`,
  );
}
