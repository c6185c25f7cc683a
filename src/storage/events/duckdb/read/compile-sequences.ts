import type { FunnelPlan, RetentionPlan } from '../../../../core/analytics/events/query-plan.ts';
import { throughLastStep } from '../../shared/selections.ts';
import { bucketSql } from './bucket-sql.ts';
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

/** One scan for starts and returns. */
export function retentionStatement(source: Source, plan: RetentionPlan): CompiledQuery {
  const { selection, bucket, through } = plan;
  const scope = new StatementBuilder(source);
  scope.keepColumn('timestamp');
  const actor = scope.column(plan.by);
  const start = conjunction(plan.start, scope);
  const returned = conjunction(plan.returned, scope);
  const events = matching({ ...selection, to: through, anyOf: [plan.start, plan.returned] }, scope);
  const inRange = selection.to === null ? '' : ` AND timestamp < ${scope.bind(selection.to)}`;
  const time = (key: string) => `make_timestamp(${key} * 1000)`;
  const period = `date_diff('${bucket.unit}', ${time('cohort')}, ${time('bucket')})`;
  return scope.statement(
    `${events}, ` +
      `starts AS (SELECT ${actor} AS actor, min(timestamp) AS timestamp FROM matching WHERE ${start}${inRange} AND ${actor} IS NOT NULL GROUP BY ${actor}), ` +
      `cohorts AS (SELECT actor, timestamp AS started, ${bucketSql(bucket, scope)} AS cohort FROM starts), ` +
      `later AS (SELECT ${actor} AS actor, timestamp, ${bucketSql(bucket, scope)} AS bucket FROM matching WHERE ${returned}), ` +
      `returns AS (SELECT DISTINCT cohort, ${period} AS period, cohorts.actor FROM cohorts JOIN later ON cohorts.actor = later.actor WHERE later.timestamp > started) ` +
      'SELECT json_array(cohort, NULL, count(*))::VARCHAR FROM cohorts GROUP BY cohort UNION ALL ' +
      `SELECT json_array(cohort, period, count(*))::VARCHAR FROM returns WHERE period BETWEEN 0 AND ${plan.periods} GROUP BY cohort, period`,
  );
}
