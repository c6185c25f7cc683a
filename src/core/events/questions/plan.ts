import { invalid } from '../../shared/errors.ts';
import type { Aggregation, DateGrouping } from '../fields.ts';
import { fieldOf, type Predicate, predicatesOf } from '../predicates.ts';
import type { AggregatePlan, FunnelPlan, Metric, RawPlan, Selection } from '../query-plan.ts';
import type { AggregateEvents, EventFilter, EventsQuery, FeedQuery, FunnelQuery } from '../schema.ts';
import { type Bucket, bucketsBetween, checkTimezone, type DateContext, resolveRange, zoneOffsets } from '../time.ts';

/* The only place where a request becomes a QueryPlan, whatever door it came through. */

/** What a request takes from who asks and when. */
export interface PlanContext {
  agentId: string | null;
  timezone: string;
  now: number;
  /** Only events of these executions; undefined: of any, and of none. */
  executionIds?: readonly string[] | undefined;
}

export interface ResolvedRange {
  from: number | null;
  to: number | null;
  timezone: string;
}

interface SelectionInput {
  eventName?: string | undefined;
  agentId?: string | undefined;
  filters?: EventFilter[] | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  timezone?: string | undefined;
}

export function planFeed(input: FeedQuery, context: PlanContext): RawPlan {
  const fields = ['id', 'eventName', 'threadId', 'executionId', 'timestamp'].map(fieldOf);
  return {
    kind: 'raw',
    selection: planSelection(input, context).selection,
    columns: [...fields, { kind: 'properties' }],
    sort: { field: fieldOf('timestamp'), descending: true },
    limit: input.limit,
    offset: input.offset,
  };
}

/** A table of events. `columns` are settled by then: what to show when none are named is the service's to know. */
export function planRaw(input: EventsQuery, columns: string[], context: PlanContext): RawPlan {
  if (input.groupBy !== undefined) throw invalid('groupBy: only for mode aggregate; add "mode": "aggregate"');
  if (input.metrics !== undefined) throw invalid('metrics: only for mode aggregate; add "mode": "aggregate"');
  return {
    kind: 'raw',
    selection: planSelection(input, context).selection,
    columns: columns.map(fieldOf),
    sort: { field: fieldOf(input.sortBy ?? 'timestamp'), descending: input.sortOrder !== 'asc' },
    limit: input.limit,
    offset: input.offset,
  };
}

/** The table's group keys and metrics, with the defaults filled in. */
export interface TableShape {
  groupKeys: string[];
  metrics: { aggregation: Aggregation; propertyKey?: string | undefined; alias: string }[];
}

export function tableShape(input: EventsQuery): TableShape {
  return {
    groupKeys: keysOf(input.groupBy),
    metrics: input.metrics ?? [{ aggregation: 'count', alias: 'count' }],
  };
}

export function planTable(input: EventsQuery, context: PlanContext): AggregatePlan {
  if (input.columns !== undefined) throw invalid('columns: only for mode raw; use groupBy and metrics');
  const { groupKeys, metrics } = tableShape(input);
  return {
    kind: 'aggregate',
    selection: planSelection(input, context).selection,
    groupBy: groupKeys.map(fieldOf),
    bucket: null,
    metrics: metrics.map((metric, index) => planMetric(metric, `metrics[${index}].`)),
    top: null,
    sort: tableSort(input, groupKeys, metrics),
    limit: input.limit,
    offset: input.offset,
  };
}

