import type { ZoneOffset } from '../../base/time/time.ts';
import type { Aggregation, DateGrouping } from './fields.ts';
import type { Formula } from './formula.ts';
import type { FieldRef, Predicate } from './predicates.ts';

/* Names, dates and zones are resolved. Only `questions/` makes plans; event stores compile them. */

export type QueryPlan = RawPlan | AggregatePlan | FunnelPlan | RetentionPlan | BreakdownPlan | ClustersPlan;

export interface Selection {
  /** Null for every agent of the tenant. */
  agentId: string | null;
  /** Null for every name except the runtime's own. */
  eventNames: string[] | null;
  /** Null of `eventNames` means the runtime's own, too. */
  includesOwn?: true;
  /** At or after `from` and before `to`, in epoch milliseconds; null: no limit. */
  from: number | null;
  to: number | null;
  predicates: Predicate[];
  /** Only events that pass all predicates of at least one list. */
  anyOf?: Predicate[][];
  /** Only events of the subjects of each. */
  segments?: SegmentPlan[];
}

/**
 * Its subjects are the values of `by` for which every condition holds, by the events of all agents
 * of the tenant.
 */
export interface SegmentPlan {
  by: FieldRef;
  conditions: SegmentCondition[];
  /** Only events of the subjects of each count. */
  among?: SegmentPlan[];
}

/** At least so many events of that name, in the range, pass all predicates. */
export interface SegmentCondition extends Pick<Selection, 'from' | 'to' | 'predicates'> {
  eventName: string;
  atLeast: number;
}

/** Rows have the values of the columns in their order. */
export interface RawPlan {
  kind: 'raw';
  selection: Selection;
  columns: RawColumn[];
  /**
   * The keys of the columns: then a row has one value, the JSON text of an object with them, times
   * as text. It is made where the events are read, and passes through the server as it is.
   */
  shownAs?: readonly string[];
  /** Such a text leaves out members that are null. */
  sparse?: boolean;
  /** Ties go by timestamp, then id. */
  sort: { field: FieldRef; descending: boolean };
  limit: number;
  offset: number;
  /**
   * Bytes of JSON: a page ends before it has so many, but has its first row. Then fewer rows come
   * than were asked for.
   */
  page?: number;
}

/** `properties text` is the exact text that was stored. */
export type RawColumn = FieldRef | { kind: 'properties' } | { kind: 'properties text' };

/**
 * Row: `[...groups, ...metrics, bucket key or null, whether it is the rest beyond the top]`.
 * Metrics other than counts, min and max are rounded as in `decimals.ts`, and rows are ordered as
 * rounded.
 */
export interface AggregatePlan {
  kind: 'aggregate';
  selection: Selection;
  groupBy: FieldRef[];
  bucket: { unit: DateGrouping; offsets: ZoneOffset[] } | null;
  metrics: Metric[];
  /** The largest groups by the first metric, then one row over all other events. */
  top: number | null;
  /** Order of the rows when `top` is null. Ties go by group, ascending. */
  sort: { by: 'metric' | 'group'; index: number; descending: boolean };
  limit: number | null;
  offset: number;
  /** As of a raw plan. */
  page?: number;
  /**
   * Without bucket and top: rows end with the epoch milliseconds of the group's first and last
   * event.
   */
  seen?: true;
  /**
   * Longer texts, and JSON of lists and objects, in groups are cut to so many characters; see
   * `shortened`.
   */
  maxText?: number;
}

export function aggregatePlan(
  parts: Pick<AggregatePlan, 'selection' | 'groupBy' | 'metrics'> & Partial<AggregatePlan>,
): AggregatePlan {
  return {
    kind: 'aggregate',
    bucket: null,
    top: null,
    sort: { by: 'metric', index: 0, descending: true },
    limit: null,
    offset: 0,
    ...parts,
  };
}

/**
 * In a row a rate has three values, itself, its numerator and its denominator, and a formula itself
 * and its parts.
 */
