import { agentToRead } from '../../../base/shared/agent.ts';
import type { Caller } from '../../../base/shared/caller.ts';
import type { Effects } from '../../../base/shared/effects.ts';
import { RuntimeError } from '../../../base/shared/errors.ts';
import { quotient } from '../decimals.ts';
import type { DateGrouping } from '../fields.ts';
import { nameOfProperty } from '../predicates.ts';
import type { PlanResult, QueryPlan } from '../query-plan.ts';
import type { Column, Feed, ShownRow, ShownTable, Table } from '../schema.ts';
import type { KnownProperty, ReadableEvents } from '../store.ts';
import type { FunnelStep } from './answer-schema.ts';
import {
  checkPoints,
  type FeedQuestion,
  type FunnelQuestion,
  type KpiPlan,
  mostGroups,
  namesOf,
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
import type { KpiQuestion, TableQuestion } from './question.ts';
import { notesOnRetention, planRetention, planStarts, retentionOf, retentionTable } from './retention.ts';
import {
  columnType,
  fillSeries,
  type Measure,
  type MeasuredGroup,
  measureOf,
  namedGroups,
  propertyOf,
  valueAsShown,
} from './rows.ts';

const WAIT_TIMEOUT_MS = 5_000;

export interface QueryOptions {
  /** Receipt of an ingest whose events the answer must include. */
  waitFor?: string | undefined;
  signal?: AbortSignal | undefined;
  /** A measure throws `unavailable` while accepted events are not counted yet. */
  isComplete?: boolean;
}

/** The caller's rights have been checked. */
export interface QueryContext extends QueryOptions {
  store: ReadableEvents;
  effects: Pick<Effects, 'now'>;
  caller: Caller;
  /** Only events of these executions; undefined: no restriction. */
  executionIds?: readonly string[] | undefined;
  /** JSON of the rows of a table; undefined: any. */
  maxBytes?: number | undefined;
  /** Rows of single events leave out what is null. */
  sparse?: boolean;
  /** Where a question leaves what is late, for the notes of its answer. */
  late?: { since: number | null };
}

/** Times are epoch milliseconds. */
export interface Matched {
  range: ResolvedRange;
  matched: number;
  lastAt: number | null;
}

export interface TableResult<Shown extends ShownTable = ShownTable> extends Matched {
  table: Shown;
  /** Sentences on the rows. */
  notes?: string[];
}

export interface KpiResult extends Matched {
  overall: Measure;
  previous: Measure | null;
  previousRange: { from: number | null; to: number | null } | null;
  groups: MeasuredGroup[] | null;
  totalGroups: number;
  /** Maximum number of named groups; null without groups. */
  topGroups: number | null;
  series: (Measure & { bucket: string; group?: unknown })[] | null;
}

export interface FunnelResult extends Matched {
  steps: FunnelStep[];
}

export async function askFeed(input: FeedQuestion, context: QueryContext): Promise<Feed> {
  await waitForReceipt(context);
  const { rows, total } = await run(planFeed(input, planContext(context)), context);
  return { events: rows.map(([text]) => text as string), total };
}

export async function askTable(input: TableQuestion, context: QueryContext): Promise<TableResult<Table>> {
  const result = await askRows(input, context);
  return { ...result, table: { ...result.table, rows: rowObjects(result.table.rows) } };
}

/** Parses rows that are JSON texts. */
export function rowObjects(rows: ShownRow[]): Table['rows'] {
  return rows.map((row) => (typeof row === 'string' ? (JSON.parse(row) as Table['rows'][number]) : row));
}

export async function askRows(input: TableQuestion, context: QueryContext): Promise<TableResult> {
  // The known properties must include those of the awaited events.
  await waitForReceipt(context);
  if (input.mode === 'retention') return askRetention(input, context);
  const planning = planContext(context);
  const { range } = planSelection(input, planning);
  const agentId = agentToRead(planning, input.agentId);
  const keys = input.mode === 'raw' ? input.columns : tableShape(input).groupKeys;
  const read = keys?.map(propertyOf).filter((key) => key !== null);
  const known =
    read?.length === 0
      ? []
      : await context.store.knownProperties(context.caller.tenantId, agentId, namesOf(input)!, read);
  const { columns, plan } =
    input.mode === 'raw' ? rawTable(input, known, planning) : aggregateTable(input, known, planning);
  const result = await run(plan, context);
  const rows = result.rows.map((row) =>
    input.mode === 'raw'
      ? (row[0] as string)
      : Object.fromEntries(columns.map(({ key, type }, at) => [key, valueAsShown(type, row[at])])),
  );
  return { table: { rows, total: result.total, columns }, range, matched: result.matched, lastAt: result.lastAt };
}

function rawTable(input: TableQuestion, known: KnownProperty[], planning: PlanContext) {
  const keys = input.columns ?? [
    'id',
    'timestamp',
    ...(namesOf(input)!.length > 1 ? ['eventName'] : []),
    'threadId',
    'executionId',
    ...known.filter((property) => !property.nested).map((property) => nameOfProperty(property.key)),
  ];
  const columns: Column[] = keys.map((key) => ({ key, type: columnType(key, known) }));
  return { columns, plan: planRaw(input, keys, planning) };
}

function aggregateTable(input: TableQuestion, known: KnownProperty[], planning: PlanContext) {
  const { groupKeys, metrics } = tableShape(input);
  const columns: Column[] = [
    ...groupKeys.map((key) => ({ key, type: columnType(key, known) })),
    ...metrics.map((metric) => ({ key: metric.alias, type: 'number' as const })),
  ];
  return { columns, plan: planTable(input, planning) };
}

async function askRetention(input: TableQuestion, context: QueryContext): Promise<TableResult> {
  const planning = planContext(context);
  const planned = await plannedRetention(input, planning, context);
  const result = await run(planned.plan, context);
  return {
    table: retentionTable(planned, result, input),
    range: planned.range,
    matched: result.matched,
    lastAt: result.lastAt,
    notes: notesOnRetention(planned, result, retentionOf(input)),
  };
}

async function plannedRetention(input: TableQuestion, planning: PlanContext, context: QueryContext) {
  const { range } = planSelection(input, planning);
  const isBounded = range.from !== null && range.to !== null && range.to <= planning.now;
  return planRetention(input, planning, isBounded ? undefined : await run(planStarts(input, planning), context));
}

export async function askKpi(input: KpiQuestion, context: QueryContext): Promise<KpiResult> {
  await waitForReceipt(context);
  const planning = planContext(context);
  const plan = planKpi(input, planning);
  const [{ overall, series }, previous] = await Promise.all([
    askOverTime(plan, input, planning.now, context),
    plan.previous && run(plan.previous, context),
  ]);
  const [groups, before] = await Promise.all([
    plan.groups && !series ? run(plan.groups, context) : null,
    plan.previousGroups && run(plan.previousGroups, context),
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

async function askOverTime(plan: KpiPlan, input: KpiQuestion, now: number, context: QueryContext) {
  const unit = input.dateGrouping;
  const { from, to } = plan.range;
  if (unit && input.aggregation === 'count' && !plan.groups && from !== null && to !== null) {
    // Counts add up: the series gives the number, too.
    const { result, series } = await askSeries(plan, input, unit, { from, to }, context);
    const count = result.rows.reduce((sum, [counted]) => sum + (counted as number), 0);
    return { overall: { ...result, rows: [[count]] }, series };
  }
  const overall = await run(plan.overall, context);
  const first = from ?? overall.firstAt;
  if (!unit) return { overall, series: null };
  if (first === null) return { overall, series: { points: [], totalGroups: 0 } };
  const range = { from: first, to: to ?? Math.max(now, overall.lastAt ?? now) + 1 };
  return { overall, series: (await askSeries(plan, input, unit, range, context)).series };
}

async function askSeries(
  plan: KpiPlan,
  input: KpiQuestion,
  unit: DateGrouping,
  { from, to }: { from: number; to: number },
  context: QueryContext,
) {
  const buckets = planBuckets(plan, unit, from, to);
  const planned = planSeries(plan, unit, from, to);
  const top = planned.top && Math.min(planned.top, mostGroups(buckets.length));
  const result = await run({ ...planned, top }, context);
  checkPoints(plan, result.total, buckets.length);
  return {
    result,
    series: { points: fillSeries(result.rows, buckets, plan.groupKeys, input), totalGroups: result.total },
  };
}

export async function askFunnel(input: FunnelQuestion, context: QueryContext): Promise<FunnelResult> {
  await waitForReceipt(context);
  const planning = planContext(context);
  const { range } = planSelection(input, planning);
  const { rows, matched, lastAt } = await run(planFunnel(input, planning), context);
  const counts = rows.map((row) => row[0] as number);
  const steps = input.steps.map((step, index) => ({
    label: step.label ?? step.eventName,
    eventName: step.eventName,
    count: counts[index] ?? 0,
    conversion: counts[0] ? quotient(counts[index] ?? 0, counts[0]) : null,
  }));
  return { steps, range, matched, lastAt };
}

async function run(plan: QueryPlan, { store, caller, signal, late }: QueryContext): Promise<PlanResult> {
  const result = await store.query(caller.tenantId, plan, signal);
  if (late && result.lateSince !== undefined) late.since = Math.min(late.since ?? result.lateSince, result.lateSince);
  return result;
}

export function planContext({ caller, effects, executionIds, maxBytes, sparse }: QueryContext): PlanContext {
  return { agentId: caller.agentId, timezone: caller.timezone, now: effects.now(), executionIds, maxBytes, sparse };
}

/** Throws `unavailable` when the receipt's events do not become visible in time. */
async function waitForReceipt({ store, waitFor }: QueryContext): Promise<void> {
  if (waitFor === undefined || (await store.waitFor(waitFor, WAIT_TIMEOUT_MS))) return;
  throw new RuntimeError('unavailable', 'The events of this receipt are stored but not visible yet. Ask again.', {
    retryAfter: 1,
  });
}
