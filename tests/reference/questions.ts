import type { FeedQuestion, FunnelQuestion } from '../../src/core/analytics/events/questions/plan.ts';
import {
  type DefinedSegment,
  type KpiQuestion,
  kpiQuestion,
  type TableQuestion,
  type WithSegment,
} from '../../src/core/analytics/events/questions/question.ts';
import {
  aggregateEventsSchema,
  eventsQuerySchema,
  feedQuerySchema,
  funnelSchema,
} from '../../src/core/analytics/events/schema.ts';

/** An `aggregate_events` about raw events. */
export function rawQuestion(input: unknown): KpiQuestion {
  return kpiQuestion(defined(aggregateEventsSchema, input), null);
}

export function tableQuestion(input: unknown): TableQuestion {
  return defined(eventsQuerySchema, input) as TableQuestion;
}

export function funnelQuestion(input: unknown): FunnelQuestion {
  return defined(funnelSchema, input);
}

export function feedQuestion(input: unknown): FeedQuestion {
  return defined(feedQuerySchema, input);
}

function defined<Question extends { segment?: string | undefined }>(
  schema: { parse(input: unknown): Question },
  input: unknown,
): WithSegment<Question> {
  const { segment, ...asked } = input as { segment?: DefinedSegment };
  const { segment: _, ...question } = schema.parse(asked);
  return { ...question, ...(segment ? { segment } : {}) };
}
