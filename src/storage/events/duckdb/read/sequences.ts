import type { FunnelPlan, RetentionPlan } from '../../../../core/analytics/events/query-plan.ts';
import { bucketSql } from '../../compile/bucket.ts';
import { conjunction } from '../../compile/conditions.ts';
import type { EventScope } from '../../compile/scope.ts';
import { matching } from '../../compile/selection.ts';
import { throughLastStep } from '../../shared/selections.ts';
import { DUCKDB } from './sql.ts';

/** Greedy is optimal: the earliest next event allows all that a later one allows. */
export function funnelStatement(scope: EventScope, plan: FunnelPlan): string {
  const actor = scope.column(plan.by);
  for (const column of ['event_name', 'timestamp', 'id']) scope.keep(column);
  const steps = plan.steps.map(({ eventName, predicates }) =>
    scope.computed(`(event_name = ${DUCKDB.text(eventName)} AND ${conjunction(predicates, scope)})`),
  );
  const events = matching(throughLastStep(plan), scope);
  const start = plan.selection.to === null ? '' : ` AND timestamp < ${DUCKDB.integer(plan.selection.to)}`;
  const window = DUCKDB.integer(plan.windowMs);
  const reached = [`reached0 AS (SELECT actor, rank, timestamp AS started FROM ordered WHERE ${steps[0]}${start})`];
  for (const [index, step] of steps.entries()) {
    if (index === 0) continue;
    reached.push(
      `reached${index} AS (SELECT before.actor, next.rank, before.started FROM reached${index - 1} AS before ` +
        `ASOF JOIN (SELECT actor, rank, timestamp FROM ordered WHERE ${step}) AS next ` +
        `ON before.actor = next.actor AND before.rank < next.rank WHERE next.timestamp <= before.started + ${window})`,
    );
  }
  const counts = steps.map((_, index) => `(SELECT count(DISTINCT actor) FROM reached${index})`);
  return (
    `WITH matching AS (${events}), ` +
    `ordered AS (SELECT *, ${actor} AS actor, row_number() OVER (PARTITION BY ${actor} ORDER BY timestamp, id) AS rank ` +
    `FROM matching WHERE ${actor} IS NOT NULL), ${reached.join(', ')} SELECT ${counts.join(', ')}`
  );
}

/** One scan for starts and returns. */
export function retentionStatement(scope: EventScope, plan: RetentionPlan): string {
  const { selection, bucket, through } = plan;
  scope.keep('timestamp');
  const actor = scope.column(plan.by);
  const inRange = selection.to === null ? '' : ` AND timestamp < ${DUCKDB.integer(selection.to)}`;
  const start = scope.computed(`(${conjunction(plan.start, scope)}${inRange})`);
  const returned = scope.computed(`(${conjunction(plan.returned, scope)})`);
  const events = matching({ ...selection, to: through, anyOf: [plan.start, plan.returned] }, scope);
  const key = bucketSql(bucket, 'timestamp', DUCKDB);
  const time = (key: string) => `make_timestamp(${key} * 1000)`;
  const period = `date_diff('${bucket.unit}', ${time('cohort')}, ${time('bucket')})`;
  return (
    `WITH matching AS (${events}), ` +
    `starts AS (SELECT ${actor} AS actor, min(timestamp) AS timestamp FROM matching WHERE ${start} AND ${actor} IS NOT NULL GROUP BY ${actor}), ` +
    `cohorts AS (SELECT actor, timestamp AS started, ${key} AS cohort FROM starts), ` +
    `later AS (SELECT ${actor} AS actor, timestamp, ${key} AS bucket FROM matching WHERE ${returned}), ` +
    `returns AS (SELECT DISTINCT cohort, ${period} AS period, cohorts.actor FROM cohorts JOIN later ON cohorts.actor = later.actor WHERE later.timestamp > started) ` +
    'SELECT cohort, -1, count(*) FROM cohorts GROUP BY cohort UNION ALL ' +
    `SELECT cohort, period, count(*) FROM returns WHERE period BETWEEN 0 AND ${plan.periods} GROUP BY cohort, period`
  );
}
