import type { AggregatePlan, PlanResult } from '../../../core/analytics/events/query-plan.ts';
import { Aggregates, type AggregateValues, MergedValues } from './aggregates.ts';

/** Events of one group, or of one bucket of it. */
export interface GroupRow {
  /** Values of the plan's groups. */
  key: unknown[];
  /** The key in the words of its engine, for `AggregateSource.slots`. */
  stored: unknown[];
  bucket: number | null;
  values: AggregateValues;
  events: number;
  /** Epoch milliseconds; null without events. */
  firstAt: number | null;
  lastAt: number | null;
}

export interface GroupTotals {
  groups: number;
  matched: number;
  firstAt: number | null;
  lastAt: number | null;
}

export type Grouping = Pick<AggregatePlan, 'selection' | 'groupBy' | 'bucket' | 'maxText' | 'sort'>;

/** Where the groups of an aggregate plan come from: an engine, or columns in memory. */
export interface AggregateSource {
  /**
   * Groups, each with its buckets. Of more than `most` rows it gives so many and one more: without
   * buckets the first ones by `grouping.sort`, though values are not rounded for it.
   */
  rows(grouping: Grouping, aggregates: Aggregates, most: number): Promise<GroupRow[]>;
  /** Rows from a place on, in the engine's order. */
  page(grouping: Grouping, aggregates: Aggregates, page: { limit: number; offset: number }): Promise<GroupRow[]>;
  totals(grouping: Grouping): Promise<GroupTotals>;
  /** The keys' groups, numbered from 1, and as number 0 all other events, each with its buckets. */
  slots(grouping: Grouping, aggregates: Aggregates, stored: unknown[][]): Promise<Slot[]>;
}

export type Slot = Pick<GroupRow, 'bucket' | 'values'> & { slot: number };

export interface GroupLimits {
  /** Up to so many groups, or buckets of groups, are added up, rounded and ordered here. */
  rows: number;
  /** Pages that end behind this place have the engine's order, whose ties are not rounded. */
  offset: number;
}

const LIMITS: GroupLimits = { rows: 2_000, offset: 20_000 };

/** Computes the answer of an aggregate plan. `limits` only for tests. */
export async function answerGroups(
  source: AggregateSource,
  plan: AggregatePlan,
  limits: GroupLimits = LIMITS,
): Promise<PlanResult> {
  const aggregates = new Aggregates(plan.metrics);
  return plan.top === null
    ? allGroups(source, plan, aggregates, limits)
    : topGroups(source, { ...plan, top: plan.top, sort: BY_FIRST_METRIC }, aggregates, limits);
}

const BY_FIRST_METRIC = { by: 'metric', index: 0, descending: true } as const;

async function allGroups(
  source: AggregateSource,
  plan: AggregatePlan,
  aggregates: Aggregates,
  limits: GroupLimits,
): Promise<PlanResult> {
  const end = plan.limit === null ? Number.POSITIVE_INFINITY : plan.offset + plan.limit;
  const isFar = plan.limit !== null && end > limits.offset;
  const most = isFar ? 0 : plan.limit === null ? end : Math.max(limits.rows, end);
  const rows = isFar
    ? await source.page(plan, aggregates, { limit: plan.limit!, offset: plan.offset })
    : await source.rows(plan, aggregates, most);
  const totals = rows.length > most || isFar ? await source.totals(plan) : totalsOf(rows, plan);
  const ends = (row: GroupRow) => (plan.seen ? [row.firstAt, row.lastAt] : [row.bucket, false]);
  const shown = rows.map((row) => [...row.key, ...aggregates.shown(row.values), ...ends(row)]);
  if (isFar) return result(withinPage(shown, plan.page), totals);
  const ordered = shown.toSorted(orderOf(plan, aggregates));
  return result(withinPage(ordered.slice(plan.offset, end), plan.page), totals);
}

type TopPlan = AggregatePlan & { top: number };

async function topGroups(
  source: AggregateSource,
  plan: TopPlan,
  aggregates: Aggregates,
  limits: GroupLimits,
): Promise<PlanResult> {
  const most = Math.max(limits.rows, plan.top);
  const rows = await source.rows(plan, aggregates, most);
  const isWhole = rows.length <= most;
  const isRanked = plan.bucket === null;
  const needsNoMerge = rows.length === 0 || (isRanked && rows.length <= plan.top);
  if (isWhole && (needsNoMerge || aggregates.canMerge)) return mergedTop(plan, aggregates, rows);
  const first = new Aggregates(plan.metrics.slice(0, 1));
  const ranking = { ...plan, bucket: null };
  const groups = isRanked ? rows : await source.rows(ranking, first, most);
  const totals = groups.length > most ? await source.totals(ranking) : totalsOf(groups, ranking);
  const top = ranked(plan, isRanked ? aggregates : first, groups).slice(0, plan.top);
  const stored = top.map((group) => group.stored);
  const slots = await source.slots(plan, aggregates, stored);
  return result(slotRows(plan, aggregates, top, slots), totals);
}

