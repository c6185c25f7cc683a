import { type KpiQuestion, kpiQuestion } from '../../src/core/events/questions/kpi-question.ts';
import { aggregateEventsSchema } from '../../src/core/events/schema.ts';

/** An `aggregate_events` about raw events, checked by its schema. */
export function rawQuestion(input: unknown): KpiQuestion {
  return kpiQuestion(aggregateEventsSchema.parse(input), null);
}
