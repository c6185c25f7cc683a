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
} from '../../../core/analytics/events/query-plan.ts';
import { answerGroups, type GroupLimits, type GroupTotals } from '../answers/groups.ts';
import { startsOf, throughLastStep } from '../shared/selections.ts';
import { EngineGroups, type RunStatement } from './aggregate.ts';
import { breakdownStatement, clustersStatement } from './breakdown.ts';
import type { EventScope } from './scope.ts';
import { matchedStatement } from './selection.ts';

export type Totals = Omit<GroupTotals, 'groups'>;

/** The parts of answers that each engine has for itself. A scope serves one statement. */
export interface EventEngine {
  run: RunStatement;
  scope(): EventScope;
  /** Totals of a selection that needs no scan, else null. */
  counted(selection: Selection): Promise<Totals | null>;
  /** The rows of a page; `totals` are of its selection. */
  page(plan: RawPlan, totals: Totals): Promise<unknown[][]>;
  /** One row: the actors that reach each step. */
  funnel(scope: EventScope, plan: FunnelPlan): string;
  /** Rows as of the plan; period -1 in place of null. */
  retention(scope: EventScope, plan: RetentionPlan): string;
}

/** `limits` only for tests. */
export async function answer(engine: EventEngine, plan: QueryPlan, limits?: GroupLimits): Promise<PlanResult> {
  switch (plan.kind) {
    case 'raw': {
      const totals = await matched(engine, plan.selection);
      return { rows: await engine.page(plan, totals), total: totals.matched, ...totals };
    }
    case 'aggregate': {
      const totals = countsAll(plan) ? await engine.counted(plan.selection) : null;
      if (totals) return { rows: [[...plan.metrics.map(() => totals.matched), null, false]], total: 1, ...totals };
      return answerGroups(new EngineGroups(engine.run, () => engine.scope()), plan, limits);
    }
    case 'funnel': {
      const [counts] = await engine.run(engine.funnel(engine.scope(), plan));
      const rows = counts!.map((count) => [count]);
      return { rows, total: plan.steps.length, ...(await matched(engine, throughLastStep(plan))) };
    }
    case 'retention':
      return answerRetention(engine, plan);
    case 'breakdown':
      return answerBreakdown(engine, plan);
    case 'clusters':
      return clustersResult(await engine.run(clustersStatement(engine.scope(), plan)));
  }
}

function countsAll({ groupBy, bucket, metrics, offset }: AggregatePlan): boolean {
  if (groupBy.length > 0 || bucket !== null || offset > 0) return false;
  return metrics.every((metric) => metric.aggregation === 'count' && metric.field === null);
}

async function matched(engine: EventEngine, selection: Selection): Promise<Totals> {
  const totals = await engine.counted(selection);
  if (totals) return totals;
  const [row] = await engine.run(matchedStatement(engine.scope(), selection));
  const [count, firstAt, lastAt] = row as [number, number, number];
  return count === 0 ? { matched: 0, firstAt: null, lastAt: null } : { matched: count, firstAt, lastAt };
}

async function answerRetention(engine: EventEngine, plan: RetentionPlan): Promise<PlanResult> {
  const lines = await engine.run(engine.retention(engine.scope(), plan));
  const rows = lines.map(([cohort, period, actors]) => [cohort, period === -1 ? null : period, actors]);
  const total = rows.filter(([, period]) => period === null).length;
  return { rows, total, ...(await matched(engine, startsOf(plan))) };
}

async function answerBreakdown(engine: EventEngine, plan: BreakdownPlan): Promise<PlanResult> {
  const scope = engine.scope();
  const lines = await engine.run(breakdownStatement(scope, plan));
  const rows = lines.map(([property, value, ...rest]) => [
    property === -1 ? null : property,
    scope.engine.decoded(value, 'mixed'),
    ...rest,
  ]);
  return { rows, total: plan.properties.length, ...(await matched(engine, plan.selection)) };
}