function mergedTop(plan: TopPlan, aggregates: Aggregates, rows: GroupRow[]): PlanResult {
  const groups = new Map<string, { row: GroupRow; merged: MergedValues }>();
  const keys = rows.map((row) => JSON.stringify(row.stored));
  for (const [at, row] of rows.entries()) {
    const group = groups.get(keys[at]!) ?? { row, merged: new MergedValues(aggregates) };
    groups.set(keys[at]!, group);
    group.merged.add(row.values);
  }
  const whole = [...groups.values()].map(({ row, merged }) => ({ ...row, bucket: null, values: merged.result }));
  const top = ranked(plan, aggregates, whole).slice(0, plan.top);
  const slotOf = new Map(top.map((group, at) => [JSON.stringify(group.stored), at + 1]));
  const rest = new Map<number | null, MergedValues>();
  const slots: Slot[] = [];
  for (const [at, { bucket, values }] of rows.entries()) {
    const slot = slotOf.get(keys[at]!);
    if (slot !== undefined) {
      slots.push({ slot, bucket, values });
      continue;
    }
    const merged = rest.get(bucket) ?? new MergedValues(aggregates);
    rest.set(bucket, merged);
    merged.add(values);
  }
  for (const [bucket, merged] of rest) slots.push({ slot: 0, bucket, values: merged.result });
  return result(slotRows(plan, aggregates, top, slots), totalsOf(rows, plan));
}

/** Rows by rank, the rest at the end, each by time. */
function slotRows({ groupBy }: TopPlan, aggregates: Aggregates, top: GroupRow[], slots: Slot[]): unknown[][] {
  const none = groupBy.map(() => null);
  const rank = ({ slot }: Slot) => (slot === 0 ? top.length : slot - 1);
  return slots
    .toSorted((one, other) => rank(one) - rank(other) || (one.bucket ?? 0) - (other.bucket ?? 0))
    .map(({ slot, bucket, values }) => [
      ...(slot === 0 ? none : top[slot - 1]!.key),
      ...aggregates.shown(values),
      bucket,
      slot === 0,
    ]);
}

function ranked(plan: TopPlan, aggregates: Aggregates, groups: GroupRow[]): GroupRow[] {
  const order = orderOf(plan, aggregates);
  return groups
    .map((group) => ({ group, row: [...group.key, ...aggregates.shown(group.values)] }))
    .sort((one, other) => order(one.row, other.row))
    .map(({ group }) => group);
}

function result(rows: unknown[][], { groups, ...totals }: GroupTotals): PlanResult {
  return { rows, total: groups, ...totals };
}

function totalsOf(rows: GroupRow[], { groupBy, bucket }: Grouping): GroupTotals {
  let [matched, firstAt, lastAt] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    matched += row.events;
    firstAt = Math.min(firstAt, row.firstAt ?? Number.POSITIVE_INFINITY);
    lastAt = Math.max(lastAt, row.lastAt ?? Number.NEGATIVE_INFINITY);
  }
  const groups = bucket === null ? rows.length : new Set(rows.map(({ stored }) => JSON.stringify(stored))).size;
  const range = matched === 0 ? { firstAt: null, lastAt: null } : { firstAt, lastAt };
  return { groups: groupBy.length === 0 ? 1 : groups, matched, ...range };
}

/** Ties go by group, ascending; rows of one group by time. */
function orderOf({ groupBy, sort, bucket }: AggregatePlan, aggregates: Aggregates) {
  const keys = groupBy.length;
  const at = sort.by === 'group' ? sort.index : keys + aggregates.placeOf(sort.index);
  return (one: unknown[], other: unknown[]): number => {
    if (bucket !== null && groupBy.length === 0) return Number(one.at(-2)) - Number(other.at(-2));
    const difference = compareValues(one[at], other[at], sort.descending);
    if (difference !== 0) return difference;
    for (let index = 0; index < keys; index += 1) {
      const tie = compareValues(one[index], other[index], false);
      if (tie !== 0) return tie;
      // `true` and "true" are equal as text but are two groups.
      if (typeof one[index] !== typeof other[index]) return typeof one[index] === 'string' ? -1 : 1;
    }
    return Number(one.at(-2)) - Number(other.at(-2));
  };
}

/** Numbers, then text by code point, absent values last; the direction applies within each type. */
function compareValues(one: unknown, other: unknown, descending: boolean): number {
  const rank = rankOf(one) - rankOf(other);
  if (rank !== 0 || one === null || one === other) return rank;
  const sign = descending ? -1 : 1;
  if (typeof one === 'number') return sign * (one - (other as number));
  return sign * Buffer.compare(Buffer.from(textOf(one)), Buffer.from(textOf(other)));
}

function rankOf(value: unknown): number {
  if (value === null) return 2;
  return typeof value === 'number' ? 0 : 1;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The first rows that fit, but one at least. */
function withinPage(rows: unknown[][], page: number | undefined): unknown[][] {
  if (page === undefined) return rows;
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += JSON.stringify(row).length;
    return index > 0 && bytes > page;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
