import type { DashboardService } from '../../analytics/dashboards/service.ts';
import type { QueryOptions } from '../../analytics/events/questions/ask.ts';
import type { KpiQuestion } from '../../analytics/events/questions/kpi-question.ts';
import type { AggregateEvents } from '../../analytics/events/schema.ts';
import type { EventService } from '../../analytics/events/service.ts';
import type { Caller } from '../../base/shared/caller.ts';
import { invalid, RuntimeError } from '../../base/shared/errors.ts';
import { type AlertBucket, judge, type Verdict } from './conditions.ts';
import { measureBuckets } from './measure-buckets.ts';
import type { AlertDefinition, Asked } from './store.ts';

export interface EvaluateParts {
  events: Pick<EventService, 'measure'>;
  dashboards: Pick<DashboardService, 'questionOf'>;
}

export interface Evaluated {
  verdict: Verdict;
  /** What was measured. */
  question: KpiQuestion;
  /** The handle of the events behind the value; null: there is none. */
  cases: string | null;
  unit: AlertBucket;
}

type Evaluation = QueryOptions & { now: number; isAlerting: boolean };

/**
 * Asks the alert's question, and judges the answer. Throws what the question throws, with paths of
 * the alert.
 */
export async function evaluate(
  { events, dashboards }: EvaluateParts,
  caller: Caller,
  { asked, condition, timezone }: Pick<AlertDefinition, 'asked' | 'condition' | 'timezone'>,
  { now, isAlerting, ...options }: Evaluation,
): Promise<Evaluated> {
  try {
    const { unit, ...input } = await inputOf(asked, caller, dashboards);
    if (condition.type === 'anomaly' && unit === 'month') {
      throw new RuntimeError(
        'invalid',
        'condition.type: anomaly needs hours, days or weeks; choose another dateGrouping',
      );
    }
    const { question, cases, ...checked } = await measureBuckets({ condition, unit, timezone, now }, (range) =>
      events.measure(caller, { ...input, ...range }, options),
    );
    const verdict = judge(condition, checked, { isAlerting, unit });
    return { verdict, question, cases, unit };
  } catch (error) {
    if (!('question' in asked) || !(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
    throw invalid(...error.messages.map(inQuestion));
  }
}

function inQuestion(message: string): string {
  return /^(timezone|condition)\b/.test(message) ? message : `question.${message}`;
}

async function inputOf(
  asked: Asked,
  caller: Caller,
  dashboards: Pick<DashboardService, 'questionOf'>,
): Promise<AggregateEvents & { unit: AlertBucket }> {
  if ('metric' in asked) return { metric: asked.metric, unit: 'day' };
  if ('question' in asked) {
    const { dateGrouping: unit, ...input } = asked.question;
    return { ...input, unit };
  }
  const {
    dateFrom: _from,
    dateTo: _to,
    compareTo: _compare,
    dateGrouping,
    group_by,
    limit: _limit,
    ...input
  } = await dashboards.questionOf(caller, asked.cardId);
  if (group_by !== undefined) throw invalid('cardId: this card shows groups; an alert needs one number or one line');
  return {
    ...input,
    unit: dateGrouping === undefined || dateGrouping === 'quarter' || dateGrouping === 'year' ? 'day' : dateGrouping,
  };
}
