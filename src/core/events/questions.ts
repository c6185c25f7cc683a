import type { Caller } from '../caller.ts';
import type { Effects } from '../effects.ts';
import { RuntimeError } from '../errors.ts';
import type { FunnelStep } from './answers.ts';
import {
  type KpiPlan,
  type PlanContext,
  planBuckets,
  planFeed,
  planFunnel,
  planKpi,
  planRaw,
  planSelection,
  planSeries,
  planTable,
  type ResolvedRange,
  tableShape,
} from './plan.ts';
import { fieldOf, nameOfProperty } from './predicates.ts';
import type { AggregatePlan, PlanResult } from './query-plan.ts';
import type { AggregateEvents, Column, EventsQuery, Feed, FeedQuery, FunnelQuery, Table } from './schema.ts';
import type { EventStore, KnownProperty } from './store.ts';
import { type Bucket, formatUtc } from './time.ts';

/** How long a caller may wait to see its own writes. */
const WAIT_TIMEOUT_MS = 5_000;

export interface Asking {
  caller: Caller;
  /** Receipt of an ingest whose events the answer must hold. */
  waitFor?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface TableResult {
  table: Table;
  range: ResolvedRange;
  matched: number;
  lastAt: number | null;
}

/** One value of a KPI: a rate comes with its counts. */
export interface Measure {
  value: number | null;
  numerator?: number;
  denominator?: number;
}

/** A group, compared with itself in the previous period where that was asked for and is known. */
export type MeasuredGroup = Measure & { group: unknown; previous?: Measure };

export interface KpiResult {
  range: ResolvedRange;
  overall: Measure;
  previous: Measure | null;
  /** Epoch milliseconds; null without a comparison. */
  previousRange: { from: number | null; to: number | null } | null;
  groups: MeasuredGroup[] | null;
  /** How many groups there are, and how many of them are shown by name at most; null without groups. */
  totalGroups: number;
  topGroups: number | null;
  series: (Measure & { bucket: string; group?: unknown })[] | null;
  matched: number;
  lastAt: number | null;
}

export interface FunnelResult {
  steps: FunnelStep[];
  range: ResolvedRange;
  matched: number;
  lastAt: number | null;
}

/**
 * The questions that can be asked of events, from a checked request to a finished answer: plan, run, and put names to
 * what comes back. Whether the caller may ask is decided before.
 */
export class Questions {
  private readonly store: EventStore;
  private readonly effects: Effects;

  constructor(store: EventStore, effects: Effects) {
    this.store = store;
    this.effects = effects;
  }

  async feed(input: FeedQuery, asking: Asking): Promise<Feed> {
    await this.wait(asking);
    const { rows, total } = await this.run(planFeed(input, this.context(asking)), asking);
    return {
      events: rows.map(([id, eventName, threadId, executionId, timestamp, properties]) => ({
        id: id as string,
        eventName: eventName as string,
        properties: properties as Record<string, unknown>,
        threadId: threadId as string | null,
        executionId: executionId as string | null,
        timestamp: formatUtc(timestamp as number),
      })),
      total,
    };
  }

  async table(input: EventsQuery, asking: Asking): Promise<TableResult> {
    // Waiting comes first: the known properties must be those of the awaited events too.
    await this.wait(asking);
    const context = this.context(asking);
    const { range } = planSelection(input, context);
    const agentId = input.agentId ?? context.agentId;
    const known = await this.store.knownProperties(asking.caller.tenantId, agentId, [input.eventName]);
    const { columns, result } =
      input.mode === 'raw'
        ? await this.rawTable(input, known, context, asking)
        : await this.aggregateTable(input, known, context, asking);
    const rows = result.rows.map((row) =>
      Object.fromEntries(columns.map(({ key, type }, at) => [key, shownValue(type, row[at])])),
    );
    return { table: { rows, total: result.total, columns }, range, matched: result.matched, lastAt: result.lastAt };
  }

