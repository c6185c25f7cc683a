import type { Aggregation, DateGrouping } from './fields.ts';
import type { FieldRef, Predicate } from './predicates.ts';
import type { ZoneOffset } from './time.ts';

/*
 * A QueryPlan is a question about events as plain data: names are resolved to fields, dates to
 * instants, zones to offsets. Only `questions/` makes plans; each event store compiles them.
 */

export type QueryPlan = RawPlan | AggregatePlan | FunnelPlan;

/** The events of a plan. The tenant is a separate argument of the store. */
export interface Selection {
  /** Null: every agent of the tenant. */
  agentId: string | null;
  /** Null: every name except the runtime's own. */
  eventNames: string[] | null;
  /** Epoch milliseconds, inclusive; null: no start. */
  from: number | null;
  /** Epoch milliseconds, exclusive; null: no end. */
  to: number | null;
  /** All must hold. */
  predicates: Predicate[];
}

/** One row per event, with the values of the columns in their order. */
export interface RawPlan {
  kind: 'raw';
  selection: Selection;
  columns: RawColumn[];
  /** Ties go by timestamp, then id. */
  sort: { field: FieldRef; descending: boolean };
  limit: number;
  offset: number;
}

/** A field of the event, or the whole properties object. */
export type RawColumn = FieldRef | { kind: 'properties' };

/**
 * One row per group (and bucket): `[...group values, ...metric values, bucket key or null, whether
 * it is the row of all other groups]`. A rate has three values: the rate, its numerator, its denominator.
 */
export interface AggregatePlan {
  kind: 'aggregate';
  selection: Selection;
  groupBy: FieldRef[];
  bucket: { unit: DateGrouping; offsets: ZoneOffset[] } | null;
  metrics: Metric[];
  /** This many groups, largest first metric first, then one row over all other events. */
  top: number | null;
  /** Order of the rows when `top` is null. Ties go by group, ascending. */
  sort: { by: 'metric' | 'group'; index: number; descending: boolean };
  limit: number | null;
  offset: number;
}

/** A plan of every row, the largest first metric first, except for `parts`. */
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

export type Metric =
  | { aggregation: Aggregation; field: FieldRef | null }
  | { aggregation: 'rate'; numerator: Predicate[]; denominator: Predicate[] };

/**
 * Actors that reach each step, in order and within the window from their first step. One row per
 * step: `[count]`. The range bounds only the first step.
 */
export interface FunnelPlan {
  kind: 'funnel';
  selection: Selection;
  steps: { eventName: string; predicates: Predicate[] }[];
  by: FieldRef;
  windowMs: number;
}

export interface PlanResult {
  rows: unknown[][];
  /** Matching events (raw), groups (aggregate) or steps (funnel), before limit and offset. */
  total: number;
  /** Events in the selection. */
  matched: number;
  /** Epoch milliseconds of the first and last of them. */
  firstAt: number | null;
  lastAt: number | null;
}
