import type { Caller } from '../../base/shared/caller.ts';
import { invalid, RuntimeError } from '../../base/shared/errors.ts';
import { parse } from '../../base/shared/parse.ts';
import type { DateGrouping } from '../events/fields.ts';
import type { KpiQuestion, ShownAs } from '../events/questions/kpi-question.ts';
import {
  type PlanContext,
  planBuckets,
  planFunnel,
  planKpi,
  planRaw,
  planSelection,
  planTable,
} from '../events/questions/plan.ts';
import { planRetention } from '../events/questions/retention.ts';
import type { WithSegment } from '../events/questions/segments.ts';
import {
  type AggregateEvents,
  aggregateEventsSchema,
  type FunnelQuery,
  funnelSchema,
  type QueryEvents,
  queryEventsSchema,
} from '../events/schema.ts';
import type { EventService } from '../events/service.ts';
import { type CardContent, DEFAULT_DATE_FROM } from './config-schema.ts';
import type { CardRange } from './schema.ts';

export type Question =
  | { kind: 'aggregate'; input: AggregateEvents; shown?: ShownAs | undefined }
  | { kind: 'table'; input: QueryEvents }
  | { kind: 'funnel'; input: FunnelQuery };

/** Members of a config that do not change the query. */
const PRESENTATION = new Set(['format', 'min', 'max', 'target', 'thresholds']);

function questionOf({ cardType, config }: CardContent, agentId: string, context: PlanContext): Question {
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

/** Definitions in place of names of metrics and segments. Throws `invalid` for unknown ones. */
export interface Definitions {
  kpi(input: AggregateEvents): Promise<KpiQuestion>;
  withSegment<Input extends { segment?: string | undefined }>(input: Input): Promise<WithSegment<Input>>;
}

export function definitionsFor(caller: Caller, events: Pick<EventService, 'kpiQuestion' | 'withSegment'>): Definitions {
  return {
    kpi: async (input) => (await events.kpiQuestion(caller, input)).question,
    withSegment: (input) => events.withSegment(caller, input),
  };
}

/** Throws `invalid`, with paths in the config, when the card has no valid plan now. */
export async function checkedQuestion(
  content: CardContent,
  agentId: string,
  context: PlanContext,
  definitions: Definitions,
): Promise<Question> {
  try {
    return await planned(questionOf(content, agentId, context), context, definitions);
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
    throw invalid(...error.messages.map((message) => `config.${message}`));
  }
}

/** The question, with the presentation of its metric. */
async function planned(question: Question, context: PlanContext, definitions: Definitions): Promise<Question> {
  switch (question.kind) {
    case 'aggregate': {
      const { dateGrouping } = question.input;
      const asked = await definitions.kpi(question.input);
      const plan = planKpi(asked, context);
      const { from, to } = plan.range;
      if (dateGrouping && from !== null) planBuckets(plan, dateGrouping, from, to ?? context.now);
      return { ...question, shown: asked.shown };
    }
    case 'table': {
      const { eventName = '', ...input } = await definitions.withSegment(question.input);
      if (input.mode === 'retention') planRetention({ ...input, eventName }, context);
      else if (input.mode === 'aggregate') planTable({ ...input, eventName }, context);
      else planRaw({ ...input, eventName }, input.columns ?? [], context);
      return question;
    }
    case 'funnel':
      planFunnel(await definitions.withSegment(question.input), context);
      return question;
  }
}

function aggregate(input: unknown): Question {
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