  async kpi(input: AggregateEvents, asking: Asking): Promise<KpiResult> {
    await this.wait(asking);
    const context = this.context(asking);
    const plan = planKpi(input, context);
    const run = (aggregate: AggregatePlan) => this.run(aggregate, asking);
    const [overall, previous] = await Promise.all([run(plan.overall), plan.previous && run(plan.previous)]);
    const series = input.dateGrouping ? await this.series(plan, input, overall, context.now, asking) : null;
    const [groups, before] = await Promise.all([
      plan.groups && !series ? run(plan.groups) : null,
      plan.previousGroups && run(plan.previousGroups),
    ]);
    const value = measureOf(overall.rows[0] ?? [], 0, input);
    return {
      range: plan.range,
      overall: value,
      previous: previous && measureOf(previous.rows[0] ?? [], 0, input),
      previousRange: plan.previous && { from: plan.previous.selection.from, to: plan.previous.selection.to },
      groups: groups && namedGroups(groups.rows, before, plan.groupKeys, input),
      totalGroups: series?.totalGroups ?? groups?.total ?? 0,
      topGroups: plan.groups?.top ?? null,
      series: series?.points ?? null,
      matched: value.denominator ?? overall.matched,
      lastAt: overall.lastAt,
    };
  }

  /** Actors that reached each step, in the order of the steps. */
  async funnel(input: FunnelQuery, asking: Asking): Promise<FunnelResult> {
    await this.wait(asking);
    const context = this.context(asking);
    const { range } = planSelection(input, context);
    const plan = planFunnel(input, context);
    const { rows, matched, lastAt } = await this.run(plan, asking);
    const counts = rows.map((row) => row[0] as number);
    const steps = input.steps.map((step, index) => ({
      label: step.label ?? step.eventName,
      eventName: step.eventName,
      count: counts[index] ?? 0,
      conversion: counts[0] ? (counts[index] ?? 0) / counts[0] : null,
    }));
    return { steps, range, matched, lastAt };
  }

  private async series(plan: KpiPlan, input: AggregateEvents, overall: PlanResult, now: number, asking: Asking) {
    const from = plan.range.from ?? overall.firstAt;
    const to = plan.range.to ?? Math.max(now, overall.lastAt ?? now) + 1;
    if (from === null || !input.dateGrouping) return { points: [], totalGroups: 0 };
    const buckets = planBuckets(plan, input.dateGrouping, from, to);
    const result = await this.run(planSeries(plan, input.dateGrouping, from, to), asking);
    return { points: fillSeries(result.rows, buckets, plan.groupKeys, input), totalGroups: result.total };
  }

  private async rawTable(input: EventsQuery, known: KnownProperty[], context: PlanContext, asking: Asking) {
    const keys = input.columns ?? [
      'id',
      'timestamp',
      'threadId',
      'executionId',
      ...known.filter((property) => !property.nested).map((property) => nameOfProperty(property.key)),
    ];
    const result = await this.run(planRaw(input, keys, context), asking);
    return { columns: keys.map((key) => ({ key, type: columnType(key, known) })), result };
  }

  private async aggregateTable(input: EventsQuery, known: KnownProperty[], context: PlanContext, asking: Asking) {
    const { groupKeys, metrics } = tableShape(input);
    const result = await this.run(planTable(input, context), asking);
    const columns: Column[] = [
      ...groupKeys.map((key) => ({ key, type: columnType(key, known) })),
      ...metrics.map((metric) => ({ key: metric.alias, type: 'number' as const })),
    ];
    return { columns, result };
  }

  private run(plan: Parameters<EventStore['query']>[1], asking: Asking): Promise<PlanResult> {
    return this.store.query(asking.caller.tenantId, plan, asking.signal);
  }

  private context({ caller }: Asking): PlanContext {
    return { agentId: caller.agentId, timezone: caller.timezone, now: this.effects.now() };
  }