export type Metric =
  | PlainMetric
  | { aggregation: 'rate'; numerator: Predicate[]; denominator: Predicate[] }
  | { aggregation: 'formula'; formula: Formula; parts: PartMetric[] };

export interface PlainMetric {
  aggregation: Aggregation;
  field: FieldRef | null;
}

/**
 * Over the selected events that pass `where`. In a formula a sum over nothing is 0; other values
 * over nothing make it null.
 */
export interface PartMetric extends PlainMetric {
  where: Predicate[];
}

/** Row: `[actors]` that reach a step within the window. The range limits only the first step. */
export interface FunnelPlan {
  kind: 'funnel';
  selection: Selection;
  steps: { eventName: string; predicates: Predicate[] }[];
  by: FieldRef;
  windowMs: number;
}

/**
 * The first start of each actor in the range sets its cohort; each later event that is a return
 * counts in the period of its bucket. Row: `[cohort, period, actors that returned in it]`, and for
 * each cohort a row whose period is null: of all its actors. A cohort is the key of a bucket;
 * period 0 is its own bucket, and only periods with returns have rows.
 */
export interface RetentionPlan {
  kind: 'retention';
  /** The events of starts and returns. Its range limits the starts alone. */
  selection: Selection;
  start: Predicate[];
  returned: Predicate[];
  by: FieldRef;
  bucket: { unit: DateGrouping; offsets: ZoneOffset[] };
  /** The last period. */
  periods: number;
  /** An instant after the last period of every cohort, in epoch milliseconds; null: no limit. */
  through: number | null;
}

/** From `from` to before `to`, in epoch milliseconds. */
export interface Period {
  from: number;
  to: number;
}

/**
 * The sums of a measure in two periods, for each value of each property and for all events.
 * Row: `[index of the property or null, value, which period, values of the property in all,
 * ...parts]`.
 */
export interface BreakdownPlan {
  kind: 'breakdown';
  /** Its range covers both periods. */
  selection: Selection;
  /** Without common instants. */
  periods: readonly [earlier: Period, later: Period];
  properties: FieldRef[];
  parts: BreakdownPart[];
  /** Values of a property that have rows: those with the most events. */
  values: number;
  /** Characters of a value, as of the groups of an `AggregatePlan`. */
  maxText?: number;
}

/**
 * How far whole clusters vary: an event adds its weighted parts, times 1 - `share` in a group and
 * times -`share` outside it. Row: `[which period, events, ...for each group the sum over clusters
 * of the square of what their events add]`.
 */
export interface ClustersPlan extends Pick<BreakdownPlan, 'selection' | 'periods' | 'parts'> {
  kind: 'clusters';
  /** The weight of each part. */
  weights: readonly number[];
  /**
   * Events with one value of the field belong together; each event without one is a cluster of its
   * own.
   */
  field: FieldRef;
  groups: { where: Predicate; share: number }[];
}

/**
 * `numbers` counts numeric values, `squares` adds up their squares; without a field `count` counts
 * events. Sums are not rounded.
 */
export interface BreakdownPart {
  adds: 'count' | 'numbers' | 'sum' | 'squares';
  field: FieldRef | null;
  where: Predicate[];
}

export interface PlanResult {
  rows: unknown[][];
  /**
   * Matching events (raw), groups (aggregate), steps (funnel), cohorts (retention), properties
   * (breakdown) or periods (clusters), before limit and offset.
   */
  total: number;
  /** Events in the selection; of a retention, the starts. */
  matched: number;
  /** Epoch milliseconds of the first and last of them. */
  firstAt: number | null;
  lastAt: number | null;
  /** Epoch milliseconds: events that were accepted since then should be counted and are not. */
  lateSince?: number;
}

export function clustersResult(rows: unknown[][]): PlanResult {
  const matched = rows.reduce((sum, [, events]) => sum + (events as number), 0);
  return { rows, total: rows.length, matched, firstAt: null, lastAt: null };
}
