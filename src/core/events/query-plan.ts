import type { Aggregation, DateGrouping } from './fields.ts';
import type { FieldRef, Predicate } from './predicates.ts';
import type { ZoneOffset } from './time.ts';

/*
 * A QueryPlan is a question about events as plain data: names resolved to fields, dates to instants, zones to offsets.
 * Requests become plans in `plan.ts` and nowhere else; each event store has one compiler from here to its own language.
 */

export type QueryPlan = RawPlan | AggregatePlan | FunnelPlan;

/** Which events a plan is about. The tenant is not part of it: the store takes the tenant of its own accord. */
export interface Selection {
  /** Null: every agent of the tenant. */
  agentId: string | null;
  /** Null: every name but the runtime's own. */
  eventNames: string[] | null;
  /** Epoch milliseconds, inclusive; null: from the first event on. */
  from: number | null;
  /** Epoch milliseconds, exclusive; null: no end. */
  to: number | null;
  /** All must hold. */
  predicates: Predicate[];
}

/** Rows of single events. A row holds the columns' values in their order. */
export interface RawPlan {
  kind: 'raw';
  selection: Selection;
  columns: RawColumn[];
  /** Ties, and everything when null, go by timestamp, then id. */
  sort: { field: FieldRef; descending: boolean };
  limit: number;
  offset: number;
}

/** A field of the event, or the whole properties object. */
export type RawColumn = FieldRef | { kind: 'properties' };

/**
 * One row per group (and bucket): `[...group values, ...metric values, bucket key or null, is the rest]`. A rate gives
 * three values: the rate, its numerator, its denominator.
 */
export interface AggregatePlan {
  kind: 'aggregate';
  selection: Selection;
  groupBy: FieldRef[];
  bucket: { unit: DateGrouping; offsets: ZoneOffset[] } | null;
  metrics: Metric[];
  /** Keep this many groups, largest first metric first; one row computed from all other events follows them. */
  top: number | null;
  /** Order of the rows when `top` is null. Ties go by group, ascending. */
  sort: { by: 'metric' | 'group'; index: number; descending: boolean };
  limit: number | null;
  offset: number;
}

export type Metric =
  | { aggregation: Aggregation; field: FieldRef | null }
  | { aggregation: 'rate'; numerator: Predicate[]; denominator: Predicate[] };

/**
 * How many actors reach each step, in order and within the window from their first step. One row per step: `[count]`.
 * The selection's range bounds the first step only.
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
  /** Events that the selection matched. */
  matched: number;
  /** Epoch milliseconds of the first and last of them. */
  firstAt: number | null;
  lastAt: number | null;
}
