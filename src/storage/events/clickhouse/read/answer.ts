import {
  type AggregatePlan,
  type BreakdownPlan,
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
import { aggregateStatement } from './compile-aggregate.ts';
import { breakdownStatement, clustersStatement } from './compile-breakdown.ts';
import { pageStatement } from './compile-raw.ts';
import { matchedStatement } from './compile-selection.ts';
import { funnelStatement, retentionStatement } from './compile-sequences.ts';
import type { Source } from './expressions.ts';
import { decodedText } from './property-sql.ts';

export type Run = (sql: string) => Promise<unknown[][]>;

/** The statements of a plan may run at once: all see the events of the same flushes. */
export async function answer(run: Run, source: Source, plan: QueryPlan): Promise<PlanResult> {
  switch (plan.kind) {
    case 'raw':
      return answerRaw(run, source, plan);
    case 'aggregate':
      return answerAggregate(run, source, plan);
    case 'funnel':
      return answerFunnel(run, source, plan);
    case 'retention':
      return answerRetention(run, source, plan);
    case 'breakdown':
      return answerBreakdown(run, source, plan);
    case 'clusters':
      return clustersResult(await run(clustersStatement(source, plan)));
  }
}

type Totals = Pick<PlanResult, 'matched' | 'firstAt' | 'lastAt'>;

async function matched(run: Run, source: Source, selection: Selection): Promise<Totals> {
  const [row] = await run(matchedStatement(source, selection));
  const [count, firstAt, lastAt] = row as [number, number | null, number | null];
  return { matched: count, firstAt, lastAt };
}

async function answerRaw(run: Run, source: Source, plan: RawPlan): Promise<PlanResult> {
  const page = pageStatement(source, plan);
  const [totals, rows] = await Promise.all([matched(run, source, plan.selection), run(page.sql)]);
  const fitting = withinPage(rows, plan.page, (row) => JSON.stringify(row).length);
  return { rows: fitting.map(page.toRow), total: totals.matched, ...totals };
}

type Summary = [groups: number, matched: number, firstAt: number | null, lastAt: number | null];
const SUMMARY = 4;

async function answerAggregate(run: Run, source: Source, plan: AggregatePlan): Promise<PlanResult> {
  const { rows: sql, summary, types } = aggregateStatement(source, plan);
  const lines = await run(sql);
  const isAll = plan.offset === 0 && (plan.limit === null || lines.length < plan.limit);
  const ofPage = plan.top !== null ? lines[0]?.slice(-SUMMARY) : isAll ? totalsOf(lines, types.length) : undefined;
  const [groups, matched, firstAt, lastAt] = (ofPage ?? (await run(summary))[0]) as Summary;
  const width = plan.top === null ? SUMMARY - 1 : SUMMARY;
  const rows = withinPage(lines, plan.page, (line) => JSON.stringify(line).length).map((values) => {
    const row = values
      .slice(0, -width)
      .map((value, at) => (at < types.length ? decodedText(value, types[at]!) : value));
    row[row.length - 1] = Boolean(row.at(-1));
    return exactDecimals(row, plan);
  });
  const range = matched === 0 ? { firstAt: null, lastAt: null } : { firstAt, lastAt };
  return { rows, total: types.length === 0 ? 1 : groups, matched, ...range };
}

/** Totals of all rows, with the number of their groups: a group has a row for each bucket. */
function totalsOf(lines: unknown[][], width: number): Summary {
  const groups = new Set(lines.map((line) => JSON.stringify(line.slice(0, width))));
  let [matched, firstAt, lastAt] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const line of lines) {
    const [events, first, last] = line.slice(1 - SUMMARY) as [number, number, number];
    matched += events;
    firstAt = Math.min(firstAt, first);
    lastAt = Math.max(lastAt, last);
  }
  return [groups.size, matched, firstAt, lastAt];
}

async function answerFunnel(run: Run, source: Source, plan: FunnelPlan): Promise<PlanResult> {
  const [[counts], totals] = await Promise.all([
    run(funnelStatement(source, plan)),
    matched(run, source, throughLastStep(plan)),
  ]);
  return { rows: counts!.map((count) => [count]), total: plan.steps.length, ...totals };
}

async function answerRetention(run: Run, source: Source, plan: RetentionPlan): Promise<PlanResult> {
  const [lines, totals] = await Promise.all([
    run(retentionStatement(source, plan)),
    matched(run, source, startsOf(plan)),
  ]);
  const rows = lines.map(([cohort, period, actors]) => [cohort, period === -1 ? null : period, actors]);
  return { rows, total: rows.filter(([, period]) => period === null).length, ...totals };
}

async function answerBreakdown(run: Run, source: Source, plan: BreakdownPlan): Promise<PlanResult> {
  const [lines, totals] = await Promise.all([
    run(breakdownStatement(source, plan)),
    matched(run, source, plan.selection),
  ]);
  const rows = lines.map(([property, value, ...rest]) => [
    property === -1 ? null : property,
    decodedText(value, 'tagged'),
    ...rest,
  ]);
  return { rows, total: plan.properties.length, ...totals };
}