function tableSort(input: EventsQuery, groupKeys: string[], metrics: TableShape['metrics']): AggregatePlan['sort'] {
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

/** What `aggregate_events` asks, for the range given or, with `previous`, for the period before it. */
export interface KpiPlan {
  range: ResolvedRange;
  groupKeys: string[];
  /** The single number. */
  overall: AggregatePlan;
  /** Groups without time, or null. */
  groups: AggregatePlan | null;
  previous: AggregatePlan | null;
  /** The groups of the previous period, whichever they are; null where no groups are compared. */
  previousGroups: AggregatePlan | null;
}

/** Enough to find the current groups among; beyond it a group that is not found is not compared. */
const MAX_PREVIOUS_GROUPS = 10_000;
const DEFAULT_GROUPS = 20;
const DEFAULT_SERIES_GROUPS = 10;

export function planKpi(input: AggregateEvents, context: PlanContext): KpiPlan {
  const { selection: selected, range } = planSelection(input, context);
  const metric = kpiMetric(input, context, range);
  const selection = metric.aggregation === 'rate' ? { ...selected, eventNames: rateEventNames(input) } : selected;
  const groupKeys = keysOf(input.group_by);
  const overall: AggregatePlan = {
    kind: 'aggregate',
    selection,
    groupBy: [],
    bucket: null,
    metrics: [metric],
    top: null,
    sort: { by: 'metric', index: 0, descending: true },
    limit: null,
    offset: 0,
  };
  const top = input.limit ?? (input.dateGrouping ? DEFAULT_SERIES_GROUPS : DEFAULT_GROUPS);
  const groups = groupKeys.length > 0 ? { ...overall, groupBy: groupKeys.map(fieldOf), top } : null;
  const previous = input.compareTo ? { ...overall, selection: previousPeriod(selection, context.now) } : null;
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

/** Every bucket of a series, the empty ones too. Throws `invalid` when there are too many to show. */
export function planBuckets(plan: KpiPlan, unit: DateGrouping, from: number, to: number): Bucket[] {
  return bucketsBetween(unit, { from, to, timezone: plan.range.timezone }, MAX_BUCKETS);
}

/** The KPI over time, once the first and last instant to show are known. */
export function planSeries(plan: KpiPlan, unit: DateGrouping, from: number, to: number): AggregatePlan {
  return {
    ...(plan.groups ?? plan.overall),
    bucket: { unit, offsets: zoneOffsets(plan.range.timezone, from, to) },
  };
}

function kpiMetric(input: AggregateEvents, context: PlanContext, range: ResolvedRange): Metric {
  if (input.aggregation !== 'rate') {
    if (input.numerator) throw invalid('numerator: only for aggregation rate');
    return planMetric({ aggregation: input.aggregation, propertyKey: input.propertyKey }, '');
  }
  if (input.propertyKey !== undefined) throw invalid('propertyKey: not for aggregation rate, which counts events');
  if (!input.numerator || (!input.numerator.eventName && !input.numerator.filters?.length)) {
    throw invalid('numerator: needed for aggregation rate; give eventName, filters or both');
  }
  const dates = { now: context.now, timezone: range.timezone };
  const named = (eventName: string): Predicate => ({
    field: fieldOf('eventName'),
    test: { kind: 'oneOf', values: [eventName] },
    negated: false,
  });
  return {
    aggregation: 'rate',
    numerator: [
      named(input.numerator.eventName ?? input.eventName),
      ...predicatesOf(input.numerator.filters ?? [], 'numerator.filters', dates),
    ],
    denominator: [named(input.eventName)],
  };
}

function rateEventNames(input: AggregateEvents): string[] {
  return [...new Set([input.eventName, input.numerator?.eventName ?? input.eventName])];
}

/** The same elapsed length, ending where the range begins. */
function previousPeriod(selection: Selection, now: number): Selection {
  if (selection.from === null) throw invalid('compareTo: needs dateFrom, which says how long the period is');
  // What has elapsed of it: half of today is compared with half a day.
  const length = Math.max(0, Math.min(selection.to ?? now, now) - selection.from);
  return { ...selection, from: selection.from - length, to: selection.from };
}

export function planFunnel(input: FunnelQuery, context: PlanContext): FunnelPlan {
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
): Exclude<Metric, { aggregation: 'rate' }> {
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
      agentId: input.agentId ?? context.agentId,
      eventNames: input.eventName === undefined ? null : [input.eventName],
      from,
      to,
      predicates: [...predicatesOf(input.filters ?? [], 'filters', dates), ...ofExecutions(context.executionIds)],
    },
    range: { from, to, timezone },
  };
}

function ofExecutions(ids: readonly string[] | undefined): Predicate[] {
  if (ids === undefined) return [];
  return [{ field: fieldOf('executionId'), test: { kind: 'oneOf', values: [...ids] }, negated: false }];
}

/** One key or several, or none, as a list. */
export function keysOf(keys: string | string[] | undefined): string[] {
  return keys === undefined ? [] : [keys].flat();
}
