import { RATINGS } from '../../base/shared/review-fields.ts';
import type { Outcomes } from '../queues/outcomes.ts';
import type { ReviewOutcomes } from './schema.ts';
import type { JudgedExecution } from './store.ts';

/** The newest reviews are looked at, so many at most. */
export const MAX_JUDGED = 10_000;

/** Whether the event named each execution, or followed in its thread, counted by rating. */
export async function outcomesByRating(
  judged: readonly JudgedExecution[],
  last: (of: Parameters<Outcomes['last']>[2], from: number | null) => ReturnType<Outcomes['last']>,
): Promise<ReviewOutcomes['ratings']> {
  const inThreads = judged.filter(({ threadId }) => threadId !== null);
  const earliest = inThreads.reduce((before, { at }) => Math.min(before, at), Number.POSITIVE_INFINITY);
  const [named, followed] = await Promise.all([
    last({ field: 'executionId', values: judged.map(({ executionId }) => executionId) }, null),
    last({ field: 'threadId', values: inThreads.map(({ threadId }) => threadId!) }, earliest),
  ]);
  const isConverted = ({ executionId, threadId, at }: JudgedExecution) =>
    named.has(executionId) || (threadId !== null && (followed.get(threadId) ?? Number.NEGATIVE_INFINITY) >= at);
  return RATINGS.map((rating) => {
    const rated = judged.filter((one) => one.rating === rating);
    return { rating, reviews: rated.length, converted: rated.filter(isConverted).length };
  });
}
