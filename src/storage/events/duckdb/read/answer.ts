import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type AggregatePlan,
  type BreakdownPlan,
  type ClustersPlan,
  clustersResult,
  type FunnelPlan,
  type PlanResult,
  type QueryPlan,
  type RawPlan,
  type RetentionPlan,
  type Selection,
} from '../../../../core/analytics/events/query-plan.ts';
import { exactDecimals, withinPage } from '../../shared/exact-decimals.ts';
import { startsOf, throughLastStep } from '../../shared/selections.ts';
import { unavailable } from '../faults.ts';
import { aggregateStatement, summaryStatement } from './compile-aggregate.ts';
import { breakdownStatement, clustersStatement } from './compile-breakdown.ts';
import { type CompiledPage, type Edges, edgesStatement, pageByField, pageByTime, sortsByTime } from './compile-raw.ts';
import { matchedStatement, storedCountsStatement } from './compile-selection.ts';
import { funnelStatement, retentionStatement } from './compile-sequences.ts';
import type { CompiledQuery, Source } from './expressions.ts';
import { readTexts } from './rows.ts';

export function answer(connection: DuckDBConnection, source: Source, plan: QueryPlan): Promise<PlanResult> {
  switch (plan.kind) {
    case 'raw':
      return answerRaw(connection, source, plan);
    case 'aggregate':
      return answerAggregate(connection, source, plan);
    case 'funnel':
      return answerFunnel(connection, source, plan);
    case 'retention':
      return answerRetention(connection, source, plan);
    case 'breakdown':
      return answerBreakdown(connection, source, plan);
    case 'clusters':
      return answerClusters(connection, source, plan);
  }
}

async function answerRaw(connection: DuckDBConnection, source: Source, plan: RawPlan): Promise<PlanResult> {
  const totals = await matched(connection, source, plan.selection);
  const wanted = Math.max(0, Math.min(plan.limit, totals.matched - plan.offset));
  const rows = wanted === 0 ? [] : await pageOf(connection, source, plan, { ...totals, wanted });
  return { rows, total: totals.matched, ...totals };
}

interface Totals {
  matched: number;
  firstAt: number | null;
  lastAt: number | null;
}

/** Up to this row the page is read directly from its likely time range. */
const NEAR_ROWS = 500;

async function pageOf(
  connection: DuckDBConnection,
  source: Source,
  plan: RawPlan,
  totals: Totals & { wanted: number },
): Promise<unknown[][]> {
  if (!sortsByTime(plan)) return pageOfField(connection, source, plan, totals.wanted);
  const likely = { ...plan, selection: likelySelection(plan, totals) };
  if (plan.offset + plan.limit <= NEAR_ROWS) {
    const lines = await readPage(connection, pageByTime(source, likely, plan.offset));
    if (lines.texts.length === totals.wanted) return rowsOf(lines, plan);
  }
  const end = Math.min(plan.offset + plan.limit, totals.matched);
  for (const candidate of [likely, plan]) {
    const [edges] = await readLines<Edges>(connection, edgesStatement(source, candidate));
    const [first, last, before, through] = edges ?? [0, 0, 0, 0];
    if (through < end) continue;
    const selection = { ...plan.selection, from: Math.min(first, last), to: Math.max(first, last) + 1 };
    return rowsOf(await readPage(connection, pageByTime(source, { ...plan, selection }, plan.offset - before)), plan);
  }
  return [];
}

const ATTEMPTS = 5;

/** A checkpoint may renumber rows (DuckDB 1.5): an incomplete page is read again. */
async function pageOfField(
  connection: DuckDBConnection,
  source: Source,
  plan: RawPlan,
  wanted: number,
): Promise<unknown[][]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const lines = await readPage(connection, pageByField(source, plan));
    if (lines.texts.length === wanted) return rowsOf(lines, plan);
  }
  throw unavailable(new Error('rows were renumbered again and again'));
}

/** The page's time range if events arrived at an even pace, with a margin. */
function likelySelection({ selection, sort, offset, limit }: RawPlan, { matched, firstAt, lastAt }: Totals): Selection {
  if (firstAt === null || lastAt === null) return selection;
  const share = (MARGIN * (offset + limit)) / matched;
  if (share >= 1) return selection;
  const span = Math.ceil((lastAt - firstAt) * share);
  return sort.descending ? { ...selection, from: lastAt - span } : { ...selection, to: firstAt + span + 1 };
}

