import type { Caller } from '../../shared/caller.ts';
import type { Effects } from '../../shared/effects.ts';
import { RuntimeError } from '../../shared/errors.ts';
import type { DateGrouping } from '../fields.ts';
import { nameOfProperty } from '../predicates.ts';
import type { AggregatePlan, PlanResult } from '../query-plan.ts';
import type { AggregateEvents, Column, EventsQuery, Feed, FeedQuery, FunnelQuery, Table } from '../schema.ts';
import type { EventStore, KnownProperty } from '../store.ts';
import { formatUtc } from '../time.ts';
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
import {
  columnType,
  fillSeries,
  type Measure,
  type MeasuredGroup,
  measureOf,
  namedGroups,
  valueAsShown,
} from './rows.ts';

/** How long a caller may wait to see its own writes. */
const WAIT_TIMEOUT_MS = 5_000;

export interface Asking {
  caller: Caller;
  /** Receipt of an ingest whose events the answer must hold. */
  waitFor?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Only events of these executions. */
  executionIds?: readonly string[] | undefined;
}

export interface TableResult {
  table: Table;
  range: ResolvedRange;
  matched: number;
  lastAt: number | null;
}

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
      Object.fromEntries(columns.map(({ key, type }, at) => [key, valueAsShown(type, row[at])])),
    );
    return { table: { rows, total: result.total, columns }, range, matched: result.matched, lastAt: result.lastAt };
  }

  async kpi(input: AggregateEvents, asking: Asking): Promise<KpiResult> {
    await this.wait(asking);
    const context = this.context(asking);
    const plan = planKpi(input, context);
    const run = (aggregate: AggregatePlan) => this.run(aggregate, asking);
    const [{ overall, series }, previous] = await Promise.all([
      this.overTime(plan, input, context.now, asking),
      plan.previous && run(plan.previous),
    ]);
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

  /** The single number, and the series when there is one. */
  private async overTime(plan: KpiPlan, input: AggregateEvents, now: number, asking: Asking) {
    const unit = input.dateGrouping;
    const { from, to } = plan.range;
    if (unit && input.aggregation === 'count' && !plan.groups && from !== null && to !== null) {
      // Counts add up: the series holds the number too.
      const { result, series } = await this.series(plan, input, unit, { from, to }, asking);
      const count = result.rows.reduce((sum, [counted]) => sum + (counted as number), 0);
      return { overall: { ...result, rows: [[count]] }, series };
    }
    const overall = await this.run(plan.overall, asking);
    const first = from ?? overall.firstAt;
    if (!unit) return { overall, series: null };
    if (first === null) return { overall, series: { points: [], totalGroups: 0 } };
    const range = { from: first, to: to ?? Math.max(now, overall.lastAt ?? now) + 1 };
    return { overall, series: (await this.series(plan, input, unit, range, asking)).series };
  }

  private async series(
    plan: KpiPlan,
    input: AggregateEvents,
    unit: DateGrouping,
    { from, to }: { from: number; to: number },
    asking: Asking,
  ) {
    const buckets = planBuckets(plan, unit, from, to);
    const result = await this.run(planSeries(plan, unit, from, to), asking);
    return {
      result,
      series: { points: fillSeries(result.rows, buckets, plan.groupKeys, input), totalGroups: result.total },
    };
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

  private context({ caller, executionIds }: Asking): PlanContext {
    return { agentId: caller.agentId, timezone: caller.timezone, now: this.effects.now(), executionIds };
  }

  /** Waits for the events of a receipt. Throws `unavailable` when they do not become visible in time. */
  private async wait({ waitFor }: Asking): Promise<void> {
    if (waitFor === undefined || (await this.store.waitFor(waitFor, WAIT_TIMEOUT_MS))) return;
    throw new RuntimeError('unavailable', 'The events of this receipt are stored but not visible yet. Ask again.', {
      retryAfter: 1,
    });
  }
}
