import type { Caller } from '../../base/shared/caller.ts';
import { invalid, RuntimeError } from '../../base/shared/errors.ts';
import { parse } from '../../base/shared/parse.ts';
import type { DateGrouping } from '../events/fields.ts';
import {
  type PlanContext,
  planBuckets,
  planFunnel,
  planKpi,
  planRaw,
  planSelection,
  planTable,
} from '../events/questions/plan.ts';
import type { AskedQuestion, ResolvedQuestion } from '../events/questions/resolve.ts';
import { planRetention } from '../events/questions/retention.ts';
import { aggregateEventsSchema, funnelSchema, queryEventsSchema } from '../events/schema.ts';
import type { EventService } from '../events/service.ts';
import { type CardContent, DEFAULT_DATE_FROM } from './config-schema.ts';
import type { CardRange } from './schema.ts';

/** Members of a config that do not change the query. */
const PRESENTATION = new Set(['format', 'min', 'max', 'target', 'thresholds']);

function questionOf({ cardType, config }: CardContent, agentId: string, context: PlanContext): AskedQuestion {
  const dateFrom = config.dateFrom ?? DEFAULT_DATE_FROM;
  switch (cardType) {
    case 'number':
    case 'rate':
    case 'gauge': {
      const question = Object.fromEntries(Object.entries(config).filter(([member]) => !PRESENTATION.has(member)));
      const rate = cardType === 'rate' && config.metric === undefined ? { aggregation: 'rate' } : {};
      return aggregate({ ...question, ...rate, agentId, dateFrom });
    }
    case 'pie': {
      const { groupBy, ...question } = config;
      return aggregate({ ...question, group_by: groupBy, agentId, dateFrom });
    }
    case 'line':
    case 'bar': {
      const { groupBy, dateGrouping, ...question } = config;
      const overTime = cardType === 'line' || groupBy === undefined;
      const unit = dateGrouping ?? (overTime ? groupingFor({ ...config, dateFrom }, context) : undefined);
      return aggregate({ ...question, group_by: groupBy, dateGrouping: unit, agentId, dateFrom });
    }
    case 'table':
      return { kind: 'table', input: parse(queryEventsSchema, { ...config, agentId, dateFrom }) };
    case 'funnel':
      return { kind: 'funnel', input: parse(funnelSchema, { ...config, agentId, dateFrom }) };
  }
}

/** Throws `invalid` for a range that no card can have. */
export function checkRange(range: CardRange, context: PlanContext): void {
  planSelection(range, context);
}

/** Replaces the range of a card. A grouping becomes one that suits the new range. */
export function inRange(content: CardContent, range: CardRange, context: PlanContext): CardContent {
  const given = Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined)) as CardRange;
  const { config } = content;
  const changed = { ...config, ...(given.dateFrom === undefined ? {} : { dateTo: undefined }), ...given };
  // Cohorts keep their length: a shorter one would change what is asked.
  const isRegrouped =
    content.cardType !== 'table' && 'dateGrouping' in config && (given.dateFrom ?? given.dateTo) !== undefined;
  const dateGrouping =
    isRegrouped && groupingFor({ ...changed, dateFrom: changed.dateFrom ?? DEFAULT_DATE_FROM }, context);
  return { ...content, config: { ...changed, ...(dateGrouping && { dateGrouping }) } } as CardContent;
}

export interface CardQuestionParts {
  events: Pick<EventService, 'resolve'>;
  caller: Caller;
  agentId: string;
  context: PlanContext;
}

/** Throws `invalid`, with paths of the question, for unknown metrics and segments. */
export function resolvedQuestion(
  content: CardContent,
  { events, caller, agentId, context }: CardQuestionParts,
): Promise<ResolvedQuestion> {
  return events.resolve(caller, questionOf(content, agentId, context));
}

/** Throws `invalid`, with paths in the config, when the card has no valid plan now. */
export async function checkedQuestion(content: CardContent, parts: CardQuestionParts): Promise<ResolvedQuestion> {
  try {
    const resolved = await resolvedQuestion(content, parts);
    checkPlan(resolved, parts.context);
    return resolved;
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
    throw invalid(...error.messages.map((message) => `config.${message}`));
  }
}

function checkPlan({ kind, question }: ResolvedQuestion, context: PlanContext): void {
  switch (kind) {
    case 'aggregate': {
      const plan = planKpi(question, context);
      const { from, to } = plan.range;
      if (question.dateGrouping && from !== null) planBuckets(plan, question.dateGrouping, from, to ?? context.now);
      return;
    }
    case 'table':
      if (question.mode === 'retention') planRetention(question, context);
      else if (question.mode === 'aggregate') planTable(question, context);
      else planRaw(question, question.columns ?? [], context);
      return;
    case 'funnel':
      planFunnel(question, context);
  }
}

function aggregate(input: unknown): AskedQuestion {
  return { kind: 'aggregate', input: parse(aggregateEventsSchema, input) };
}

/** The most days of a readable series. */
const READABLE_DAYS: [DateGrouping, number][] = [
  ['hour', 2],
  ['day', 92],
  ['week', 732],
  ['month', 3_660],
];

function groupingFor(
  { dateFrom, dateTo, timezone }: { dateFrom: string; dateTo?: string | undefined; timezone?: string | undefined },
  context: PlanContext,
): DateGrouping {
  const { from, to } = planSelection({ dateFrom, dateTo, timezone }, context).range;
  const days = ((to ?? context.now) - (from ?? 0)) / 86_400_000;
  return READABLE_DAYS.find(([, most]) => days <= most)?.[0] ?? 'year';
}
