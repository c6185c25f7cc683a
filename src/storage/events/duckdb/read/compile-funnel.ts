import type { FunnelPlan } from '../../../../core/analytics/events/query-plan.ts';
import { throughLastStep } from '../../shared/selections.ts';
import { matching } from './compile-selection.ts';
import { conjunction } from './conditions.ts';
import { type CompiledQuery, type Source, StatementBuilder } from './expressions.ts';

/** Greedy is optimal: the earliest next event allows all that a later one allows. */
export function funnelStatement(source: Source, plan: FunnelPlan): CompiledQuery {
  const scope = new StatementBuilder(source);
  const actor = scope.column(plan.by);
  for (const column of ['event_name', 'timestamp', 'id']) scope.keepColumn(column);
  const steps = plan.steps.map(
    (step) => `event_name = ${scope.bind(step.eventName)} AND ${conjunction(step.predicates, scope)}`,
  );
  const events = matching(throughLastStep(plan), scope);
  const start = plan.selection.to === null ? '' : ` AND timestamp < ${scope.bind(plan.selection.to)}`;
  const window = scope.bind(plan.windowMs);
  const reached = [`reached0 AS (SELECT actor, rank, timestamp AS started FROM ordered WHERE ${steps[0]}${start})`];
  for (const [index, step] of steps.entries()) {
    if (index === 0) continue;
    reached.push(
      `reached${index} AS (SELECT before.actor, next.rank, before.started FROM reached${index - 1} AS before ` +
        `ASOF JOIN (SELECT actor, rank, timestamp FROM ordered WHERE ${step}) AS next ` +
        `ON before.actor = next.actor AND before.rank < next.rank WHERE next.timestamp <= before.started + ${window})`,
    );
  }
  const counts = steps.map(
    (_, index) => `SELECT ${index} AS step, count(DISTINCT actor) AS actors FROM reached${index}`,
  );
  return scope.statement(
    `${events}, ordered AS (SELECT *, ${actor} AS actor, row_number() OVER (PARTITION BY ${actor} ORDER BY timestamp, id) AS rank ` +
      `FROM matching WHERE ${actor} IS NOT NULL), ${reached.join(', ')} ` +
      `SELECT json_array(actors)::VARCHAR FROM (${counts.join(' UNION ALL ')}) ORDER BY step`,
  );
}
