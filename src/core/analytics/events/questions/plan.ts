import type { EventFilter } from '../../../base/filters/filter-schema.ts';
import { agentToRead } from '../../../base/shared/agent.ts';
import { invalid } from '../../../base/shared/errors.ts';
import { type DateContext, resolveRange } from '../../../base/time/dates.ts';
import {
  bucketsBetween,
  checkTimezone,
  nearestStartOfDay,
  type TimeBucket,
  zoneOffsets,
} from '../../../base/time/time.ts';
import type { CountedEvents } from '../cases/handle.ts';
import type { Aggregation, DateGrouping, EventField } from '../fields.ts';
import { parseFormula } from '../formula.ts';
import type { FormulaDefinition } from '../measure-schema.ts';
import { fieldOf, type Predicate, predicatesOf } from '../predicates.ts';
import {
  type AggregatePlan,
  aggregatePlan,
  type FunnelPlan,
  type Metric,
  type PartMetric,
  type PlainMetric,
  type RawPlan,
  type Selection,
} from '../query-plan.ts';
import { retentionShape } from '../retention-schema.ts';
import type { FeedQuery, FunnelQuery } from '../schema.ts';
import { MAX_SHOWN_TEXT } from './fit.ts';
import { planSegment } from './plan-segment.ts';
import {
  type DefinedSegment,
  eventNamesOf,
  type KpiQuestion,
  type TableQuestion,
  type WithSegment,
} from './question.ts';

export interface PlanContext {
  agentId: string | null;
  timezone: string;
  now: number;
  executionIds?: readonly string[] | undefined;
  /** JSON of the rows of a table; undefined: any. */
  maxBytes?: number | undefined;
  /** Rows of single events leave out what is null. */
  sparse?: boolean | undefined;
}

export interface ResolvedRange {
  from: number | null;
  to: number | null;
  timezone: string;
}

export interface SelectionInput {
  eventName?: string | undefined;
  /** In place of the event: any of these. */
  events?: CountedEvents | undefined;
  agentId?: string | undefined;
  filters?: EventFilter[] | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  timezone?: string | undefined;
  segment?: DefinedSegment | undefined;
}

const FEED_KEYS = ['id', 'eventName', 'properties', 'threadId', 'executionId', 'timestamp'] as const;

/** The columns of an event in raw plans. */
export const FEED_COLUMNS: Pick<RawPlan, 'columns' | 'shownAs'> = {
  columns: FEED_KEYS.map((key) => (key === 'properties' ? { kind: key } : fieldOf(key))),
  shownAs: FEED_KEYS,
};

export function planFeed(input: FeedQuestion, context: PlanContext): RawPlan {
  return {
    kind: 'raw',
    selection: planSelection({ ...input, filters: feedFilters(input) }, context).selection,
    ...FEED_COLUMNS,
    sort: { field: fieldOf('timestamp'), descending: true },
    limit: input.limit,
    offset: input.offset,
  };
}

/** The filters of a feed, with those of its own members. */
export function feedFilters({ threadId, executionId, filters = [] }: FeedQuestion): EventFilter[] {
  const own = Object.entries({ threadId, executionId }).flatMap(([propertyKey, value]) =>
    value === undefined ? [] : [{ propertyKey, operator: 'eq' as const, value }],
  );
  return [...filters, ...own];
}

export function planRaw(input: TableQuestion, columns: string[], context: PlanContext): RawPlan {
  if (input.groupBy !== undefined) throw invalid('groupBy: only for mode aggregate; add "mode": "aggregate"');
  if (input.metrics !== undefined) throw invalid('metrics: only for mode aggregate; add "mode": "aggregate"');
  refuseRetentionMembers(input);
  return {
    kind: 'raw',
    selection: planSelection(input, context).selection,
    columns: columns.map(fieldOf),
    shownAs: columns,
    ...(context.sparse && { sparse: true }),
    sort: { field: fieldOf(input.sortBy ?? 'timestamp'), descending: input.sortOrder !== 'asc' },
    limit: input.limit,
    offset: input.offset,
    ...(context.maxBytes !== undefined && { page: context.maxBytes }),
  };
}

function refuseRetentionMembers(input: TableQuestion): void {
  for (const member of Object.keys(retentionShape) as (keyof typeof retentionShape)[]) {
    if (input[member] === undefined) continue;
    const series = member === 'dateGrouping' ? ', or ask aggregate_events for a series' : '';
    throw invalid(`${member}: only for mode retention; add "mode": "retention"${series}`);
  }
}

/** The newest events of all names, of one, or of any that a number counts. */
export type FeedQuestion = WithSegment<FeedQuery> & Omit<SelectionInput, 'eventName' | 'agentId' | 'segment'>;

export type FunnelQuestion = WithSegment<FunnelQuery>;

export interface TableShape {
  groupKeys: string[];
  metrics: { aggregation: Aggregation; propertyKey?: string | undefined; alias: string }[];
}

export function tableShape(input: TableQuestion): TableShape {
  return {
    groupKeys: keysOf(input.groupBy),
    metrics: input.metrics ?? [{ aggregation: 'count', alias: 'count' }],
  };
}

