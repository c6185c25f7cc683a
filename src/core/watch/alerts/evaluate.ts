import type { DashboardService } from '../../analytics/dashboards/service.ts';
import { bucketsBeforeAnomaly } from '../../analytics/events/changes/seasonal.ts';
import type { DateGrouping } from '../../analytics/events/fields.ts';
import type { QueryOptions } from '../../analytics/events/questions/ask.ts';
import type { KpiQuestion } from '../../analytics/events/questions/question.ts';
import type { EventService, Measured } from '../../analytics/events/service.ts';
import type { Caller } from '../../base/shared/caller.ts';
import { invalid, RuntimeError } from '../../base/shared/errors.ts';
import { formatUtc, LONGEST_BUCKET, startOfBucket } from '../../base/time/time.ts';
import { type AlertBucket, type Condition, judge, type MeasuredBuckets, type Verdict } from './conditions.ts';
import type { AlertDefinition, AlertSubject } from './store.ts';

export interface BucketRequest {
  condition: Condition;
  unit: AlertBucket;
  /** IANA name. */
  timezone: string;
  now: number;
}

/** The members of a question that say when. */
export interface BucketRange {
  dateFrom: string;
  dateTo: string;
  timezone: string;
  dateGrouping?: DateGrouping;
}

export interface BucketMeasurement extends MeasuredBuckets {
  /** The handle of the events of the last bucket; null: there is none. */
  cases: string | null;
}

/**
 * Asks for the last complete bucket, and for as many before it as the condition compares it with.
 */
export async function measureBuckets(
  { condition, unit, timezone, now }: BucketRequest,
  ask: (range: BucketRange) => Promise<Measured>,
): Promise<BucketMeasurement> {
  const before = bucketsBefore(condition, unit);
  const to = startOfBucket(now, unit, timezone).at;
  const { at, label } = startOfBucket(to - 1, unit, timezone);
  if (before === 0) {
    const { result, cases } = await ask({ dateFrom: formatUtc(at), dateTo: formatUtc(to), timezone });
    const points = [{ bucket: label, value: result.overall.value }];
    return { points, matched: result.matched, cases: cases(at, to) };
  }
  const from = startOfBucket(to - (1 + before) * LONGEST_BUCKET[unit], unit, timezone).at;
  const range = { dateFrom: formatUtc(from), dateTo: formatUtc(to), timezone, dateGrouping: unit };
  const { result, cases } = await ask(range);
  const points = (result.series ?? []).slice(-1 - before).map(({ bucket, value }) => ({ bucket, value }));
  return { points, matched: result.matched, cases: cases(at, to) };
}

function bucketsBefore({ type }: Condition, unit: AlertBucket): number {
  if (type === 'anomaly' && unit !== 'month') return bucketsBeforeAnomaly(unit);
  return type === 'change' ? 1 : 0;
}

export interface EvaluateParts {
  events: Pick<EventService, 'resolveKpi' | 'measure'>;
  dashboards: Pick<DashboardService, 'questionOf'>;
}

export interface Evaluated {
  verdict: Verdict;
  /** The question that was measured. */
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
  parts: EvaluateParts,
  caller: Caller,
  { asked, condition, timezone }: Pick<AlertDefinition, 'asked' | 'condition' | 'timezone'>,
  { now, isAlerting, ...options }: Evaluation,
): Promise<Evaluated> {
  try {
    const { unit, question } = await questionOf(asked, caller, parts);
    if (condition.type === 'anomaly' && unit === 'month') {
      throw new RuntimeError(
        'invalid',
        'condition.type: anomaly needs hours, days or weeks; choose another dateGrouping',
      );
    }
    const { cases, ...checked } = await measureBuckets({ condition, unit, timezone, now }, (range) =>
      parts.events.measure(caller, { ...question, ...range }, options),
    );
    const verdict = judge(condition, checked, { isAlerting, unit });
    return { verdict, question, cases, unit };
  } catch (error) {
    const place = 'question' in asked ? 'question' : 'cardId' in asked ? 'config' : null;
    if (place === null || !(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
    const isOfAlert = (message: string) => /^(timezone|condition|cardId)\b/.test(message);
    throw invalid(...error.messages.map((message) => (isOfAlert(message) ? message : `${place}.${message}`)));
  }
}

/** The question without its own range. It is resolved once, and planned by `measure` alone. */
async function questionOf(
  asked: AlertSubject,
  caller: Caller,
  { events, dashboards }: EvaluateParts,
): Promise<{ question: KpiQuestion; unit: AlertBucket }> {
  if ('cardId' in asked) return questionOfCard(await dashboards.questionOf(caller, asked.cardId));
  const { dateGrouping: unit = 'day', ...input } =
    'question' in asked ? asked.question : { metric: asked.metric, dateGrouping: undefined };
  const { question } = await events.resolveKpi(caller, input);
  return { question, unit };
}

function questionOfCard(card: KpiQuestion): { question: KpiQuestion; unit: AlertBucket } {
  const {
    dateFrom: _from,
    dateTo: _to,
    compareTo: _compare,
    dateGrouping,
    group_by,
    limit: _limit,
    ...question
  } = card;
  if (group_by !== undefined) throw invalid('cardId: this card shows groups; an alert needs one number or one line');
  const unit =
    dateGrouping === undefined || dateGrouping === 'quarter' || dateGrouping === 'year' ? 'day' : dateGrouping;
  return { question, unit };
}
