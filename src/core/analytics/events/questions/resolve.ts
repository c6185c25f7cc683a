import { agentToRead } from '../../../base/shared/agent.ts';
import { type Caller, requireScope } from '../../../base/shared/caller.ts';
import { unprocessable } from '../../../base/shared/errors.ts';
import type { AggregateEvents, FunnelQuery, QueryEvents, ReviewedAs } from '../schema.ts';
import { notesOnMetric, notesOnRawQuestion } from './notes.ts';
import type { FunnelQuestion } from './plan.ts';
import {
  type KpiQuestion,
  kpiQuestion,
  type MetricSource,
  type SegmentSource,
  type TableQuestion,
  type WithSegment,
} from './question.ts';
import { notesOnLimits } from './within.ts';

/*
 * Replaces the names in a question by the definitions of metrics and segments, and reviews by the
 * executions that have them.
 */

/** About 10 MB of ids; more make a query too slow. */
const MAX_REVIEWED_EXECUTIONS = 250_000;

/** Ids of at most `limit` executions whose review matches. */
export interface ReviewedExecutions {
  executionIds(tenantId: string, review: ReviewedAs, limit: number): Promise<string[]>;
}

export interface ResolveParts {
  metrics: MetricSource;
  segments: SegmentSource;
  reviews: ReviewedExecutions;
}

export type AskedQuestion =
  | { kind: 'aggregate'; input: AggregateEvents }
  | { kind: 'table'; input: Omit<QueryEvents, 'cases' | 'waitFor'> }
  | { kind: 'funnel'; input: FunnelQuery };

/** `notes` are on the metric, or on approved metrics near a raw question. */
export interface ResolvedKpi {
  question: KpiQuestion;
  notes: string[];
}

/** A question that can be planned and asked without further look-ups. */
export type ResolvedQuestion =
  | ({ kind: 'aggregate' } & ResolvedKpi)
  | { kind: 'table'; question: TableQuestion }
  | { kind: 'funnel'; question: FunnelQuestion };

/** Throws `invalid` for unknown metrics and segments. */
export async function resolveQuestion(
  parts: ResolveParts,
  caller: Caller,
  { kind, input }: AskedQuestion,
): Promise<ResolvedQuestion> {
  switch (kind) {
    case 'aggregate':
      return { kind, ...(await resolveKpi(parts, caller, input)) };
    case 'table':
      return { kind, question: await resolveTable(parts, caller, input) };
    case 'funnel':
      return { kind, question: await resolveSegment(parts, caller, input) };
  }
}

/** Throws `invalid` for unknown metrics and segments. */
export async function resolveKpi(parts: ResolveParts, caller: Caller, asked: AggregateEvents): Promise<ResolvedKpi> {
  const { metrics } = parts;
  const input = await resolveSegment(parts, caller, asked);
  if (input.metric !== undefined) {
    const metric = await metrics.resolve(caller, input.metric);
    return {
      question: kpiQuestion(input, metric),
      notes: [...notesOnMetric(metric, input.metric), ...notesOnLimits(caller, agentToRead(caller, input.agentId))],
    };
  }
  const question = kpiQuestion(input, null);
  const approved = await metrics.approved(caller);
  if (approved.length === 0) return { question, notes: [] };
  return { question: { ...question, metric: null }, notes: notesOnRawQuestion(question, approved) };
}

/** Throws `invalid` for an unknown segment. */
export async function resolveSegment<Question extends { segment?: string | undefined }>(
  { segments }: Pick<ResolveParts, 'segments'>,
  caller: Caller,
  { segment: name, ...question }: Question,
): Promise<WithSegment<Question>> {
  if (name === undefined) return question;
  return { ...question, segment: await segments.resolve(caller, name) };
}

/** Throws `invalid` for an unknown segment. */
export async function resolveTable(
  parts: Pick<ResolveParts, 'segments'>,
  caller: Caller,
  asked: Omit<QueryEvents, 'cases' | 'waitFor'>,
): Promise<TableQuestion> {
  const { eventName = '', ...input } = await resolveSegment(parts, caller, asked);
  return { ...input, eventName };
}

/**
 * Ids of the executions that were reviewed so, or undefined if the question is not about reviews.
 * Throws `forbidden`, `unprocessable`.
 */
export async function resolveReview(
  { reviews }: Pick<ResolveParts, 'reviews'>,
  caller: Caller,
  review: ReviewedAs | undefined,
): Promise<string[] | undefined> {
  if (review === undefined) return undefined;
  requireScope(caller, 'reviews:read');
  const ids = await reviews.executionIds(caller.tenantId, review, MAX_REVIEWED_EXECUTIONS + 1);
  if (ids.length <= MAX_REVIEWED_EXECUTIONS) return ids;
  throw unprocessable(
    `review: more than ${MAX_REVIEWED_EXECUTIONS.toLocaleString('en')} executions match; narrow it by status or tags.`,
  );
}