export function planTable(input: TableQuestion, context: PlanContext): AggregatePlan {
  if (input.columns !== undefined) throw invalid('columns: only for mode raw; use groupBy and metrics');
  refuseRetentionMembers(input);
  const { groupKeys, metrics } = tableShape(input);
  return aggregatePlan({
    selection: planSelection(input, context).selection,
    groupBy: groupKeys.map(fieldOf),
    metrics: metrics.map((metric, index) => planMetric(metric, `metrics[${index}].`)),
    sort: tableSort(input, groupKeys, metrics),
    limit: input.limit,
    offset: input.offset,
    ...(context.maxBytes !== undefined && { page: context.maxBytes }),
  });
}

function tableSort(input: TableQuestion, groupKeys: string[], metrics: TableShape['metrics']): AggregatePlan['sort'] {
  const aliases = metrics.map((metric) => metric.alias);
  for (const [index, alias] of aliases.entries()) {
    if (aliases.indexOf(alias) !== index) throw invalid(`metrics[${index}].alias: "${alias}" is used twice`);
    if (groupKeys.includes(alias)) throw invalid(`metrics[${index}].alias: "${alias}" is a group key; choose another`);
  }
  const descending = input.sortOrder !== 'asc';
  if (input.sortBy === undefined) return { by: 'metric', index: 0, descending };
  if (aliases.includes(input.sortBy)) return { by: 'metric', index: aliases.indexOf(input.sortBy), descending };
  if (groupKeys.includes(input.sortBy)) return { by: 'group', index: groupKeys.indexOf(input.sortBy), descending };
  throw invalid(`sortBy: "${input.sortBy}" is not one of ${[...groupKeys, ...aliases].join(', ')}`);
}

/** The plans of an `aggregate_events`. */
export interface KpiPlan {
  range: ResolvedRange;
  groupKeys: string[];
  overall: AggregatePlan;
  groups: AggregatePlan | null;
  previous: AggregatePlan | null;
  /** Null if groups are not compared. */
  previousGroups: AggregatePlan | null;
}

/** A current group that is missing from these is not compared. */
const MAX_PREVIOUS_GROUPS = 10_000;
const DEFAULT_GROUPS = 20;
const DEFAULT_SERIES_GROUPS = 10;

export function planKpi(input: KpiQuestion, context: PlanContext): KpiPlan {
  const { selection: selected, range } = planSelection(input, context);
  const metric = kpiMetric(input, context, range);
  const anyOf = metric.aggregation === 'formula' ? { anyOf: metric.parts.map(({ where }) => where) } : {};
  const selection = { ...selected, eventNames: eventNamesOf(input), ...anyOf };
  const groupKeys = keysOf(input.group_by);
  const overall = aggregatePlan({ selection, groupBy: [], metrics: [metric], maxText: MAX_SHOWN_TEXT });
  const top = input.limit ?? (input.dateGrouping ? DEFAULT_SERIES_GROUPS : DEFAULT_GROUPS);
  const groups = groupKeys.length > 0 ? { ...overall, groupBy: groupKeys.map(fieldOf), top } : null;
  const previous = input.compareTo ? { ...overall, selection: previousPeriod(selection, range, context.now) } : null;
  const compares = groups && previous && !input.dateGrouping;
  return {
    range,
    groupKeys,
    overall,
    groups,
    previous,
    previousGroups: compares ? { ...groups, ...previous, groupBy: groups.groupBy, limit: MAX_PREVIOUS_GROUPS } : null,
  };
}

const MAX_BUCKETS = 1_000;

/** Throws `invalid` when there are too many. */
export function planBuckets(plan: KpiPlan, unit: DateGrouping, from: number, to: number): TimeBucket[] {
  return bucketsBetween(unit, { from, to, timezone: plan.range.timezone }, MAX_BUCKETS);
}

/** Points of all groups together: making them blocks all other requests of the server. */
const MAX_POINTS = 20_000;

/** With `other`. */
export function mostGroups(buckets: number): number {
  return Math.max(1, Math.floor(MAX_POINTS / Math.max(1, buckets)) - 1);
}

/** Throws `invalid` when all the groups that were asked for have too many points. */
export function checkPoints({ groups }: KpiPlan, found: number, buckets: number): void {
  const most = mostGroups(buckets);
  const named = Math.min(groups?.top ?? 0, found);
  if (named <= most) return;
  throw invalid(
    `limit: ${named} groups of ${buckets} points each are more than ${MAX_POINTS.toLocaleString('en')} points; use a limit of at most ${most}, a longer dateGrouping or a shorter range`,
  );
}

export function planSeries(plan: KpiPlan, unit: DateGrouping, from: number, to: number): AggregatePlan {
  return {
    ...(plan.groups ?? plan.overall),
    bucket: { unit, offsets: zoneOffsets(plan.range.timezone, from, to) },
  };
}