const MARGIN = 4;

interface Lines extends Pick<CompiledPage, 'toRow'> {
  texts: string[];
}

async function readPage(connection: DuckDBConnection, { query, toRow }: CompiledPage): Promise<Lines> {
  const texts = await readTexts(connection, query);
  return { texts: texts.filter((text) => text !== 'null'), toRow };
}

function rowsOf({ texts, toRow }: Lines, { page }: RawPlan): unknown[][] {
  return withinPage(texts, page, (text) => text.length).map((text) => toRow(JSON.parse(text) as unknown[]));
}

async function answerAggregate(connection: DuckDBConnection, source: Source, plan: AggregatePlan): Promise<PlanResult> {
  const fromStoredCounts = storedCountsSuffice(source, plan.selection);
  if (fromStoredCounts && isCountOfAll(plan)) {
    const totals = await matched(connection, source, plan.selection);
    return { rows: [[...plan.metrics.map(() => totals.matched), null, false]], total: 1, ...totals };
  }
  const lines = await readLines<unknown[]>(connection, aggregateStatement(source, plan, fromStoredCounts));
  const [line] = lines.length > 0 ? lines : await readLines<unknown[]>(connection, summaryStatement(source, plan));
  const [groups, count, firstAt, lastAt] = line!.slice(-SUMMARY) as Summary;
  const shown = withinPage(lines, plan.page, (line) => JSON.stringify(line).length);
  const rows = shown.map((row) => exactDecimals(row.slice(0, -SUMMARY), plan));
  return { rows, total: plan.groupBy.length === 0 ? 1 : groups, matched: count, firstAt, lastAt };
}

type Summary = [groups: number, matched: number, firstAt: number | null, lastAt: number | null];
const SUMMARY = 4;

async function answerFunnel(connection: DuckDBConnection, source: Source, plan: FunnelPlan): Promise<PlanResult> {
  const rows = await readLines<unknown[]>(connection, funnelStatement(source, plan));
  return { rows, total: plan.steps.length, ...(await matched(connection, source, throughLastStep(plan))) };
}

async function answerRetention(connection: DuckDBConnection, source: Source, plan: RetentionPlan): Promise<PlanResult> {
  const rows = await readLines<unknown[]>(connection, retentionStatement(source, plan));
  const total = rows.filter(([, period]) => period === null).length;
  return { rows, total, ...(await matched(connection, source, startsOf(plan))) };
}

async function answerBreakdown(connection: DuckDBConnection, source: Source, plan: BreakdownPlan): Promise<PlanResult> {
  const rows = await readLines<unknown[]>(connection, breakdownStatement(source, plan));
  return { rows, total: plan.properties.length, ...(await matched(connection, source, plan.selection)) };
}

async function answerClusters(connection: DuckDBConnection, source: Source, plan: ClustersPlan): Promise<PlanResult> {
  return clustersResult(await readLines<unknown[]>(connection, clustersStatement(source, plan)));
}

async function matched(connection: DuckDBConnection, source: Source, selection: Selection): Promise<Totals> {
  const [line] = await readLines<[number, number | null, number | null]>(
    connection,
    storedCountsSuffice(source, selection)
      ? storedCountsStatement(source, selection)
      : matchedStatement(source, selection),
  );
  const [count, firstAt, lastAt] = line ?? [0, null, null];
  return { matched: count, firstAt, lastAt };
}

function storedCountsSuffice({ paths }: Source, { predicates, anyOf, segments, from, to }: Selection): boolean {
  const isNarrowed = predicates.length > 0 || anyOf !== undefined || segments !== undefined;
  const isWhole = !isNarrowed && from === null && to === null;
  return isWhole && paths?.listedAll === true;
}

function isCountOfAll({ groupBy, bucket, metrics, offset }: AggregatePlan): boolean {
  if (groupBy.length > 0 || bucket !== null || offset > 0) return false;
  return metrics.every((metric) => metric.aggregation === 'count' && metric.field === null);
}

async function readLines<Line>(connection: DuckDBConnection, query: CompiledQuery): Promise<Line[]> {
  return (await readTexts(connection, query)).map((text) => JSON.parse(text) as Line);
}
