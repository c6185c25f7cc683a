import type { DuckDBConnection } from '@duckdb/node-api';
import type {
  AggregatePlan,
  FunnelPlan,
  PlanResult,
  QueryPlan,
  RawPlan,
  Selection,
} from '../../core/events/query-plan.ts';
import { funnelStatement, listedStatement, matchedStatement, throughLastStep } from './compile.ts';
import { aggregateStatement, summaryStatement } from './compile-aggregate.ts';
import { type Edges, edgesStatement, pageByField, pageByTime, sortsByTime } from './compile-raw.ts';
import { readTexts } from './database.ts';
import type { CompiledQuery, Source } from './expressions.ts';

/** Answers a plan from one snapshot: the statements it takes, and their JSON back into rows. */
export function answer(connection: DuckDBConnection, source: Source, plan: QueryPlan): Promise<PlanResult> {
  switch (plan.kind) {
    case 'raw':
      return answerRaw(connection, source, plan);
    case 'aggregate':
      return answerAggregate(connection, source, plan);
    case 'funnel':
      return answerFunnel(connection, source, plan);
  }
}

async function answerRaw(connection: DuckDBConnection, source: Source, plan: RawPlan): Promise<PlanResult> {
  const totals = await matched(connection, source, plan.selection);
  const page = totals.matched > plan.offset ? await pageOf(connection, source, plan) : null;
  const lines = page ? await readLines<unknown[]>(connection, page.query) : [];
  return { rows: lines.map((line) => page!.toRow(line)), total: totals.matched, ...totals };
}

async function pageOf(connection: DuckDBConnection, source: Source, plan: RawPlan) {
  if (!sortsByTime(plan)) return pageByField(source, plan);
  const [edges] = await readLines<Edges>(connection, edgesStatement(source, plan));
  return edges ? pageByTime(source, plan, edges) : null;
}

async function answerAggregate(connection: DuckDBConnection, source: Source, plan: AggregatePlan): Promise<PlanResult> {
  const lines = await readLines<unknown[]>(connection, aggregateStatement(source, plan));
  const [line] = lines.length > 0 ? lines : await readLines<unknown[]>(connection, summaryStatement(source, plan));
  const [groups, count, firstAt, lastAt] = line!.slice(-SUMMARY) as [number, number, number | null, number | null];
  const total = plan.groupBy.length === 0 ? 1 : groups;
  return { rows: lines.map((row) => row.slice(0, -SUMMARY)), total, matched: count, firstAt, lastAt };
}

/** What follows a row of groups. */
const SUMMARY = 4;

async function answerFunnel(connection: DuckDBConnection, source: Source, plan: FunnelPlan): Promise<PlanResult> {
  const rows = await readLines<unknown[]>(connection, funnelStatement(source, plan));
  return { rows, total: plan.steps.length, ...(await matched(connection, source, throughLastStep(plan))) };
}

async function matched(
  connection: DuckDBConnection,
  source: Source,
  selection: Selection,
): Promise<Pick<PlanResult, 'matched' | 'firstAt' | 'lastAt'>> {
  const isWhole = selection.predicates.length === 0 && selection.from === null && selection.to === null;
  const listed = isWhole && source.paths?.listedAll === true;
  const [line] = await readLines<[number, number | null, number | null]>(
    connection,
    listed ? listedStatement(source, selection) : matchedStatement(source, selection),
  );
  const [count, firstAt, lastAt] = line ?? [0, null, null];
  return { matched: count, firstAt, lastAt };
}

async function readLines<Line>(connection: DuckDBConnection, query: CompiledQuery): Promise<Line[]> {
  return (await readTexts(connection, query)).map((text) => JSON.parse(text) as Line);
}