  /** Waits for the events of a receipt. Throws `unavailable` when they do not become visible in time. */
  private async wait({ waitFor }: Asking): Promise<void> {
    if (waitFor === undefined || (await this.store.waitFor(waitFor, WAIT_TIMEOUT_MS))) return;
    throw new RuntimeError('unavailable', 'The events of this receipt are stored but not visible yet. Ask again.', {
      retryAfter: 1,
    });
  }
}

/** A value as an answer gives it: stores give times as epoch milliseconds. */
function shownValue(type: Column['type'], value: unknown): unknown {
  return type === 'datetime' && typeof value === 'number' ? formatUtc(value) : value;
}

function columnType(key: string, known: KnownProperty[]): Column['type'] {
  const field = fieldOf(key);
  if (field.kind === 'event') return field.name === 'timestamp' ? 'datetime' : 'string';
  const name = field.paths[0]![0]!;
  const types = new Set(known.filter((property) => property.key === name).flatMap((property) => property.types));
  const [type] = types;
  return types.size === 1 && type ? type : 'mixed';
}

function measureOf(row: unknown[], groups: number, input: AggregateEvents): Measure {
  const [value, numerator, denominator] = row.slice(groups) as (number | null)[];
  if (input.aggregation !== 'rate') return { value: value ?? null };
  return { value: value ?? null, numerator: numerator ?? 0, denominator: denominator ?? 0 };
}

/** One key gives its value, several an object. */
function groupOf(row: unknown[], keys: string[]): unknown {
  const values = keys.map((key, index) => shownValue(columnType(key, []), row[index]));
  return keys.length === 1 ? values[0] : Object.fromEntries(keys.map((key, index) => [key, values[index]]));
}

function namedGroups(
  rows: unknown[][],
  before: PlanResult | null,
  keys: string[],
  input: AggregateEvents,
): MeasuredGroup[] {
  const nameOf = groupNames(rows, keys);
  const valuesOf = (row: unknown[]) => JSON.stringify(row.slice(0, keys.length));
  const known = new Map(before?.rows.map((row) => [valuesOf(row), row]));
  const isWhole = before !== null && before.rows.length === before.total;
  // What is beyond the top are other groups in each period, so that there is nothing to compare.
  const previousOf = (row: unknown[]) =>
    isRest(row) ? undefined : (known.get(valuesOf(row)) ?? (isWhole ? emptyRow(keys, input) : undefined));
  return rows.map((row) => {
    const previous = previousOf(row);
    return {
      group: nameOf(row),
      ...measureOf(row, keys.length, input),
      ...(previous ? { previous: measureOf(previous, keys.length, input) } : {}),
    };
  });
}

/** The row of a group or bucket in which nothing happened: a count is 0 then, and the rest null. */
function emptyRow(keys: string[], { aggregation }: AggregateEvents): unknown[] {
  const nothing = aggregation === 'count' || aggregation === 'distinct_count' ? 0 : null;
  return [...Array<null>(keys.length).fill(null), nothing];
}

/** Names for the groups of these rows. What is beyond the top is "other", unless a group is called just that. */
function groupNames(rows: unknown[][], keys: string[]): (row: unknown[]) => unknown {
  const taken = rows.some((row) => !isRest(row) && groupOf(row, keys) === 'other');
  const rest = taken ? 'other (all remaining groups)' : 'other';
  return (row) => (isRest(row) ? rest : groupOf(row, keys));
}

function isRest(row: unknown[]): boolean {
  return row.at(-1) === true;
}

/** Every bucket for every group, in the order of the groups. */
function fillSeries(rows: unknown[][], buckets: Bucket[], keys: string[], input: AggregateEvents) {
  const groups = new Map<string, { row: unknown[]; byBucket: Map<unknown, unknown[]> }>();
  if (keys.length === 0) groups.set('', { row: [], byBucket: new Map() });
  for (const row of rows) {
    const name = keys.length === 0 ? '' : JSON.stringify([isRest(row), row.slice(0, keys.length)]);
    const group = groups.get(name) ?? { row, byBucket: new Map<unknown, unknown[]>() };
    group.byBucket.set(row.at(-2), row);
    groups.set(name, group);
  }
  const nameOf = groupNames(rows, keys);
  const empty = emptyRow(keys, input);
  return [...groups.values()].flatMap(({ row, byBucket }) =>
    buckets.map(({ key, label }) => ({
      bucket: label,
      ...(keys.length === 0 ? {} : { group: nameOf(row) }),
      ...measureOf(byBucket.get(key) ?? empty, keys.length, input),
    })),
  );
}