function kpiMetric(input: KpiQuestion, context: PlanContext, range: ResolvedRange): Metric {
  const dates = { now: context.now, timezone: range.timezone };
  if (input.aggregation === 'formula') return formulaMetric(input.formula!, dates);
  if (input.aggregation !== 'rate') {
    if (input.numerator) throw invalid('numerator: only for aggregation rate');
    return planMetric({ aggregation: input.aggregation, propertyKey: input.propertyKey }, '');
  }
  if (input.propertyKey !== undefined) throw invalid('propertyKey: not for aggregation rate, which counts events');
  if (!input.numerator || (!input.numerator.eventName && !input.numerator.filters?.length)) {
    throw invalid('numerator: needed for aggregation rate; give eventName, filters or both');
  }
  return {
    aggregation: 'rate',
    numerator: [
      oneOf('eventName', [input.numerator.eventName ?? input.eventName]),
      ...predicatesOf(input.numerator.filters ?? [], 'numerator.filters', dates),
    ],
    denominator: [oneOf('eventName', [input.eventName])],
  };
}

function formulaMetric({ expression, parts }: FormulaDefinition, dates: DateContext): Metric {
  const names = Object.keys(parts);
  return {
    aggregation: 'formula',
    formula: parseFormula(expression, names, 'formula.expression'),
    parts: names.map((name): PartMetric => {
      const path = `formula.parts.${name}.`;
      const { eventName, filters = [], ...measured } = parts[name]!;
      return {
        ...planMetric(measured, path),
        where: [oneOf('eventName', [eventName]), ...predicatesOf(filters, `${path}filters`, dates)],
      };
    }),
  };
}

/**
 * The period before, as long as the elapsed part of the range; before whole local days as many
 * whole days, where clocks change as well.
 */
function previousPeriod(selection: Selection, { timezone }: ResolvedRange, now: number): Selection {
  const { from, to } = selection;
  if (from === null) throw invalid('compareTo: needs dateFrom, which says how long the period is');
  // Only the elapsed part: half of today is compared with half a day.
  const end = Math.max(from, Math.min(to ?? now, now));
  const start = from - (end - from);
  const isWhole = [from, end].every((one) => nearestStartOfDay(one, timezone) === one);
  return { ...selection, from: isWhole ? nearestStartOfDay(start, timezone) : start, to: from };
}

export function planFunnel(input: FunnelQuestion, context: PlanContext): FunnelPlan {
  const { selection, range } = planSelection(input, context);
  const dates = { now: context.now, timezone: range.timezone };
  return {
    kind: 'funnel',
    selection: { ...selection, eventNames: [...new Set(input.steps.map((step) => step.eventName))] },
    steps: input.steps.map((step, index) => ({
      eventName: step.eventName,
      predicates: predicatesOf(step.filters ?? [], `steps[${index}].filters`, dates),
    })),
    by: fieldOf(input.by),
    windowMs: input.windowSeconds * 1_000,
  };
}

function planMetric(
  metric: { aggregation: Aggregation; propertyKey?: string | undefined },
  prefix: string,
): PlainMetric {
  if (metric.propertyKey === undefined && metric.aggregation !== 'count') {
    throw invalid(`${prefix}propertyKey: needed for aggregation ${metric.aggregation}`);
  }
  return {
    aggregation: metric.aggregation,
    field: metric.propertyKey === undefined ? null : fieldOf(metric.propertyKey),
  };
}

export function planSelection(
  input: SelectionInput,
  context: PlanContext,
): { selection: Selection; range: ResolvedRange } {
  const timezone = checkTimezone(input.timezone ?? context.timezone);
  const dates: DateContext = { now: context.now, timezone };
  const { from, to } = resolveRange(input, dates);
  return {
    selection: {
      agentId: agentToRead(context, input.agentId),
      eventNames: namesOf(input),
      from,
      to,
      predicates: [
        ...predicatesOf(input.filters ?? [], 'filters', dates),
        ...(context.executionIds ? [oneOf('executionId', context.executionIds)] : []),
      ],
      ...anyOfEvents(input.events, dates),
      ...(input.segment ? { segments: [planSegment(input.segment, dates, 'segment.')] } : {}),
    },
    range: { from, to, timezone },
  };
}

/** Null for every name except the runtime's own. */
export function namesOf({ eventName, events }: SelectionInput): string[] | null {
  if (events) return [...new Set(events.map((event) => event.eventName))];
  return eventName === undefined ? null : [eventName];
}

function anyOfEvents(events: CountedEvents = [], dates: DateContext): Pick<Selection, 'anyOf'> {
  if (events.every(({ filters = [] }) => filters.length === 0)) return {};
  return {
    anyOf: events.map(({ eventName, filters = [] }) => [
      oneOf('eventName', [eventName]),
      ...predicatesOf(filters, 'filters', dates),
    ]),
  };
}

export function oneOf(field: EventField, values: readonly string[]): Predicate {
  return { field: fieldOf(field), test: { kind: 'oneOf', values: [...values] }, negated: false };
}

export function keysOf(keys: string | string[] | undefined): string[] {
  return keys === undefined ? [] : [keys].flat();
}
